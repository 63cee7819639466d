package ledger

import (
	"plaza/test/workertest"
)

// by is a form about something of which there is a row or none.
func (w *World) row(b *workertest.Browser, path string, list []string, from string, args ...any) form {
	return form{by: copyOf(b), path: path, fields: list, there: w.rows("SELECT 'there' FROM "+from, args...), want: "there"}
}

// noRow is a form that takes a row away.
func (w *World) noRow(b *workertest.Browser, path string, list []string, from string, args ...any) form {
	return form{by: copyOf(b), path: path, fields: list, there: w.rows("SELECT count(*) FROM "+from, args...), was: "1", want: "0"}
}

var keepingActs = []Act{
	{Name: "save", Route: "POST /save", make: func(w *World, name string) form {
		id, n := w.comment(w.ann, name)
		return w.row(w.ben, "/save", fields("target", id, "on", "1"), "saves WHERE target_id = ?1", n)
	}},
	{Name: "forget what was saved", Route: "POST /save", make: func(w *World, name string) form {
		id, n := w.post(w.ann, name)
		w.ben.MustPost("/save", "target", id, "on", "1")
		return w.noRow(w.ben, "/save", fields("target", id, "on", "0"), "saves WHERE target_id = ?1", n)
	}},
	{Name: "hide", Route: "POST /hide", make: func(w *World, name string) form {
		id, n := w.post(w.ann, name)
		return w.row(w.ben, "/hide", fields("target", id, "on", "1"), "hides WHERE post_id = ?1", n)
	}},
	{Name: "follow a thread", Route: "POST /watch", make: func(w *World, name string) form {
		id, n := w.post(w.ann, name)
		return w.row(w.ben, "/watch", fields("target", id, "watch", "follow"), "watches WHERE post_id = ?1 AND muted = 0 AND user_id = ?2", n,
			w.userID("ben"))
	}},
	{Name: "read the inbox", Route: "POST /inbox/read", make: func(w *World, name string) form {
		b := w.told(name)
		return w.noRow(b, "/inbox/read", fields("newest", newestOf(b)), "inbox WHERE unread = 1 AND user_id = ?1", w.userID(name))
	}},
	{Name: "undo that the inbox was read", Route: "POST /inbox/unread", make: func(w *World, name string) form {
		b := w.told(name)
		newest := newestOf(b)
		b.MustPost("/inbox/read", "newest", newest)
		return w.row(b, "/inbox/unread", fields("newest", newest), "inbox WHERE unread = 1 AND user_id = ?1", w.userID(name))
	}},
	{Name: "follow a member", Route: "POST /follow", make: func(w *World, name string) form {
		w.Member(name)
		return w.row(w.ben, "/follow", fields("user", name, "on", "1"), "follows WHERE followee_id = ?1", w.userID(name))
	}},
	{Name: "follow a member no more", Route: "POST /follow", make: func(w *World, name string) form {
		w.Member(name)
		w.ben.MustPost("/follow", "user", name, "on", "1")
		return w.noRow(w.ben, "/follow", fields("user", name, "on", "0"), "follows WHERE followee_id = ?1", w.userID(name))
	}},
	{Name: "block a member", Route: "POST /block", make: func(w *World, name string) form {
		w.Member(name)
		f := w.row(w.ben, "/block", fields("user", name, "on", "1"), "")
		f.there = w.inDirectory("SELECT 'there' FROM blocks WHERE blocked_id = ?1", w.userID(name))
		return f
	}},
	{Name: "block a member no more", Route: "POST /block", make: func(w *World, name string) form {
		w.Member(name)
		w.ben.MustPost("/block", "user", name, "on", "1")
		f := w.noRow(w.ben, "/block", fields("user", name, "on", "0"), "")
		f.there = w.inDirectory("SELECT count(*) FROM blocks WHERE blocked_id = ?1", w.userID(name))
		return f
	}},
	{Name: "follow a tag", Route: "POST /tags/follow", make: func(w *World, name string) form {
		w.post(w.ann, "With a tag "+name, "tags", "wasm")
		b := w.Member(name)
		return w.row(b, "/tags/follow", fields("tag", "wasm", "on", "1"), "tag_follows WHERE user_id = ?1", w.userID(name))
	}},
	{Name: "join a community", Route: "POST /subscribe", make: func(w *World, name string) form {
		b := w.Member(name)
		return w.row(b, "/subscribe", fields("community", w.place, "on", "1"), "subscriptions WHERE user_id = ?1", w.userID(name))
	}},
	{Name: "leave a community", Route: "POST /subscribe", make: func(w *World, name string) form {
		b := w.Member(name)
		b.MustPost("/subscribe", "community", w.place, "on", "1")
		return w.noRow(b, "/subscribe", fields("community", w.place, "on", "0"), "subscriptions WHERE user_id = ?1", w.userID(name))
	}},
	{Name: "join what is proposed", Route: "POST /welcome", make: func(w *World, name string) form {
		b := w.Member(name)
		return w.row(b, "/welcome", fields("community", w.place), "subscriptions WHERE user_id = ?1", w.userID(name))
	}},
}

// told is a member whose inbox has something unread.
func (w *World) told(name string) *workertest.Browser {
	w.Helper()
	b := w.Member(name)
	w.comment(w.ann, "@"+name)
	w.settle()
	return b
}
