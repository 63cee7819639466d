package worker

import (
	"net/http"

	"plaza/data"
	"plaza/data/modlog"
	"plaza/data/standing"
	"plaza/render"
)

// cardDecisions is how many decisions the card of a member lists.
const cardDecisions = 20

// cardURL is where moderators read what a community knows of the author of something there; "" for nobody's.
func cardURL(community string, author data.ID, name string) string {
	if author == 0 || name == "" || data.IsProfile(community) {
		return ""
	}
	return "/c/" + community + "/mod/member?user=" + author.Text()
}

// showMemberCard is what a community knows of a member, for its moderators. The member is named by the id, by which every database finds
// what it has of them.
func (a *App) showMemberCard(c *call) error {
	member, err := data.ParseID(c.r.URL.Query().Get("user"))
	if err != nil {
		return err
	}
	name := c.r.PathValue("community")
	r := c.read(a)
	community := a.communities.FindByName(r, name, c.viewerID())
	user := a.users.FindNamed(r, member)
	known := standing.Find(r, a.Source, name, member)
	decisions := modlog.FindAbout(r, name, member, cardDecisions)
	if err := c.run(r); err != nil {
		return err
	}
	if community.ID == 0 || data.IsProfile(name) {
		return errNoCommunity
	}
	if user.Name == "" {
		return &data.Error{Code: data.NotFound, Message: "There is no such member. The account may have been deleted."}
	}
	p := render.MemberCardPage{Community: communityView(community), Name: user.Name, Avatar: render.Avatar(user.Avatar), JoinedAt: member.Time(), Standing: string(known.Level()),
		Posts: known.Posts, Comments: known.Comments, Removals: known.Removals, Bans: known.Bans, BanURL: c.banURL(community.Name, member, user.Name)}
	for _, d := range *decisions {
		p.Decisions = append(p.Decisions, render.CardDecision{LogLine: logLine(&d.Line), Note: d.Note})
	}
	p.Frame = c.frame(a, user.Name+" in c/"+community.Name, "", "")
	p.NoIndex = true
	return show(c, http.StatusOK, render.MemberCard, p)
}
