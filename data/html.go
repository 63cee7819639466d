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
