package worker

import (
	"net/http"
	"net/url"
	"strings"

	"plaza/data"
	"plaza/data/listings"
	"plaza/data/people"
	"plaza/data/threads"
	"plaza/render"
)

func (a *App) showSignUp(c *call) error {
	if c.actor != nil {
		return c.redirect(back(c.r.URL.Query().Get("next")))
	}
	if err := c.parse(); err != nil {
		return err
	}
	return a.signUpPage(c, http.StatusOK, c.typed("username", "email", "next"))
}

func (a *App) signUpPage(c *call, status int, f render.Form) error {
	f.Carried = c.carried()
	p := render.SignUpPage{Frame: c.frame(a, "Sign up", "Join "+a.SiteName+".", "/signup"), Form: c.withToken(f)}
	return show(c, status, render.SignUp, p)
}

func (a *App) signUp(c *call) error {
	if c.value("show") != "" {
		return a.signUpPage(c, http.StatusOK, c.typed("username", "email", "next"))
	}
	token, err := c.token()
	if err != nil {
		return a.refuseSignUp(c, err)
	}
	actor, err := a.users.CreateUser(c.r.Context(), people.CreateUser{
		Username: c.value("username"), Email: c.value("email"), Password: c.form.Get("password"), Network: a.networkKey(c), Token: token})
	if err == nil {
		err = a.signedIn(c, actor)
	}
	if err != nil {
		return a.refuseSignUp(c, err)
	}
	return nil
}

func (a *App) refuseSignUp(c *call, err error) error {
	if c.wantsJSON() || !formCanSay(err) {
		return err
	}
	return a.signUpPage(c, formStatus(err), wrong(c.typed("username", "email", "next"), err))
}

func (a *App) showLogIn(c *call) error {
	if c.actor != nil {
		return c.redirect(back(c.r.URL.Query().Get("next")))
	}
	if err := c.parse(); err != nil {
		return err
	}
	return a.logInPage(c, http.StatusOK, c.typed("login", "next"))
}

func (a *App) logInPage(c *call, status int, f render.Form) error {
	f.Carried = c.carried()
	p := render.LogInPage{Frame: c.frame(a, "Log in", "Log in to "+a.SiteName+".", "/login"), Form: f}
	return show(c, status, render.LogIn, p)
}

func (a *App) logIn(c *call) error {
	if c.value("show") != "" {
		return a.logInPage(c, http.StatusOK, c.typed("login", "next"))
	}
	actor, err := a.users.LogIn(c.r.Context(), people.LogIn{
		Login: c.value("login"), Password: c.form.Get("password"), Network: a.networkKey(c),
		Stranger: func(name string) error { return a.limitGuesses(c, name) }})
	if err == nil {
		err = a.signedIn(c, actor)
	}
	if err != nil {
		return a.refuseLogIn(c, err)
	}
	return nil
}

func (a *App) refuseLogIn(c *call, err error) error {
	if c.wantsJSON() || !formCanSay(err) {
		return err
	}
	return a.logInPage(c, formStatus(err), wrong(c.typed("login", "next"), err))
}

// signedIn begins a session, and ends the one that its cookie replaces: nobody could sign
// that one out any more.
func (a *App) signedIn(c *call, actor data.Actor) error {
	if c.actor != nil {
		if err := a.sessions.End(c.r.Context(), *c.actor); err != nil {
			return err
		}
	}
	a.startSession(c, actor)
	c.actor = &actor
	if a.carriedOn(c) {
		return nil
	}
	return c.done(back(c.value("next")), map[string]any{"id": actor.UserID, "username": actor.Name})
}

func (a *App) logOut(c *call) error {
	if c.actor != nil {
		if err := a.sessions.End(c.r.Context(), *c.actor); err != nil {
			return err
		}
	}
	http.SetCookie(c.w, endedCookie())
	return c.done(back(c.value("return")), map[string]any{"ok": true})
}

// profilePage is how many posts or comments a page of a profile shows.
const profilePage = 25

func (a *App) showProfile(c *call) error {
	name := c.r.PathValue("user")
	onComments := strings.HasSuffix(c.r.URL.Path, "/comments")
	r := c.read(a)
	user := a.users.FindByName(r, name)
	follows := a.users.FindFollows(r, c.viewerID(), name)
	karma := a.comments.FindKarma(r, name)
	a.communities.FollowColours(r)
	find := a.profilePosts
	if onComments {
		find = a.profileComments
	}
	fill, err := find(c, r, name)
	if err != nil {
		return err
	}
	if err := c.run(r); err != nil {
		return err
	}
	if user.ID == 0 {
		return &data.Error{Code: data.NotFound, Message: "There is nobody of that name here."}
	}
	base := "/u/" + user.Username
	p := render.ProfilePage{
		Frame: c.frame(a, "u/"+user.Username, "What "+user.Username+" posts and says.", base), Name: user.Username,
		BioHTML: render.HTML(user.BioHTML), JoinedAt: user.CreatedAt, Followers: user.Followers, Following: user.Following,
		PostKarma: karma.Posts, CommentKarma: karma.Comments, IsSelf: c.viewerID() == user.ID, IsFollowed: *follows,
		Tabs: []render.Tab{{Label: "Posts", URL: base, Active: !onComments}, {Label: "Comments", URL: base + "/comments", Active: onComments}},
	}
	fill(&p)
	return show(c, http.StatusOK, render.Profile, p)
}

func (a *App) profilePosts(c *call, r *data.Read, name string) (func(*render.ProfilePage), error) {
	after, err := data.ParseCursor(byte(data.OrderNew), c.r.URL.Query().Get("after"))
	if err != nil {
		return nil, err
	}
	l, err := a.listings.Find(c.r.Context(), r, listings.Query{
		Author: name, Order: data.OrderNew, After: after, Limit: profilePage, Viewer: c.viewerID()})
	return func(p *render.ProfilePage) {
		p.Posts = c.postItems(l.Items())
		if next := l.Next(); !next.IsZero() {
			p.NextURL = "/u/" + p.Name + "?after=" + next.String()
		}
	}, err
}

func (a *App) profileComments(c *call, r *data.Read, name string) (func(*render.ProfilePage), error) {
	var before data.ID
	if after := c.r.URL.Query().Get("after"); after != "" {
		id, err := data.ParseID(after)
		if err != nil {
			return nil, err
		}
		before = id
	}
	list := a.comments.FindByAuthor(r, name, before, profilePage+1, c.viewerID())
	return func(p *render.ProfilePage) {
		page := threads.NewestFirst(*list)
		if len(page) > profilePage {
			page = page[:profilePage]
			p.NextURL = "/u/" + p.Name + "/comments?after=" + url.QueryEscape(page[profilePage-1].ID.Text())
		}
		for _, ac := range page {
			p.Comments = append(p.Comments, render.ProfileComment{
				Comment: *c.commentView(&ac.Comment, &ac.Post), PostTitle: ac.Post.Title, PostURL: ac.Post.URL(), Community: ac.Post.Community})
		}
	}, nil
}
