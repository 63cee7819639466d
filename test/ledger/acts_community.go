package ledger

import (
	"fmt"
	"regexp"

	"github.com/stretchr/testify/require"

	"plaza/data"
	"plaza/test/workertest"
)

var newestInInbox = regexp.MustCompile(`name="newest" value="([0-9a-z]+)"`)

// newestOf is the place up to which a member has seen the inbox.
func newestOf(b *workertest.Browser) string {
	b.Helper()
	m := newestInInbox.FindStringSubmatch(b.Page("/inbox"))
	require.NotNil(b, m)
	return m[1]
}

// page is a page that moderators wrote, in a community of its own.
func (w *World) page(name string) (form string) {
	w.Helper()
	w.community(name)
	form = "/c/" + name + "/mod/page"
	w.ann.MustPost(form, "title", "Guide", "text", "words")
	return form
}

var communityActs = []Act{
	{Name: "found a community", Route: "POST /communities", make: func(w *World, name string) form {
		return form{by: copyOf(w.ann), path: "/communities", fields: fields("name", name, "title", "About"), want: "About 1 1",
			there: w.inDirectory(`SELECT title, members, (SELECT count(*) FROM moderators m WHERE m.community_id = k.id) FROM communities k
WHERE name = ?1`, name)}
	}},
	{Name: "settings of a community", Route: "POST /c/{community}/settings", make: func(w *World, name string) form {
		id := w.community(name)
		return form{by: copyOf(w.ann), path: "/c/" + name + "/settings", fields: fields("title", "Changed", "colour", "#b3261e", "revision", "0"),
			there: w.inDirectory("SELECT colour FROM communities WHERE id = ?1 AND colour = '#b3261e'", id), want: "#b3261e"}
	}},
	{Name: "flair of posts", Route: "POST /c/{community}/mod/flair", make: func(w *World, name string) form {
		id := w.community(name)
		path := "/c/" + name + "/mod/flair"
		return form{by: copyOf(w.ann), path: path, fields: fields("revision", workertest.RevisionIn(w.T, w.ann.Page(path)), "flair-1-text",
			"News", "flair-1-colour", "blue"), there: w.rows("SELECT text FROM flairs WHERE community_id = ?1", id), want: "News"}
	}},
	{Name: "give a post flair", Route: "POST /c/{community}/mod/give-flair", make: func(w *World, name string) form {
		flair := w.flair(name, "posts")
		id := w.must(w.ann, "/c/"+name+"/submit", "title", name, "text", "words")
		return form{by: copyOf(w.ann), path: "/c/" + name + "/mod/give-flair", fields: fields("target", id, "flair", flair.Text()),
			there: w.rows("SELECT flair_id FROM posts WHERE title = ?1", name), was: "<nil>", want: fmt.Sprint(int64(flair))}
	}},
	{Name: "choose flair", Route: "POST /c/{community}/flair", make: func(w *World, name string) form {
		flair := w.flair(name, "members")
		return form{by: copyOf(w.ben), path: "/c/" + name + "/flair", fields: fields("flair", flair.Text()),
			there: w.rows("SELECT flair_id FROM member_flairs WHERE community_id = ?1", w.communityID(name)), want: fmt.Sprint(int64(flair))}
	}},
	{Name: "give a member flair", Route: "POST /c/{community}/mod/user-flair", make: func(w *World, name string) form {
		flair := w.flair(name, "members")
		w.ben.MustPost("/subscribe", "community", name, "on", "1")
		return form{by: copyOf(w.ann), path: "/c/" + name + "/mod/user-flair", fields: fields("user", data.ID(w.userID("ben")).Text(), "flair",
			flair.Text(), "fixed", "1"), want: fmt.Sprint(int64(flair), " 1"),
			there: w.rows("SELECT flair_id, fixed FROM member_flairs WHERE community_id = ?1", w.communityID(name))}
	}},
	{Name: "write a page", Route: "POST /c/{community}/mod/page", make: func(w *World, name string) form {
		id := w.community(name)
		return form{by: copyOf(w.ann), path: "/c/" + name + "/mod/page", fields: fields("title", "Guide", "text", name),
			there: w.rows("SELECT text FROM wiki_pages WHERE community_id = ?1", id), want: name}
	}},
	{Name: "edit a page", Route: "POST /c/{community}/mod/page", make: func(w *World, name string) form {
		path := w.page(name)
		return form{by: copyOf(w.ann), path: path, fields: fields("page", "guide", "revision", "1", "title", "Guide", "text", name),
			there: w.rows("SELECT text, revision FROM wiki_pages WHERE community_id = ?1", w.communityID(name)), was: "words 1", want: name + " 2"}
	}},
	{Name: "delete a page", Route: "POST /c/{community}/mod/page/delete", make: func(w *World, name string) form {
		path := w.page(name)
		return form{by: copyOf(w.ann), path: path + "/delete", fields: fields("page", "guide"), was: "1", want: "0",
			there: w.rows("SELECT count(*) FROM wiki_pages WHERE community_id = ?1 AND deleted_at IS NULL", w.communityID(name))}
	}},
	{Name: "restore a page", Route: "POST /c/{community}/mod/page/restore", make: func(w *World, name string) form {
		path := w.page(name)
		w.ann.MustPost(path+"/delete", "page", "guide")
		return form{by: copyOf(w.ann), path: path + "/restore", fields: fields("page", "guide", "number", "1", "revision", "1"), want: "there",
			there: w.rows("SELECT 'there' FROM wiki_pages WHERE community_id = ?1 AND deleted_at IS NULL", w.communityID(name))}
	}},
	{Name: "invite a moderator", Route: "POST /c/{community}/moderators", make: func(w *World, name string) form {
		id := w.community(name)
		w.Member(name)
		return form{by: copyOf(w.ann), path: "/c/" + name + "/moderators", fields: fields("do", "invite", "user", name, "role", "approver"),
			there: w.rows("SELECT role FROM moderator_invitations WHERE community_id = ?1", id), want: "approver"}
	}},
	{Name: "become a moderator", Route: "POST /c/{community}/moderators/own", make: func(w *World, name string) form {
		id := w.community(name)
		w.ann.MustPost("/c/"+name+"/moderators", "do", "invite", "user", "ben", "role", "approver")
		return form{by: copyOf(w.ben), path: "/c/" + name + "/moderators/own", fields: fields("do", "accept", "role", "approver"),
			there: w.rows("SELECT role FROM moderators WHERE community_id = ?1 AND username = 'ben'", id), want: "approver"}
	}},
}

// flair is one of posts or members in a community of its own.
func (w *World) flair(name, of string) data.ID {
	w.Helper()
	id := w.community(name)
	path := "/c/" + name + "/mod/flair"
	list := fields("flair-1-text", "News", "flair-1-colour", "blue")
	if of == "members" {
		list = append(list, "of", "members", "choose", "own")
	}
	w.ann.MustPost(path, append(list, "revision", workertest.RevisionIn(w.T, w.ann.Page(path)))...)
	return data.ID(w.One("SELECT id FROM flairs WHERE community_id = ?1", id).(int64))
}
