package data

// Limits of the HTML that is made of a text, in bytes. A text whose HTML is longer is refused when it is written. A
// row from before these limits may have more: then its text is read instead (BodyPlain, TextPlain, SidebarPlain). So
// no row makes the database's answer larger than the edge accepts. Ten thousand characters of any alphabet, and marks
// as people use them, stay well below.
const (
	CommentHTMLMax = 64 << 10
	SidebarHTMLMax = 64 << 10
	BioHTMLMax     = 16 << 10
	PostHTMLMax    = 256 << 10
)

// The same limits in SQL; that of sidebars is in package communities. Each is two columns: the HTML, or NULL where it is too long; and in that case the text.
// octet_length reads no more of a row than its header.
const (
	CommentBody = `iif(octet_length(c.body_html) <= 65536, c.body_html, NULL),
  iif(octet_length(c.body_html) > 65536, substr(c.body, 1, 10000), NULL)`
	PostBody = `iif(octet_length(t.html) <= 262144, t.html, NULL), iif(octet_length(t.html) > 262144, substr(t.text, 1, 40000), NULL)`
)
