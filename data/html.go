package data

// Limits of the HTML that is made of a text, in bytes. Whoever writes refuses more. Rows
// from before these limits have their text read instead (BodyPlain, TextPlain and
// SidebarPlain), so that no row makes an answer of the database larger than the edge takes.
// Ten thousand characters of any alphabet, and marks as people use them, stay well below.
const (
	CommentHTMLMax = 64 << 10
	SidebarHTMLMax = 64 << 10
	PostHTMLMax    = 256 << 10
)

// The same limits in SQL: a text's HTML, and the text itself where that is too much.
// octet_length reads no more of a row than its header.
const (
	CommentBody = `iif(octet_length(c.body_html) <= 65536, c.body_html, NULL), iif(octet_length(c.body_html) > 65536, substr(c.body, 1, 10000), NULL)`
	PostBody    = `iif(octet_length(t.html) <= 262144, t.html, NULL), iif(octet_length(t.html) > 262144, substr(t.text, 1, 40000), NULL)`
	SidebarBody = `iif(octet_length(c.sidebar_html) <= 65536, c.sidebar_html, NULL), iif(octet_length(c.sidebar_html) > 65536, substr(c.sidebar, 1, 10000), NULL)`
)
