package rules

import "plaza/data"

// ColumnsOfPost and ColumnsOfComment are the columns that ScanThing reads of a row of posts p, or of comments c, before the HTML: the
// kind, the link and the image, the number of pictures and their descriptions in lines, and the title and the link of a crosspost's
// original.
const (
	ColumnsOfPost = `p.kind, p.link, p.image, json_array_length(iif(p.pictures = '', '[]', p.pictures)) + (p.image <> ''),
  iif(p.pictures = '', '', (SELECT group_concat(j.value ->> 'alt', char(10)) FROM json_each(p.pictures) j)),
  p.crosspost ->> 'title', p.crosspost ->> 'link'`
	ColumnsOfComment = `'comment', '', '', json_array_length(iif(c.pictures = '', '[]', c.pictures)),
  iif(c.pictures = '', '', (SELECT group_concat(j.value ->> 'alt', char(10)) FROM json_each(c.pictures) j)),
  '', ''`
)

// ScanThing reads a stored post or comment, without the title of a post: its caller sets that.
func ScanThing(row *data.Row) Thing {
	t := Thing{Kind: Kind(row.Text()), Addresses: []string{row.Text(), row.Text()}, Pictures: int(row.Int())}
	t.Descriptions = []string{row.Text()}
	t = t.Showing(row.Text(), row.Text())
	t.HTML = row.Text()
	return t
}
