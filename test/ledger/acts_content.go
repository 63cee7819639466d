package ledger

import (
	"fmt"
	"hash/fnv"
	"time"

	"plaza/test/workertest"
	"plaza/worker/pictures"
)

// published reads a post with a title: how it stands, and the sum of its votes.
func (w *World) published(title string) func() []string {
	return w.rows(`SELECT p.status, (SELECT sum(v.value) FROM votes v WHERE v.target_id = p.id) FROM posts p WHERE p.title = ?1`, title)
}

const isPublished = "published 1" // with its author's vote

// submit is a form that makes a post.
func (w *World) submit(title string, more ...string) form {
	return form{by: copyOf(w.ben), path: "/c/" + w.place + "/submit", fields: append(fields("title", title), more...),
		there: w.published(title),
		want:  isPublished}
}

// received is a picture as the edge passes it on.
func received(name string) pictures.Received {
	h := fnv.New32()
	_, _ = h.Write([]byte(name))
	return pictures.Received{Field: "picture", Name: "a.webp", Type: "image/webp", Width: 800, Height: 600, Frames: 1, Bytes: 2000,
		Sum: workertest.Sum(int(h.Sum32())), Small: true}
}

var contentActs = []Act{
	{Name: "post a text", Route: "POST /c/{community}/submit", make: func(w *World, name string) form {
		return w.submit(name, "text", "words", "tags", "tag1 tag2")
	}},
	{Name: "post a text from the front page", Route: "POST /submit", make: func(w *World, name string) form {
		f := w.submit(name, "text", "words", "community", w.place)
		f.path = "/submit"
		return f
	}},
	{Name: "post a link", Route: "POST /c/{community}/submit", make: func(w *World, name string) form {
		return w.submit(name, "link", "https://10.0.0.1/"+name)
	}},
	{Name: "post a picture", Route: "POST /c/{community}/submit", make: func(w *World, name string) form {
		p := received(name)
		b := copyOf(w.ann)
		(&form{by: b, path: "/pictures", pictures: []pictures.Received{p}}).send(tokenOf(name))
		f := w.submit(name, "picture-1", p.Sum, "alt-1", "A rose")
		f.by = b
		f.there = w.rows("SELECT status, pictures ->> '$[0].sum' FROM posts WHERE title = ?1", name)
		f.want = "published " + p.Sum
		return f
	}},
	{Name: "crosspost", Route: "POST /c/{community}/submit", make: func(w *World, name string) form {
		original, _ := w.post(w.ann, "Original "+name)
		return w.submit(name, "crosspost", original)
	}},
	{Name: "post on the profile", Route: "POST /post", make: func(w *World, name string) form {
		return form{by: w.Member(name), path: "/post", fields: fields("text", name), there: w.published(name), want: isPublished}
	}},
	{Name: "upload a picture", skippedWhenLate: true, Route: "POST /pictures", make: func(w *World, name string) form {
		p := received(name)
		return form{by: copyOf(w.ann), path: "/pictures", pictures: []pictures.Received{p},
			there: w.rows("SELECT state FROM pictures WHERE sum = ?1 AND state = 'kept'", p.Sum), want: "kept"}
	}},
	{Name: "keep a draft", Route: "POST /c/{community}/submit", make: func(w *World, name string) form {
		f := w.submit(name, "text", "words", "status", "draft")
		f.there, f.want = w.rows("SELECT status FROM posts WHERE title = ?1", name), "draft"
		return f
	}},
	{Name: "keep a draft by itself", Route: "POST /drafts", make: func(w *World, name string) form {
		return form{by: copyOf(w.ben), path: "/drafts", fields: fields("community", w.place, "title", name, "text", "words"),
			there: w.rows("SELECT status FROM posts WHERE title = ?1", name), want: "draft"}
	}},
	{Name: "schedule a post", skippedWhenLate: true, Route: "POST /c/{community}/submit", make: func(w *World, name string) form {
		return w.submit(name, "text", "words", "status", "scheduled", "publish_at",
			w.clock.read().Add(scheduledIn).UTC().Format("2006-01-02T15:04"))
	}},
	{Name: "edit a draft", Route: "POST /draft", make: func(w *World, name string) form {
		id, n := w.post(w.ben, "Before "+name, "status", "draft")
		return form{by: copyOf(w.ben), path: "/draft", fields: fields("target", id, "title", name, "text", "changed", "revision", "0"),
			there: w.rows("SELECT title FROM posts WHERE id = ?1", n), was: "Before " + name, want: name}
	}},
	{Name: "publish a draft", Route: "POST /publish", make: func(w *World, name string) form {
		id, _ := w.post(w.ben, name, "status", "draft")
		return form{by: copyOf(w.ben), path: "/publish", fields: fields("target", id), there: w.published(name), was: "draft <nil>",
			want: isPublished}
	}},
	{Name: "publish a draft with changes", Route: "POST /publish", make: func(w *World, name string) form {
		id, _ := w.post(w.ben, "Before "+name, "status", "draft")
		return form{by: copyOf(w.ben), path: "/publish", fields: fields("target", id, "title", name, "text", "changed", "revision", "0"),
			there: w.published(name), want: isPublished}
	}},
	{Name: "edit a post", Route: "POST /edit", make: func(w *World, name string) form {
		id, n := w.post(w.ben, "Title of "+name)
		return form{by: copyOf(w.ben), path: "/edit", fields: fields("target", id, "text", name, "revision", "0"),
			there: w.rows("SELECT text FROM post_texts WHERE post_id = ?1", n), was: "words", want: name}
	}},
	{Name: "delete a post", Route: "POST /delete", make: func(w *World, name string) form {
		id, n := w.post(w.ben, name)
		return form{by: copyOf(w.ben), path: "/delete", fields: fields("target", id), there: w.rows("SELECT status FROM posts WHERE id = ?1", n),
			was: "published", want: "deleted"}
	}},
	{Name: "comment", Route: "POST /comment", make: func(w *World, name string) form {
		post, _ := w.post(w.ann, "About "+name)
		return form{by: copyOf(w.ben), path: "/comment", fields: fields("post", post, "body", name), there: w.commented(name), want: "0 1"}
	}},
	{Name: "reply", Route: "POST /comment", make: func(w *World, name string) form {
		parent, n := w.comment(w.ann, "Above "+name)
		return form{by: copyOf(w.ben), path: "/comment", fields: fields("parent", parent, "body", name), there: w.commented(name),
			want: fmt.Sprint(n, " 1")}
	}},
	{Name: "edit a comment", Route: "POST /edit", make: func(w *World, name string) form {
		id, n := w.comment(w.ben, "Before "+name)
		return form{by: copyOf(w.ben), path: "/edit", fields: fields("target", id, "body", name, "revision", "0"),
			there: w.rows("SELECT body FROM comments WHERE id = ?1", n), was: "Before " + name, want: name}
	}},
	{Name: "delete a comment", Route: "POST /delete", make: func(w *World, name string) form {
		id, n := w.comment(w.ben, name)
		return form{by: copyOf(w.ben), path: "/delete", fields: fields("target", id), there: w.rows("SELECT status FROM comments WHERE id = ?1",
			n),
			was: "published", want: "deleted"}
	}},
	{Name: "vote on a post", Route: "POST /vote", make: func(w *World, name string) form {
		id, n := w.post(w.ann, name)
		return w.vote(id, n, "1", "")
	}},
	{Name: "vote on a comment", Route: "POST /vote", make: func(w *World, name string) form {
		id, n := w.comment(w.ann, name)
		return w.vote(id, n, "-1", "")
	}},
	{Name: "change a vote", Route: "POST /vote", make: func(w *World, name string) form {
		id, n := w.post(w.ann, name)
		w.ben.MustPost("/vote", "target", id, "value", "1")
		return w.vote(id, n, "-1", "1")
	}},
	{Name: "take a vote back", Route: "POST /vote", make: func(w *World, name string) form {
		id, n := w.comment(w.ann, name)
		w.ben.MustPost("/vote", "target", id, "value", "1")
		return w.vote(id, n, "0", "1")
	}},
}

// scheduledIn is when a scheduled post is due. It is within the time that passes when a fault is over.
const scheduledIn = 40 * time.Minute

func (w *World) commented(body string) func() []string {
	return w.rows(`SELECT c.parent_id, (SELECT sum(v.value) FROM votes v WHERE v.target_id = c.id) FROM comments c WHERE c.body = ?1`, body)
}

// vote is ben's.
func (w *World) vote(target string, id int64, value, was string) form {
	return form{by: copyOf(w.ben), path: "/vote", fields: fields("target", target, "value", value), was: was, want: value,
		there: w.rows("SELECT value FROM votes WHERE target_id = ?1 AND user_id = ?2", id, w.userID("ben"))}
}
