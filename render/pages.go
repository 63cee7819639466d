package render

import (
	"strconv"

	g "maragu.dev/gomponents"
	h "maragu.dev/gomponents/html"
)

func stub(f Frame, body ...g.Node) g.Node {
	return h.Doctype(h.HTML(h.Head(h.TitleEl(g.Text(f.Title))), h.Body(body...)))
}

func Front(p FrontPage) g.Node               { return stub(p.Frame) }
func CommunityView(p CommunityPage) g.Node   { return stub(p.Frame) }
func Communities(p CommunitiesPage) g.Node   { return stub(p.Frame) }
func PostView(p PostPage) g.Node             { return stub(p.Frame) }
func Profile(p ProfilePage) g.Node           { return stub(p.Frame) }
func Submit(p SubmitPage) g.Node             { return stub(p.Frame) }
func SignUp(p SignUpPage) g.Node             { return stub(p.Frame) }
func LogIn(p LogInPage) g.Node               { return stub(p.Frame) }
func NewCommunity(p NewCommunityPage) g.Node { return stub(p.Frame) }
func Reply(p ReplyPage) g.Node               { return stub(p.Frame) }
func Error(p ErrorPage) g.Node               { return stub(p.Frame) }

func VoteFragment(v Votes) g.Node {
	return h.Div(h.Class("votes"), g.Text(strconv.FormatInt(v.Score, 10)))
}
func CommentFragment(c *Comment) g.Node             { return h.Div(g.Text(c.ID)) }
func MoreFragment(cs []*Comment, more *More) g.Node { return g.Group{} }
func ReplyFormFragment(p ReplyPage) g.Node          { return h.Form() }
