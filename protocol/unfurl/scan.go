package unfurl

import "bytes"

// find is the best that was found for a field: raw bytes of the page, and the rank of
// where they stood, 0 for nothing and otherwise lower for better.
type find struct {
	raw  []byte
	rank int
}

// offer keeps what stands in a better place than what was found, or there first.
func (f *find) offer(raw []byte, rank int) {
	if len(bytes.TrimSpace(raw)) > 0 && (f.rank == 0 || rank < f.rank) {
		f.raw, f.rank = raw, rank
	}
}

// finds is what a scan gathers.
type finds struct {
	title, description, site find
	images                   [maxRank + 1][]byte // the first of each rank
	base, charset            []byte
}

const maxRank = 5

func (f *finds) offerImage(raw []byte, rank int) {
	if f.images[rank] == nil && len(raw) > 0 {
		f.images[rank] = raw
	}
}

// scan goes once through a page's head as browsers tokenize it: comments, the contents of
// scripts and the like are no tags. It is content with any bytes, and with an end at any
// place. It returns the head.
func (f *finds) scan(page []byte) []byte {
	drawings := 0 // a drawing's <title> is not the page's
	for i := 0; i < len(page); {
		next := bytes.IndexByte(page[i:], '<')
		if next < 0 || i+next+1 >= len(page) {
			return page
		}
		i += next + 1
		switch c := page[i]; {
		case c == '!' || c == '?':
			i = afterComment(page, i)
		case c == '/' && i+1 < len(page) && isLetter(page[i+1]):
			name, _, end := readTag(page, i+1)
			i = end
			switch name {
			case "svg":
				drawings = max(drawings-1, 0)
			case "head":
				return page[:i]
			}
		case isLetter(c):
			name, attrs, end := readTag(page, i)
			i = end
			switch name {
			case "body":
				return page[:i]
			case "svg":
				drawings++
			case "meta":
				f.meta(attrs)
			case "base":
				if f.base == nil {
					f.base = attrs.get("href")
				}
			case "link":
				if string(lower(attrs.get("rel"))) == "image_src" {
					f.offerImage(attrs.get("href"), 5)
				}
			case "title", "script", "style", "textarea", "iframe", "noembed", "noframes", "xmp":
				inside, end := rawText(page, i, name)
				if name == "title" && drawings == 0 {
					f.title.offer(inside, 3)
				}
				i = end
			}
		}
	}
	return page
}

// meta takes what an element <meta> says. The vocabularies are Open Graph (ogp.me), cards
// of Twitter, HTML's own names and schema.org's.
func (f *finds) meta(attrs attributes) {
	content := attrs.get("content")
	if charset := attrs.get("charset"); f.charset == nil && charset != nil {
		f.charset = charset
	}
	if f.charset == nil && string(lower(attrs.get("http-equiv"))) == "content-type" {
		f.charset = charsetIn(content)
	}
	for _, key := range []string{"property", "name", "itemprop"} {
		switch string(lower(bytes.TrimSpace(attrs.get(key)))) {
		case "og:title":
			f.title.offer(content, 1)
		case "twitter:title":
			f.title.offer(content, 2)
		case "headline":
			f.title.offer(content, 4)
		case "og:description":
			f.description.offer(content, 1)
		case "twitter:description":
			f.description.offer(content, 2)
		case "description":
			f.description.offer(content, 3)
		case "og:site_name":
			f.site.offer(content, 1)
		case "application-name":
			f.site.offer(content, 2)
		case "og:image:secure_url":
			f.offerImage(content, 1)
		case "og:image", "og:image:url":
			f.offerImage(content, 2)
		case "twitter:image", "twitter:image:src":
			f.offerImage(content, 3)
		case "image":
			f.offerImage(content, 4)
		}
	}
}

// afterComment skips a comment, a document type or a processing instruction that begins
// behind "<" at i.
func afterComment(page []byte, i int) int {
	rest := page[i:]
	if !bytes.HasPrefix(rest, []byte("!--")) {
		return after(page, i, ">")
	}
	for _, empty := range []string{"!-->", "!--->"} {
		if bytes.HasPrefix(rest, []byte(empty)) {
			return i + len(empty)
		}
	}
	for i += len("!--"); ; i-- { // of three hyphens the last two may be the end's
		if i = after(page, i, "--"); i == len(page) {
			return i
		}
		for _, end := range []string{">", "!>"} {
			if bytes.HasPrefix(page[i:], []byte(end)) {
				return i + len(end)
			}
		}
	}
}

// after is the place behind the next end, or the page's own end.
func after(page []byte, i int, end string) int {
	if at := bytes.Index(page[i:], []byte(end)); at >= 0 {
		return i + at + len(end)
	}
	return len(page)
}

// rawText is the contents of an element that has no elements inside, and the place where
// its end tag begins.
func rawText(page []byte, from int, name string) ([]byte, int) {
	for i := from; i < len(page); {
		at := bytes.Index(page[i:], []byte("</"))
		if at < 0 {
			break
		}
		i += at + 2
		if behind := i + len(name); behind <= len(page) && string(lower(page[i:behind])) == name &&
			(behind == len(page) || endsName(page[behind])) {
			return page[from : i-2], i - 2
		}
	}
	return page[from:], len(page)
}
