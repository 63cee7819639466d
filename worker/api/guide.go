package api

import (
	"bytes"
	"compress/gzip"
	_ "embed"
	"io"
	"strings"
	"sync"

	adminpages "plaza/render/admin"
)

// openAPI is openapi.json, compressed: each new isolate reads the whole program. TestOpenAPI in package worker makes it, and guide.tsv.
//
//go:embed openapi.json.gz
var openAPI []byte

// OpenAPI returns the OpenAPI document. It is rarely requested, so it is not kept uncompressed.
func OpenAPI() ([]byte, error) {
	r, err := gzip.NewReader(bytes.NewReader(openAPI))
	if err != nil {
		return nil, err
	}
	return io.ReadAll(r)
}

// guide has a line for each page, action, object and field, with tabs between its columns. Package apidoc makes it.
//
//go:embed guide.tsv
var guide string

// Guide returns the content of the page for people.
var Guide = sync.OnceValue(func() (p adminpages.APIPage) {
	for line := range strings.Lines(guide) {
		switch c := strings.Split(strings.TrimSuffix(line, "\n"), "\t"); c[0] {
		case "read":
			p.Reads = append(p.Reads, adminpages.APILine{Address: c[1], Says: c[2], Object: c[3]})
		case "action":
			p.Actions = append(p.Actions, adminpages.APILine{Address: c[1], Says: c[2], More: c[3]})
		case "object":
			p.Objects = append(p.Objects, adminpages.APIObject{Name: c[1]})
		case "field":
			o := &p.Objects[len(p.Objects)-1]
			o.Fields = append(o.Fields, adminpages.APIField{Name: c[1], Type: c[2], Says: c[3], Object: c[4]})
		}
	}
	return p
})
