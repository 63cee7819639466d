package main

import (
	"flag"

	"plaza/ops/bucket"
)

// pictures has the flags for access to the bucket of pictures, through the site.
type pictures struct {
	env  *environment
	site string
}

// flags adds the flag with the site's address.
func (p *pictures) flags(env *environment, f *flag.FlagSet) {
	p.env = env
	f.StringVar(&p.site, "bucket", env.getenv("SITE_URL"), "the site's `URL`, through which its pictures are reached with the secret "+
		"$PICTURES_TOKEN (default $SITE_URL)")
}

// client returns a client of the bucket, or nil and the reason why the command must skip pictures.
func (p *pictures) client() (client *bucket.Client, why string) {
	switch token := p.env.getenv("PICTURES_TOKEN"); {
	case token == "":
		return nil, "PICTURES_TOKEN is not set"
	case p.site == "":
		return nil, "neither --bucket nor SITE_URL says where the site is"
	default:
		return bucket.New(p.site, token), ""
	}
}
