package community

import (
	"net/http"
	"strings"

	"plaza/data"
	"plaza/data/content/flair"
	"plaza/locale"
	pages "plaza/render/community"
	"plaza/render/ui"
	"plaza/worker/request"
	"plaza/worker/view"
)

// ownWords is the value of the field flair if the member's flair is the words in the field text.
const ownWords = "own"

var memberFlairFields = []string{"flair", "text", "was", "colour", "fixed"}

// ShowOwnFlair is the form by which a member chooses a flair in a community.
func (h *Handlers) ShowOwnFlair(c *request.Call) error {
	return h.memberFlairPage(c, c.ViewerID(), nil)
}

// ShowMemberFlair is the form by which a moderator gives a member a flair.
func (h *Handlers) ShowMemberFlair(c *request.Call) error {
	member, err := data.ParseID(c.R.URL.Query().Get("user"))
	if err != nil {
		return err
	}
	return h.memberFlairPage(c, member, nil)
}

// byModerator reports whether a moderator gives the flair, from the request's path.
func byModerator(c *request.Call) bool { return strings.Contains(c.R.URL.Path, "/mod/") }

// memberFlairPage shows the form. refused is why it is shown again, or nil.
func (h *Handlers) memberFlairPage(c *request.Call, member data.ID, refused error) error {
	name, mod := c.R.PathValue("community"), byModerator(c)
	r := c.Read()
	community, set, own := h.Communities.FindByName(r, name, c.ViewerID()), h.Flairs.FindOfMembers(r, name), h.Flairs.FindMemberFlair(r, name,
		member)
	user := h.Accounts.FindNamed(r, member)
	if err := c.Run(r); err != nil {
		return err
	}
	switch {
	case community.ID == 0 || data.IsProfile(name):
		return request.ErrNoCommunity
	case mod && user.Name == "":
		return &data.Error{Code: data.NotFound, Message: "There is no such member. The account may have been deleted."}
	}
	p := pages.MemberFlairPage{Community: ui.Community{Name: community.Name, Colour: community.Colour, Icon: community.Icon},
		BackURL: "/c/" + community.Name,
		Action:  request.OwnFlairURL(community.Name), Words: mod || set.Choose == flair.ChooseOwn,
		Form: ui.Form{Errors: map[string]locale.Text{}, Values: map[string]string{"flair": view.FlairText(own.ID)}}}
	list := set.Open()
	if set.Choose == flair.ChooseNone {
		list = nil
	}
	if mod {
		list = set.Flairs
		p.Member, p.User, p.Action = user.Name, member.Text(), "/c/"+community.Name+"/mod/user-flair"
		p.BackURL = request.MemberCardURL(community.Name, member, user.Name)
		p.Colours = flairColours()
	}
	for _, f := range list {
		p.Flairs = append(p.Flairs, view.FlairView(community.Name, f.Label))
	}
	if own.ID == 0 && own.Text != "" {
		p.Form.Values["flair"], p.Form.Values["text"], p.Form.Values["colour"] = ownWords, own.Text, own.Colour
		p.Form.Values["was"] = own.Text
	}
	p.Form.Values["fixed"] = request.Checked(own.Fixed)
	code := http.StatusOK
	if refused != nil {
		p.Form, code = request.WithError(c.Typed(memberFlairFields...), refused), request.FormStatus(refused)
	}
	p.Frame = c.Frame("Flair")
	return request.Show(c, code, pages.MemberFlair, p)
}

func flairColours() (colours []ui.Option) {
	for _, colour := range flair.Colours {
		colours = append(colours, ui.Option{Value: colour, Label: colourLabels[colour]})
	}
	return colours
}

// selectionOf reads the choice in the form. If the typed words are not those that the form came with ("was"), they are chosen, whichever
// flair is selected. A value that is not an id becomes -1, which no flair has. It is no error here, because the store
// first checks whether the caller may do this.
func selectionOf(c *request.Call) flair.Selection {
	value, words := strings.TrimSpace(c.Value("flair")), c.Value("text")
	if value == ownWords || strings.TrimSpace(words) != "" && words != c.Value("was") {
		return flair.Selection{Text: words, Colour: c.Value("colour")}
	}
	id, err := request.OptionalID(value)
	if err != nil {
		id = -1
	}
	return flair.Selection{ID: id}
}

// ChooseFlair gives the member the flair that they have chosen.
func (h *Handlers) ChooseFlair(c *request.Call) error {
	name := c.R.PathValue("community")
	if err := h.Flairs.Choose(c.R.Context(), *c.Actor, name, selectionOf(c)); err != nil {
		return h.refuseMemberFlair(c, c.Actor.UserID, err)
	}
	return c.Done("/c/"+name, map[string]any{"permalink": "/c/" + name})
}

// GiveMemberFlair gives a member a flair, or removes it.
func (h *Handlers) GiveMemberFlair(c *request.Call) error {
	name := c.R.PathValue("community")
	member, _ := data.ParseID(c.Value("user")) // 0 if it is not an id: the store first checks who may do this
	if err := h.Flairs.GiveMember(c.R.Context(), *c.Actor, flair.Assignment{Community: name, Member: member, Selection: selectionOf(c),
		Fixed: c.Flag("fixed")}); err != nil {
		return h.refuseMemberFlair(c, member, err)
	}
	return c.Done("/c/"+name+"/mod/member?user="+member.Text(), map[string]any{"user": member})
}

func (h *Handlers) refuseMemberFlair(c *request.Call, member data.ID, err error) error {
	if data.ErrorCode(err) == data.Invalid && !c.WantsJSON() {
		return h.memberFlairPage(c, member, err)
	}
	return err
}
