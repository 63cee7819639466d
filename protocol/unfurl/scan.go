package unfurl

import (
	"cmp"
	"io"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/text/encoding"
)

// The fields of a page. metadata has the best texts of each.
const (
	title = iota
	description
	site
	picture
)

// source is a field, and the rank of a source of its text: 0 is the best.
type source struct{ field, rank int }

// sources are the names of <meta> elements for fields: of Open Graph (ogp.me), of Twitter cards, of HTML itself and of schema.org. The
// element <title> ranks after Twitter's, and <link rel=image_src> last.
var sources = map[string]source{
	"og:title": {title, 0}, "twitter:title": {title, 1}, "headline": {title, 3},
	"og:description": {description, 0}, "twitter:description": {description, 1}, "description": {description, 2},
	"og:site_name": {site, 0}, "application-name": {site, 1},
	"og:image:secure_url": {picture, 0}, "og:image": {picture, 1}, "og:image:url": {picture, 1}, "twitter:image": {picture, 2},
	"twitter:image:src": {picture, 2}, "image": {picture, 3},
}

// metadata has the results of a scan.
type metadata struct {
	texts    [picture + 1][5]string // by rank, each the first that is not empty
	base     string
	declared encoding.Encoding // nil for an unknown one
	head     int               // how many bytes were read, up to its end
}

func (f *metadata) offer(from source, text string) {
	if kept := &f.texts[from.field][from.rank]; *kept == "" {
		*kept = strings.TrimSpace(text)
	}
}

// scan reads a page up to the end of its head.
func scan(page io.Reader) (f metadata) {
	z := html.NewTokenizer(page)
	drawings, inTitle := 0, false // a drawing's <title> is not the page's
	for {
		kind := z.Next()
		f.head += len(z.Raw())
		raw, _ := z.TagName()
		name := string(raw)
		switch kind {
		case html.ErrorToken:
			return f
		case html.TextToken:
			if inTitle && drawings == 0 {
				f.offer(source{title, 2}, string(z.Text()))
			}
		case html.EndTagToken:
			if name == "svg" {
				drawings = max(drawings-1, 0)
			}
			if name == "head" {
				return f
			}
		case html.StartTagToken, html.SelfClosingTagToken:
			attrs := attributes(z)
			if len(attrs) > attributesMax {
				return f
			}
			switch name {
			case "body":
				return f
			case "svg":
				if kind == html.StartTagToken {
					drawings++
				}
			case "noscript":
				z.NextIsNotRawText() // no script runs here
			case "meta", "base", "link":
				f.element(name, attrs)
			}
		}
		inTitle = name == "title" && kind != html.EndTagToken
	}
}

// attributes returns the first attributes of a tag.
func attributes(z *html.Tokenizer) map[string]string {
	all := map[string]string{}
	for len(all) <= attributesMax {
		name, value, more := z.TagAttr()
		if name != nil {
			all[string(name)] = string(value)
		}
		if !more {
			break
		}
	}
	return all
}

// attributesMax is more than any tag of a head has. After a tag with many thousands, the tokenizer is slow for each tag that follows.
const attributesMax = 256

func (f *metadata) element(name string, attrs map[string]string) {
	switch {
	case name == "base":
		f.base = cmp.Or(f.base, attrs["href"])
	case name == "link" && strings.EqualFold(attrs["rel"], "image_src"):
		f.offer(source{picture, 4}, attrs["href"])
	case name == "meta":
		content := attrs["content"]
		if label := attrs["charset"]; label != "" {
			f.declare(label)
		} else if strings.EqualFold(attrs["http-equiv"], "content-type") {
			f.declare(charsetIn(content))
		}
		for _, key := range []string{"property", "name", "itemprop"} {
			if from, known := sources[strings.ToLower(strings.TrimSpace(attrs[key]))]; known {
				f.offer(from, content)
			}
		}
	}
}

func (f *metadata) declare(label string) {
	if f.declared == nil {
		f.declared = encodingOf(label)
	}
}
