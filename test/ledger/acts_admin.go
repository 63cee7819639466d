package ledger

import (
	"plaza/data"
)

// judgement is a form of an administrator about a member.
func judgement(decision, before, after, refusedAgain string) func(w *World, name string) form {
	return func(w *World, name string) form {
		w.Member(name)
		if before != "active" {
			w.rita.MustPost("/admin/users", "user", name, "decision", "suspend", "rule", "Spam")
		}
		return form{by: copyOf(w.rita), path: "/admin/users", fields: fields("user", name, "decision", decision, "rule", "Spam"),
			there: w.rows("SELECT status FROM users WHERE username = ?1", name), was: before, want: after, refusedAgain: refusedAgain}
	}
}

var adminActs = []Act{
	{Name: "suspend", Route: "POST /admin/users", make: judgement("suspend", "active", "suspended", "")},
	{Name: "restore", Route: "POST /admin/users", make: judgement("restore", "suspended", "active", "nobody is suspended any more")},
	{Name: "settings of the site", Route: "POST /admin/settings", onePerRun: true, make: func(w *World, name string) form {
		return form{by: copyOf(w.rita), path: "/admin/settings", fields: fields("tagline", name), want: name,
			there: w.inDirectory("SELECT body ->> 'tagline' FROM site_settings WHERE body ->> 'tagline' = ?1", name)}
	}},
	{Name: "page of the site", Route: "POST /admin/pages/{page}", onePerRun: true, make: func(w *World, name string) form {
		return form{by: copyOf(w.rita), path: "/admin/pages/about", fields: fields("body", name, "revision", "0"), want: name + " 1",
			there: w.inDirectory("SELECT body, revision FROM site_pages WHERE name = 'about'")}
	}},
	{Name: "mark a message as answered", Route: "POST /admin/messages", make: func(w *World, name string) form {
		w.Visitor().MustPost("/contact", "name", "Eve", "body", name)
		id := w.One("SELECT id FROM contact_messages WHERE body = ?1", name).(int64)
		return w.row(w.rita, "/admin/messages", fields("id", data.ID(id).Text(), "action", "answered"),
			"contact_messages WHERE body = ?1 AND answered_at IS NOT NULL", name)
	}},
	{Name: "erase", Route: "POST /admin/erase", make: func(w *World, name string) form {
		id, n := w.post(w.ben, name)
		return form{by: copyOf(w.rita), path: "/admin/erase", fields: fields("target", id, "rule", "Personal data"), was: name + " words",
			want: "[erased]", there: w.rows(`SELECT iif(p.title = ?2, p.title || ' ' || t.text, '[erased]') FROM posts p
LEFT JOIN post_texts t ON t.post_id = p.id WHERE p.id = ?1`, n, name)}
	}},
	{Name: "block a picture", Route: "POST /admin/pictures", make: func(w *World, name string) form {
		return w.row(w.rita, "/admin/pictures", fields("picture", received(name).Sum), "picture_blocks WHERE sum = ?1", received(name).Sum)
	}},
	{Name: "allow a picture again", Route: "POST /admin/blocked-pictures", make: func(w *World, name string) form {
		w.rita.MustPost("/admin/pictures", "picture", received(name).Sum)
		id := w.One("SELECT id FROM picture_blocks WHERE sum = ?1", received(name).Sum).(int64)
		return w.noRow(w.rita, "/admin/blocked-pictures", fields("block", data.ID(id).Text()), "picture_blocks WHERE sum = ?1",
			received(name).Sum)
	}},
	{Name: "write a rule of the site", Route: "POST /admin/rule", make: func(w *World, name string) form {
		return w.ruleForm(w.rita, "/admin/rule", name)
	}},
	{Name: "add rules of the site", Route: "POST /admin/rules", make: func(w *World, name string) form {
		return form{by: copyOf(w.rita), path: "/admin/rules", fields: fields("do", "add", "text", "rule: "+name+"\nwords: "+name+"\ndo: hold"),
			there: w.rows("SELECT title FROM rules WHERE title = ?1", name), want: name}
	}},
	{Name: "approve a newcomer", Route: "POST /admin/waiting", make: func(w *World, name string) form {
		w.Member(name)
		w.Exec("UPDATE users SET waiting = '' WHERE username = ?1", name)
		return w.row(w.rita, "/admin/waiting", fields("newcomer", data.ID(w.userID(name)).Text(), "decision", "approve"),
			"users WHERE username = ?1 AND waiting IS NULL", name)
	}},
	{Name: "delete a dead letter", Route: "POST /admin/dead-letters", make: func(w *World, name string) form {
		id := w.Config.Source.NewID(0, data.KindOther)
		w.Exec("INSERT INTO dead_letters (id, queue, message_id, body, failed_at, last_at) VALUES (?1, 'plaza-votes', ?2, ?2, ?3, ?3)",
			int64(id),
			name, w.clock.read().UnixMilli())
		return w.noRow(w.rita, "/admin/dead-letters", fields("id", id.Text(), "action", "delete"), "dead_letters WHERE id = ?1", int64(id))
	}},
}

// LeftOut are the routes that have no act, each with the reason.
var LeftOut = map[string]string{
	"POST /display":                      "sets a cookie, and writes no database",
	"POST /preview":                      "writes nothing",
	"POST /title":                        "writes nothing",
	"POST /passkeys/challenge":           "writes nothing",
	"POST /view":                         "counts in Redis; with Redis go the views that are not counted yet",
	"POST /seen":                         "marks as read what was shown, without an answer that anybody reads; the next page marks it again",
	"POST /unsubscribe":                  "the same transaction as the choices of mails",
	"POST /login/code":                   "the second step of logging in: the same transaction as logging in",
	"POST /login/continue":               "the same transaction as logging in by a mailed link",
	"POST /auth/new":                     "the same transaction as signing up; e2e/auth has providers",
	"POST /prove/passkey":                "the same transaction as /prove",
	"POST /prove/code":                   "the same transaction as /prove",
	"POST /prove/link":                   "leaves a mail, as /login/link does",
	"POST /agree":                        "a member who has to agree can do nothing else meanwhile",
	"POST /settings/account/no-password": "the same transaction as a new password",
	"POST /settings/totp/codes":          "the codes are shown refusedAgain: who did not get the answer makes others",
	"POST /settings/providers":           "needs a provider; e2e/auth has them",
	"POST /settings/providers/remove":    "needs a provider; e2e/auth has them",
	"POST /settings/invites":             "only where people sign up by invitation, and the ledger signs people up",
	"POST /suspension":                   "the same transaction as an appeal against a decision",
	"POST /notice/{notice}":              "needs the link of a mail to somebody without an account; worker/moderation tests it",
	"POST /c/{community}/mod/quarantine": "needs a brigade; test/storetest/model_test.go decides about quarantines under faults",
	"POST /admin/quarantine":             "as /c/{community}/mod/quarantine",
	"POST /c/{community}/mod/pictures":   "the same transaction as /admin/blocked-pictures",
	"POST /admin/invites":                "decides about all below a member by the queue; worker/account/invite_test.go interrupts it",
	"POST /admin/claim":                  "needs an imported account; writes one row, as approving a newcomer does",
}
