package publishing_test

import (
	"context"
	"go/ast"
	"path"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"plaza/data"
	"plaza/data/content/comments"
	"plaza/data/content/pictures"
	"plaza/data/content/posts"
	"plaza/data/content/publishing"
	"plaza/data/rights/rules"
	"plaza/test/storetest"
)

// TestRulesSeeEverything has a rule about one word, and publishes that word by each method.
func TestRulesSeeEverything(t *testing.T) {
	s := storetest.Open(t)
	ctx := context.Background()
	judge := &rules.Store{Base: s.Posts.Base, HTML: func(text string) string { return "<p>" + text + "</p>" }}
	p := publishing.Store{DB: s.DB, Posts: s.Posts, Comments: s.Comments, Communities: s.Communities, Rules: judge}
	ann, ben := s.Member("ann"), s.Member("ben")
	s.Community(ann, "gophers")
	s.Community(ann, "quiet")
	list, err := rules.ParseAll("rule: No casinos\nwords: casino\ndo: hold")
	require.NoError(t, err)
	list[0].ID, list[0].Active = judge.Source.NewID(0, data.KindOther), true
	require.NoError(t, judge.Save(ctx, ann, "gophers", list...))

	create := func(title, text string) posts.Create {
		return posts.Create{Community: "gophers", Title: title, Text: text, TextHTML: "<p>" + text + "</p>"}
	}
	post, err := p.Post(ctx, ben, create("Fine", "A text"))
	require.NoError(t, err)
	held := func(id data.ID) int64 {
		table := "posts"
		if id.IsComment() {
			table = "comments"
		}
		return s.Rows("SELECT held FROM "+table+" WHERE id = ?1", int64(id))[0][0].(int64)
	}
	require.Zero(t, held(post.ID))
	draft := func(c posts.Create) *posts.Post {
		c.Status = posts.Draft
		d, err := p.Post(ctx, ben, c)
		require.NoError(t, err)
		require.Zero(t, held(d.ID), "a draft is judged when it is published")
		return d
	}

	t.Run("a post", func(t *testing.T) {
		created, err := p.Post(ctx, ben, create("A Casino", "text"))
		require.NoError(t, err)
		require.EqualValues(t, data.Held, held(created.ID))
	})
	t.Run("a crosspost, by what it shows", func(t *testing.T) {
		elsewhere := create("Casino night", "text")
		elsewhere.Community = "quiet"
		shown, err := p.Post(ctx, ben, elsewhere)
		require.NoError(t, err)
		require.Zero(t, held(shown.ID))
		cross := create("Look at this", "")
		cross.CrosspostOf = shown.ID
		created, err := p.Post(ctx, ben, cross)
		require.NoError(t, err)
		require.EqualValues(t, data.Held, held(created.ID))
		kept, err := p.PublishDraft(ctx, ben, draft(cross).ID, true)
		require.NoError(t, err)
		require.EqualValues(t, data.Held, held(kept.ID))
		changed, err := p.EditDraft(ctx, ben, posts.EditDraft{ID: draft(cross).ID, Create: posts.Create{Community: "gophers",
			Title: "Look at this", Text: "See", TextHTML: "<p>See</p>", AllowRepost: true}})
		require.NoError(t, err)
		require.EqualValues(t, data.Held, held(changed.ID), "the form does not say again what it shows")
	})
	t.Run("a draft that is published as it is", func(t *testing.T) {
		created, err := p.PublishDraft(ctx, ben, draft(create("Another casino", "text")).ID, false)
		require.NoError(t, err)
		require.EqualValues(t, data.Held, held(created.ID))
	})
	t.Run("a draft that is changed and published", func(t *testing.T) {
		created, err := p.EditDraft(ctx, ben, posts.EditDraft{ID: draft(create("Harmless", "text")).ID, Create: create("Harmless", "a casino")})
		require.NoError(t, err)
		require.EqualValues(t, data.Held, held(created.ID))
	})
	t.Run("a scheduled post", func(t *testing.T) {
		later := create("Casino at noon", "text")
		later.Status, later.PublishAt = posts.Scheduled, s.Clock.Add(time.Hour)
		created, err := p.Post(ctx, ben, later)
		require.NoError(t, err)
		*s.Clock = s.Clock.Add(2 * time.Hour)
		require.NoError(t, p.PublishDue(ctx))
		require.EqualValues(t, data.Held, held(created.ID))
		require.Equal(t, "removed", s.Rows("SELECT status FROM posts WHERE id = ?1", int64(created.ID))[0][0])
	})
	t.Run("a comment", func(t *testing.T) {
		created, _, err := p.Comment(ctx, ben, comments.Create{Post: post.ID, Body: "To the casino", BodyHTML: "<p>To the casino</p>"})
		require.NoError(t, err)
		require.EqualValues(t, data.Held, held(created.ID))
	})
	t.Run("changes of what is there", func(t *testing.T) {
		said, _, err := p.Comment(ctx, ben, comments.Create{Post: post.ID, Body: "Fine", BodyHTML: "<p>Fine</p>"})
		require.NoError(t, err)
		_, err = p.EditComment(ctx, ben, comments.Edit{ID: said.ID, Body: "A casino", BodyHTML: "<p>A casino</p>"})
		require.ErrorContains(t, err, "No casinos")
		_, err = p.EditPost(ctx, ben, posts.Edit{ID: post.ID, Text: "A casino", TextHTML: "<p>A casino</p>"})
		require.ErrorContains(t, err, "No casinos")
		described := []pictures.Chosen{{Sum: strings.Repeat("0a", 32), Alt: "The casino at night"}}
		_, err = p.EditComment(ctx, ben, comments.Edit{ID: said.ID, Body: "Fine", BodyHTML: "<p>Fine</p>", Chosen: &described})
		require.ErrorContains(t, err, "No casinos", "the description of a picture")
		_, err = p.EditPost(ctx, ben, posts.Edit{ID: post.ID, Text: "A text", TextHTML: "<p>A text</p>", Chosen: &described})
		require.ErrorContains(t, err, "No casinos", "the description of a picture")
		require.Equal(t, [][]any{{"Fine"}}, s.Rows("SELECT body FROM comments WHERE id = ?1", int64(said.ID)))
		require.Equal(t, [][]any{{"A text"}}, s.Rows("SELECT text FROM post_texts WHERE post_id = ?1", int64(post.ID)))
	})
}

// TestOnlyWayToPublish checks that only this package calls the methods that store posts and comments without judging them, and that each
// of its methods that does calls the rules.
func TestOnlyWayToPublish(t *testing.T) {
	kits := []string{"test/storetest", "test/sitetest", "test/workertest"} // of tests
	calls := 0
	storetest.GoFiles(t, func(name, _ string, file *ast.File) {
		folder := path.Dir(name)
		if slices.Contains(kits, folder) {
			return
		}
		for _, decl := range file.Decls {
			unjudged, judges := "", false
			ast.Inspect(decl, func(n ast.Node) bool {
				if method, ok := n.(*ast.SelectorExpr); ok {
					judges = judges || method.Sel.Name == "Judge" || method.Sel.Name == "judgeNew"
					if publishes(method) {
						calls++
						unjudged = method.Sel.Name
					}
				}
				return true
			})
			function, _ := decl.(*ast.FuncDecl)
			switch {
			case unjudged == "":
			case folder != "data/content/publishing":
				t.Errorf("%s calls %s, which asks no rule; call package publishing", name, unjudged)
			case function == nil || !judges && function.Name.Name != "PublishDue": // due posts were judged when they were scheduled
				t.Errorf("%s calls %s and asks no rule", name, unjudged)
			}
		}
	})
	require.Equal(t, 8, calls, "the calls of this package are found")
}

// publishes reports whether an expression is a method of a store that publishes without the rules.
func publishes(method *ast.SelectorExpr) bool {
	name := ""
	field, isField := method.X.(*ast.SelectorExpr)
	if isField {
		name = field.Sel.Name
	} else if variable, ok := method.X.(*ast.Ident); ok {
		name = variable.Name
	}
	switch method.Sel.Name {
	case "EditDraft", "PublishDraft", "PublishDue":
		return !strings.EqualFold(name, "publishing") && (isField || name != "posts") // posts.EditDraft is a type
	case "Create", "Edit":
		return isField && slices.Contains([]string{"posts", "Posts", "comments", "Comments"}, name)
	}
	return false
}
