package ledger

import (
	"regexp"
	"strings"

	"plaza/data"
	"plaza/test/workertest"
)

var (
	newestInInbox = regexp.MustCompile(`name="newest" value="([0-9a-z]+)"`)
	hiddenRule    = regexp.MustCompile(`name="rule" value="([^"]*)"`)
)

// mentioned gives the member an unread entry in the inbox.
func mentioned(w *FaultySite, f *form) {
	comment(ann, "@{name}")(w, f)
	w.drain()
	f.values["newest"] = f.find("/inbox", newestInInbox)
}

// community is a community of its own, by ann.
func community(w *FaultySite, f *form) {
	f.values["community"] = f.values["name"]
	f.setID("k id", "k", w.community(f.values["name"]))
}

// revision takes the revision of the form at an address.
func revision(path string) step {
	return func(w *FaultySite, f *form) {
		f.values["revision"] = workertest.RevisionIn(w.T, w.ann.Page(f.fill(path)))
	}
}

const flairPage = "/c/{community}/mod/flair"

// flair is one of posts, or with more fields of members, in a community of its own.
func flair(more string) step {
	return func(w *FaultySite, f *form) {
		community(w, f)
		revision(flairPage)(w, f)
		first(ann, flairPage, "flair-1-text=News&flair-1-colour=blue&revision={revision}"+more)(w, f)
		f.setID("flair", "flair number", w.One(f.fill("SELECT id FROM flairs WHERE community_id = {k}")).(int64))
	}
}

const ofMembers = "&of=members&choose=own"

// page is a page that moderators wrote, in a community of its own.
var page = first(ann, "/c/{community}/mod/page", "title=Guide&text=words")

// rule takes the form of a new automatic rule.
func rule(_ *FaultySite, f *form) { f.values["rule"] = f.find(f.fill(f.path), hiddenRule) }

const (
	ruleFields = "rule={rule}&then=save&title={name}&words={name}&do=hold"
	ruleText   = "do=add&text=rule: {name}\nwords: {name}\ndo: hold"
	ruleTitle  = "SELECT title FROM rules WHERE title = '{name}'"

	logged    = "SELECT action FROM moderation_log WHERE target_id = {n}"
	bannedOne = `SELECT kind, (SELECT count(*) FROM moderation_log l WHERE l.target_id = b.user_id) FROM bans b WHERE b.user_id = {user}`
	decideOn  = "/c/{community}/mod/decide"
)

var remove = first(ann, decideOn, "target={id}&decision=remove&rule=Spam")

// conversation is one that ben has begun with the moderators.
func conversation(w *FaultySite, f *form) {
	path := w.ben.MustPost("/messages", "community", w.place, "title", f.values["name"], "text", "A question")
	f.values["conversation"] = strings.TrimPrefix(path, "/messages/")
}

// removed is the decision about a post of ben's.
func removed(w *FaultySite, f *form) {
	post(ben, "{name}")(w, f)
	remove(w, f)
	idOf("SELECT id FROM moderation_log WHERE target_id = {n}")(w, f)
	f.values["decision"] = f.values["id"]
}

var report = first(rita, "/report", "target={id}&reason=Spam")

// legalNotice sends the address of a post of ben's. Nobody confirms it, so it is deleted after two days.
func legalNotice(w *FaultySite, f *form) {
	post(ben, "{name}")(w, f)
	f.values["slug"] = w.One(f.fill("SELECT slug FROM posts WHERE id = {n}")).(string)
	began, found := w.clock.read(), w.rows(f.fill("SELECT status FROM legal_notices WHERE email = '{name}@example.org'"))
	f.there = func() []string {
		list := found()
		if len(list) == 0 && w.clock.read().Sub(began).Hours() > 48 {
			return []string{"unconfirmed"}
		}
		return list
	}
}

// deadLetter is a message that was given up.
func deadLetter(w *FaultySite, f *form) {
	id := w.Config.Source.NewID(0, data.KindOther)
	f.setID("id", "n", int64(id))
	w.Exec("INSERT INTO dead_letters (id, queue, message_id, body, failed_at, last_at) VALUES (?1, 'plaza-votes', ?2, ?2, ?3, ?3)",
		int64(id), f.values["name"], w.clock.read().UnixMilli())
}

var communityActs = []Act{
	act("found a community", "POST /communities", ann, "name={name}&title=About", nil, inDirectory+`SELECT title, members,
  (SELECT count(*) FROM moderators m WHERE m.community_id = k.id) FROM communities k WHERE name = '{name}'`, "About 1 1"),
	act("settings of a community", "POST /c/{community}/settings", ann, "title=Changed&colour=#b3261e&revision=0", steps{community},
		inDirectory+"SELECT colour FROM communities WHERE id = {k} AND colour = '#b3261e'", "#b3261e"),
	act("flair of posts", "POST "+flairPage, ann, "revision={revision}&flair-1-text=News&flair-1-colour=blue",
		steps{community, revision(flairPage)}, "SELECT text FROM flairs WHERE community_id = {k}", "News"),
	act("give a post flair", "POST /c/{community}/mod/give-flair", ann, "target={id}&flair={flair}", steps{flair(""),
		func(w *FaultySite, f *form) {
			f.values["id"] = w.must(w.ann, f.fill("/c/{name}/submit"), "title", f.values["name"], "text", "words")
		}},
		"SELECT flair_id FROM posts WHERE title = '{name}'", "<nil> -> {flair number}"),
	act("choose flair", "POST /c/{community}/flair", ben, "flair={flair}", steps{flair(ofMembers)},
		"SELECT flair_id FROM member_flairs WHERE community_id = {k}", "{flair number}"),
	act("give a member flair", "POST /c/{community}/mod/user-flair", ann, "user={ben id}&flair={flair}&fixed=1",
		steps{flair(ofMembers), first(ben, "/subscribe", "community={name}&on=1")},
		"SELECT flair_id, fixed FROM member_flairs WHERE community_id = {k}", "{flair number} 1"),
	act("write a page", "POST /c/{community}/mod/page", ann, "title=Guide&text={name}", steps{community},
		"SELECT text FROM wiki_pages WHERE community_id = {k}", "{name}"),
	act("edit a page", "POST /c/{community}/mod/page", ann, "page=guide&revision=1&title=Guide&text={name}", steps{community, page},
		"SELECT text, revision FROM wiki_pages WHERE community_id = {k}", "words 1 -> {name} 2"),
	act("delete a page", "POST /c/{community}/mod/page/delete", ann, "page=guide", steps{community, page},
		"SELECT count(*) FROM wiki_pages WHERE community_id = {k} AND deleted_at IS NULL", "1 -> 0"),
	act("restore a page", "POST /c/{community}/mod/page/restore", ann, "page=guide&number=1&revision=1",
		steps{community, page, first(ann, "/c/{community}/mod/page/delete", "page=guide")},
		"SELECT 'there' FROM wiki_pages WHERE community_id = {k} AND deleted_at IS NULL", "there"),
	act("invite a moderator", "POST /c/{community}/moderators", ann, "do=invite&user={name}&role=approver", steps{community, member},
		"SELECT role FROM moderator_invitations WHERE community_id = {k}", "approver"),
	act("become a moderator", "POST /c/{community}/moderators/own", ben, "do=accept&role=approver",
		steps{community, first(ann, "/c/{community}/moderators", "do=invite&user=ben&role=approver")},
		"SELECT role FROM moderators WHERE community_id = {k} AND username = 'ben'", "approver"),

	act("report a post", "POST /report", ben, "target={id}&reason=Spam&text={name}", steps{post(ann, "{name}")},
		"SELECT text FROM reports WHERE target_id = {n}", "{name}"),
	act("report a member", "POST /report", ben, "user={name}&reason=Name or profile&text={name}", steps{member},
		"SELECT text FROM reports WHERE target_id = {user}", "{name}"),
	act("remove a post", "POST "+decideOn, ann, "target={id}&decision=remove&rule=Spam", steps{post(ben, "{name}")}, logged, "remove"),
	act("lock a post", "POST "+decideOn, ann, "target={id}&decision=lock", steps{post(ben, "{name}")}, logged, "lock"),
	act("approve a post", "POST "+decideOn, ann, "target={id}&decision=approve", steps{post(ben, "{name}"), remove},
		"SELECT count(*) FROM moderation_log WHERE target_id = {n}", "1 -> 2"),
	act("decide in the queue", "POST /c/{community}/mod/queue", ann, "target={id}&decision=ignore", steps{post(ben, "{name}"), report},
		"SELECT decision FROM queue_items WHERE target_id = {n} AND status = 'decided'", "ignore"),
	act("decide in all queues", "POST /mod/queue", ann, "target={id}&decision=remove&rule=Spam", steps{post(ben, "{name}"), report},
		logged, "remove"),
	act("change a title", "POST /c/{community}/mod/title", ann, "target={id}&title={name}", steps{post(ben, "Before {name}")},
		"SELECT title FROM posts WHERE id = {n}", "Before {name} -> {name}"),
	act("ban", "POST /c/{community}/mod/bans", ann, "user={name}&decision=ban&rule=Spam&clear=1", steps{member}, bannedOne, "ban 1"),
	act("mute", "POST /c/{community}/mod/bans", ann, "user={name}&decision=mute&rule=Spam", steps{member}, bannedOne, "mute 1"),
	act("lift a ban", "POST /c/{community}/mod/bans", ann, "user={name}&decision=lift",
		steps{member, first(ann, "/c/{community}/mod/bans", "user={name}&decision=ban&rule=Spam")},
		"SELECT count(*) FROM bans WHERE user_id = {user}", "1 -> 0").again("nobody is banned any more"),
	act("ban several", "POST /c/{community}/mod/authors", ann, "member={user id}&decision=ban&rule=Spam", steps{member},
		"SELECT 'there' FROM bans WHERE user_id = {user}", "there"),
	act("note about a member", "POST /c/{community}/mod/member", ann, "user={user id}&text={name}&do=add", steps{member},
		"SELECT body FROM member_notes WHERE user_id = {user}", "{name}"),
	act("write an automatic rule", "POST /c/{community}/mod/rule", ann, ruleFields, steps{rule}, ruleTitle, "{name}"),
	act("add automatic rules", "POST /c/{community}/mod/rules", ann, ruleText, nil, ruleTitle, "{name}"),
	act("write to the moderators", "POST /messages", newMember, "community={community}&title={name}&text=A question", nil, `SELECT subject,
  (SELECT count(*) FROM conversation_messages m WHERE m.conversation_id = c.id) FROM conversations c WHERE subject = '{name}'`, "{name} 1"),
	act("answer a message", "POST /messages/{conversation}", ann, "text={name}", steps{conversation}, `SELECT body FROM conversation_messages
WHERE side = 'moderators' AND conversation_id = (SELECT id FROM conversations WHERE subject = '{name}')`, "{name}"),
	act("close a conversation", "POST /messages/{conversation}", ann, "do=close", steps{conversation},
		"SELECT status FROM conversations WHERE subject = '{name}'", "open -> closed"),
	act("appeal", "POST /decisions/{decision}", ben, "text={name}", steps{removed}, `SELECT (SELECT count(*) FROM conversation_messages m
  WHERE m.conversation_id = c.id) FROM conversations c WHERE decision_id = {n}`, "1"),
	act("decide about an appeal", "POST /messages/{conversation}/verdict", rita, "verdict=overturned", steps{removed,
		func(w *FaultySite, f *form) {
			path := w.ben.MustPost("/decisions/"+f.values["decision"], "text", "It breaks no rule.")
			f.values["conversation"] = strings.TrimPrefix(path, "/messages/")
		}}, "SELECT verdict FROM conversations WHERE decision_id = {n} AND verdict <> ''", "overturned").again("somebody has decided"),
	act("send a notice", "POST /notice", visitor, "url=https://plaza.example/c/{community}/p/{slug}&kind=rights&text=It is a copy of my "+
		"book.&name=Eve&email={name}@example.org&faith=1", steps{legalNotice}, "", "unconfirmed"),
}

var adminActs = []Act{
	act("suspend", "POST /admin/users", rita, "user={name}&decision=suspend&rule=Spam", steps{member},
		"SELECT status FROM users WHERE username = '{name}'", "active -> suspended"),
	act("restore", "POST /admin/users", rita, "user={name}&decision=restore&rule=Spam",
		steps{member, first(rita, "/admin/users", "user={name}&decision=suspend&rule=Spam")},
		"SELECT status FROM users WHERE username = '{name}'", "suspended -> active").again("nobody is suspended any more"),
	act("settings of the site", "POST /admin/settings", rita, "tagline={name}", nil,
		inDirectory+"SELECT body ->> 'tagline' FROM site_settings WHERE body ->> 'tagline' = '{name}'", "{name}").once(),
	act("page of the site", "POST /admin/pages/{page}", rita, "body={name}&revision=0", nil,
		inDirectory+"SELECT body, revision FROM site_pages WHERE name = 'about'", "{name} 1").once(),
	act("mark a message as answered", "POST /admin/messages", rita, "id={id}&action=answered",
		steps{first(visitor, "/contact", "name=Eve&body={name}"), idOf("SELECT id FROM contact_messages WHERE body = '{name}'")},
		"SELECT 'there' FROM contact_messages WHERE body = '{name}' AND answered_at IS NOT NULL", "there"),
	act("erase", "POST /admin/erase", rita, "target={id}&rule=Personal data", steps{post(ben, "{name}")}, `SELECT iif(p.title = '{name}',
  p.title || ' ' || t.text, '[erased]') FROM posts p LEFT JOIN post_texts t ON t.post_id = p.id WHERE p.id = {n}`,
		"{name} words -> [erased]"),
	act("block a picture", "POST /admin/pictures", rita, "picture={sum}", nil,
		"SELECT 'there' FROM picture_blocks WHERE sum = '{sum}'", "there"),
	act("allow a picture again", "POST /admin/blocked-pictures", rita, "block={id}",
		steps{first(rita, "/admin/pictures", "picture={sum}"), idOf("SELECT id FROM picture_blocks WHERE sum = '{sum}'")},
		"SELECT count(*) FROM picture_blocks WHERE sum = '{sum}'", "1 -> 0"),
	act("write a rule of the site", "POST /admin/rule", rita, ruleFields, steps{rule}, ruleTitle, "{name}"),
	act("add rules of the site", "POST /admin/rules", rita, ruleText, nil, ruleTitle, "{name}"),
	act("approve a newcomer", "POST /admin/waiting", rita, "newcomer={user id}&decision=approve", steps{member,
		func(w *FaultySite, f *form) {
			w.Exec("UPDATE users SET waiting = '' WHERE username = ?1", f.values["name"])
		}},
		"SELECT 'there' FROM users WHERE username = '{name}' AND waiting IS NULL", "there"),
	act("delete a dead letter", "POST /admin/dead-letters", rita, "id={id}&action=delete", steps{deadLetter},
		"SELECT count(*) FROM dead_letters WHERE id = {n}", "1 -> 0"),
}

// omitted are the routes that have no act, each with the reason.
var omitted = map[string]string{
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
	"POST /settings/totp/codes":          "the codes are shown once: whoever did not get the answer makes others",
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
