package ledger

import (
	"fmt"
	"regexp"
	"time"

	"github.com/stretchr/testify/require"

	"plaza/data"
	"plaza/test/workertest"
)

// decision is a form of a moderator about a post of ben's. Its entry in the log is there once.
func decision(what string, more ...string) func(w *World, name string) form {
	return func(w *World, name string) form {
		id, n := w.post(w.ben, name)
		return form{by: copyOf(w.ann), path: "/c/" + w.place + "/mod/decide", fields: append(fields("target", id, "decision", what), more...),
			there: w.rows("SELECT action FROM moderation_log WHERE target_id = ?1", n), want: what}
	}
}

// ban is a form about a member in a community.
func ban(kind string) func(w *World, name string) form {
	return func(w *World, name string) form {
		w.Member(name)
		return form{by: copyOf(w.ann), path: "/c/" + w.place + "/mod/bans", fields: fields("user", name, "decision", kind, "rule", "Spam"),
			there: w.rows("SELECT kind, (SELECT count(*) FROM moderation_log l WHERE l.target_id = b.user_id) FROM bans b WHERE b.user_id = ?1",
				w.userID(name)), want: kind + " 1"}
	}
}

// conversation is one that ben has begun with the moderators.
func (w *World) conversation(name string) (path string, id int64) {
	w.Helper()
	path = w.ben.MustPost("/messages", "community", w.place, "title", name, "text", "A question")
	return path, w.One("SELECT id FROM conversations WHERE subject = ?1", name).(int64)
}

// removed is the decision about a post of ben's.
func (w *World) removed(name string) (path string, id int64) {
	w.Helper()
	post, n := w.post(w.ben, name)
	w.ann.MustPost("/c/"+w.place+"/mod/decide", "target", post, "decision", "remove", "rule", "Spam")
	id = w.One("SELECT id FROM moderation_log WHERE target_id = ?1", n).(int64)
	return "/decisions/" + data.ID(id).Text(), id
}

// reported is a post that waits in the queue.
func (w *World) reported(name string) (text string, id int64) {
	w.Helper()
	text, id = w.post(w.ben, name)
	w.rita.MustPost("/report", "target", text, "reason", "Spam")
	return text, id
}

var hiddenRule = regexp.MustCompile(`name="rule" value="([^"]*)"`)

// ruleForm is a form for a new automatic rule.
func (w *World) ruleForm(b *workertest.Browser, path, name string) form {
	w.Helper()
	m := hiddenRule.FindStringSubmatch(b.Page(path))
	require.NotNil(w, m)
	return form{by: copyOf(b), path: path, fields: fields("rule", m[1], "then", "save", "title", name, "words", name, "do", "hold"),
		there: w.rows("SELECT title FROM rules WHERE title = ?1", name), want: name}
}

var moderationActs = []Act{
	{Name: "report a post", Route: "POST /report", make: func(w *World, name string) form {
		id, n := w.post(w.ann, name)
		return form{by: copyOf(w.ben), path: "/report", fields: fields("target", id, "reason", "Spam", "text", name),
			there: w.rows("SELECT text FROM reports WHERE target_id = ?1", n), want: name}
	}},
	{Name: "report a member", Route: "POST /report", make: func(w *World, name string) form {
		w.Member(name)
		return form{by: copyOf(w.ben), path: "/report", fields: fields("user", name, "reason", "Name or profile", "text", name),
			there: w.rows("SELECT text FROM reports WHERE target_id = ?1", w.userID(name)), want: name}
	}},
	{Name: "remove a post", Route: "POST /c/{community}/mod/decide", make: decision("remove", "rule", "Spam")},
	{Name: "lock a post", Route: "POST /c/{community}/mod/decide", make: decision("lock")},
	{Name: "approve a post", Route: "POST /c/{community}/mod/decide", make: func(w *World, name string) form {
		id, n := w.post(w.ben, name)
		w.ann.MustPost("/c/"+w.place+"/mod/decide", "target", id, "decision", "remove", "rule", "Spam")
		return form{by: copyOf(w.ann), path: "/c/" + w.place + "/mod/decide", fields: fields("target", id, "decision", "approve"),
			there: w.rows("SELECT count(*) FROM moderation_log WHERE target_id = ?1", n), was: "1", want: "2"}
	}},
	{Name: "decide in the queue", Route: "POST /c/{community}/mod/queue", make: func(w *World, name string) form {
		id, n := w.reported(name)
		return form{by: copyOf(w.ann), path: "/c/" + w.place + "/mod/queue", fields: fields("target", id, "decision", "ignore"),
			there: w.rows("SELECT decision FROM queue_items WHERE target_id = ?1 AND status = 'decided'", n), want: "ignore"}
	}},
	{Name: "decide in all queues", Route: "POST /mod/queue", make: func(w *World, name string) form {
		id, n := w.reported(name)
		return form{by: copyOf(w.ann), path: "/mod/queue", fields: fields("target", id, "decision", "remove", "rule", "Spam"),
			there: w.rows("SELECT action FROM moderation_log WHERE target_id = ?1", n), want: "remove"}
	}},
	{Name: "change a title", Route: "POST /c/{community}/mod/title", make: func(w *World, name string) form {
		id, n := w.post(w.ben, "Before "+name)
		return form{by: copyOf(w.ann), path: "/c/" + w.place + "/mod/title", fields: fields("target", id, "title", name),
			there: w.rows("SELECT title FROM posts WHERE id = ?1", n), was: "Before " + name, want: name}
	}},
	{Name: "ban", Route: "POST /c/{community}/mod/bans", make: ban("ban")},
	{Name: "mute", Route: "POST /c/{community}/mod/bans", make: ban("mute")},
	{Name: "lift a ban", Route: "POST /c/{community}/mod/bans", make: func(w *World, name string) form {
		w.Member(name)
		w.ann.MustPost("/c/"+w.place+"/mod/bans", "user", name, "decision", "ban", "rule", "Spam")
		f := w.noRow(w.ann, "/c/"+w.place+"/mod/bans", fields("user", name, "decision", "lift"), "bans WHERE user_id = ?1", w.userID(name))
		f.refusedAgain = "nobody is banned any more"
		return f
	}},
	{Name: "ban several", Route: "POST /c/{community}/mod/authors", make: func(w *World, name string) form {
		w.Member(name)
		return w.row(w.ann, "/c/"+w.place+"/mod/authors", fields("member", data.ID(w.userID(name)).Text(), "decision", "ban", "rule", "Spam"),
			"bans WHERE user_id = ?1", w.userID(name))
	}},
	{Name: "note about a member", Route: "POST /c/{community}/mod/member", make: func(w *World, name string) form {
		w.Member(name)
		return form{by: copyOf(w.ann), path: "/c/" + w.place + "/mod/member", fields: fields("user", data.ID(w.userID(name)).Text(), "text", name,
			"do", "add"), there: w.rows("SELECT body FROM member_notes WHERE user_id = ?1", w.userID(name)), want: name}
	}},
	{Name: "write an automatic rule", Route: "POST /c/{community}/mod/rule", make: func(w *World, name string) form {
		return w.ruleForm(w.ann, "/c/"+w.place+"/mod/rule", name)
	}},
	{Name: "add automatic rules", Route: "POST /c/{community}/mod/rules", make: func(w *World, name string) form {
		return form{by: copyOf(w.ann), path: "/c/" + w.place + "/mod/rules", fields: fields("do", "add", "text", "rule: "+name+"\nwords: "+name+
			"\ndo: hold"), there: w.rows("SELECT title FROM rules WHERE title = ?1", name), want: name}
	}},
	{Name: "write to the moderators", Route: "POST /messages", make: func(w *World, name string) form {
		return form{by: w.Member(name), path: "/messages", fields: fields("community", w.place, "title", name, "text", "A question"),
			want: name + " 1",
			there: w.rows(`SELECT subject, (SELECT count(*) FROM conversation_messages m WHERE m.conversation_id = c.id) FROM conversations c
WHERE subject = ?1`, name)}
	}},
	{Name: "answer a message", Route: "POST /messages/{conversation}", make: func(w *World, name string) form {
		path, id := w.conversation(name)
		return form{by: copyOf(w.ann), path: path, fields: fields("text", name), want: name,
			there: w.rows("SELECT body FROM conversation_messages WHERE conversation_id = ?1 AND side = 'moderators'", id)}
	}},
	{Name: "close a conversation", Route: "POST /messages/{conversation}", make: func(w *World, name string) form {
		path, id := w.conversation(name)
		return form{by: copyOf(w.ann), path: path, fields: fields("do", "close"), was: "open", want: "closed",
			there: w.rows("SELECT status FROM conversations WHERE id = ?1", id)}
	}},
	{Name: "appeal", Route: "POST /decisions/{decision}", make: func(w *World, name string) form {
		path, id := w.removed(name)
		return form{by: copyOf(w.ben), path: path, fields: fields("text", name), want: "1",
			there: w.rows("SELECT (SELECT count(*) FROM conversation_messages m WHERE m.conversation_id = c.id) FROM conversations c "+
				"WHERE decision_id = ?1", id)}
	}},
	{Name: "decide about an appeal", Route: "POST /messages/{conversation}/verdict", make: func(w *World, name string) form {
		path, id := w.removed(name)
		appeal := w.ben.MustPost(path, "text", "It breaks no rule.")
		return form{by: copyOf(w.rita), path: appeal + "/verdict", fields: fields("verdict", "overturned"), was: "", want: "overturned",
			refusedAgain: "somebody has decided",
			there:        w.rows("SELECT verdict FROM conversations WHERE decision_id = ?1 AND verdict <> ''", id)}
	}},
	{Name: "send a notice", Route: "POST /notice", make: func(w *World, name string) form {
		_, n := w.post(w.ben, name)
		slug := w.One("SELECT slug FROM posts WHERE id = ?1", n)
		began, found := w.clock.read(), w.rows("SELECT status FROM notices WHERE email = ?1", name+"@example.org")
		there := func() []string {
			list := found()
			if len(list) == 0 && w.clock.read().Sub(began) > 48*time.Hour { // nobody has confirmed it until then, so it is deleted
				return []string{"unconfirmed"}
			}
			return list
		}
		return form{by: w.Visitor(), path: "/notice", fields: fields("url", fmt.Sprintf("https://plaza.example/c/%s/p/%s", w.place, slug), "kind",
			"rights", "text", "It is a copy of my book.", "name", "Eve", "email", name+"@example.org", "faith", "1"),
			there: there, want: "unconfirmed"}
	}},
}
