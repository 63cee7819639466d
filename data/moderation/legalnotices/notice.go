// Package legalnotices stores notices of illegal content: people without an account say that something on the site is illegal, hurts their
// rights, or is about them. They are not notifications, which package inbox stores. A mail to the typed address confirms a notice. Then
// it is a report in the queue, without a member, and moderators decide about it there. FinishDecided finds the decision and enqueues a
// mail. The sender may object once.
//
// Begin with Store.Send and Store.FinishDecided (finish.go). docs/inside/moderation.md says what limits notices.
package legalnotices

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"plaza/data"
	"plaza/data/accounts/credentials"
	"plaza/data/events/mails"
	"plaza/data/moderation/transparency"
)

// Kinds are the kinds of notices.
const (
	Illegal  = "illegal"
	Rights   = "rights"
	Personal = "personal"
)

// Reasons are the reasons of reports, by kind.
var Reasons = map[string]string{Illegal: "Notice: illegal content", Rights: "Notice: rights of others", Personal: "Notice: personal data"}

// Kinds of mails.
const (
	MailConfirm mails.Kind = "notice"         // confirms the address
	MailDecided mails.Kind = "notice-decided" // reports the decision
)

const (
	// TextMax is the longest text, in characters, as for a report.
	TextMax = 2000
	nameMax = 100
	// unconfirmedLife and decidedLife are how long rows are stored.
	unconfirmedLife = 48 * time.Hour
	decidedLife     = 180 * 24 * time.Hour
	// weight is the weight of a notice in the order of the queue, as for a report by a trusted member. Rules about reports ignore notices
	// (rules.ByMembers).
	weight = 5
	// finishedAtOnce is how many notices a run checks on the shards.
	finishedAtOnce = 100
	// listedMax is how many earlier and how many later notices the page of a notice lists.
	listedMax = 25
)

// Notice is one notice.
type Notice struct {
	ID        data.ID
	Target    data.ID // of the post, comment or member
	Kind      string
	Text      string
	Name      string
	Email     string
	Status    string // unconfirmed, open, decided, objected or closed
	Decision  string // remove, approve, ignore or deleted; "" while undecided
	DecidedAt time.Time
}

// At returns when it was sent.
func (n *Notice) At() time.Time { return n.ID.Time() }

// Kept reports whether the post, comment or member stays on the site.
func (n *Notice) Kept() bool { return n.Decision == "approve" || n.Decision == "ignore" }

// Store stores notices.
type Store struct{ data.Base }

// ErrNone is returned if the notice does not exist, or is in another state.
var ErrNone = &data.Error{Code: data.NotFound, Message: "There is no such notice any more."}

// Validate normalizes the fields and checks them, except the place.
func (n *Notice) Validate() error {
	n.Name, n.Email, n.Text = data.Line(n.Name), strings.TrimSpace(n.Email), strings.TrimSpace(n.Text)
	return data.AllMistakes(
		data.MistakeIf(Reasons[n.Kind] == "", "kind", "Please choose what is wrong."),
		mistakeInText(n.Text),
		data.MistakeIf(n.Name == "", "name", "Please say who you are."),
		data.MistakeIf(utf8.RuneCountInString(n.Name) > nameMax, "name", "A name has at most 100 characters."),
		data.MistakeIf(!mails.Valid(n.Email), "email", "That does not look like an email address."))
}

func mistakeInText(text string) error {
	return data.AllMistakes(data.MistakeIf(data.Blank(text), "text", "Please write why."),
		data.MistakeIf(utf8.RuneCountInString(text) > TextMax, "text", "A message has at most 2,000 characters."))
}

// Place is the target of an address of the site.
type Place struct {
	Community, Slug string
	ID              data.ID // of the post or comment; 0 if the slug identifies it
	Member          string
}

// ParsePlace parses the path of an address: of a post, a comment or a profile.
func ParsePlace(path string) (p Place, ok bool) {
	parts := strings.Split(strings.Trim(path, "/"), "/")
	id := func(n int) (ok bool) {
		if len(parts) > n {
			v, err := data.ParseID(parts[n])
			p.ID, ok = v, err == nil
			return ok
		}
		return true
	}
	switch {
	case len(parts) >= 4 && len(parts) <= 5 && parts[0] == "c" && parts[2] == "p":
		p.Community, p.Slug = parts[1], parts[3]
		return p, id(4)
	case len(parts) >= 2 && len(parts) <= 3 && parts[0] == "p":
		return p, id(1) && id(2)
	case len(parts) == 2 && parts[0] == "u":
		p.Member = parts[1]
		return p, true
	}
	return p, false
}

const (
	// Unique indexes.
	postAt = `SELECT p.id FROM posts p WHERE p.community_id = (SELECT k.id FROM communities k WHERE k.name_key = :community)
  AND p.slug = :slug AND p.status IN ('published', 'archived')`
	member  = `SELECT u.id FROM users u WHERE u.id = ` + data.MemberNamed + ` AND u.status = 'active'`
	anyPost = `SELECT p.id FROM posts p WHERE p.id = :id AND p.status IN ('published', 'archived')`
	anyOf   = `SELECT c.id FROM comments c WHERE c.id = :id AND c.status = 'published' AND c.held = 0`

	add = `INSERT INTO legal_notices (id, target_id, kind, text, name, email, mailbox, language, status)
SELECT :id, :target, :kind, :text, :named, :email, :mailbox, :language, 'unconfirmed' WHERE NOT EXISTS (` + same + `)`
	// The same form, sent just before. Its mail is enqueued. Index legal_notices_target.
	same = `SELECT n.id FROM legal_notices n WHERE n.target_id = :target AND n.id > :recent AND n.status = 'unconfirmed' AND n.kind = :kind
  AND n.text = :text AND n.name = :named AND n.email = :email`
)

// sameFor is how long an equal notice counts as a repetition. After that the form makes another notice with another mail, because the first
// mail may be lost.
const sameFor = 10 * time.Minute

// locate finds the public target of an address; 0 is none.
func (s *Store) locate(ctx context.Context, p Place) (id data.ID, err error) {
	scan := func(row *data.Row) { id = row.ID() }
	r := s.DB.Read()
	switch {
	case p.Member != "":
		r.Find(member, data.Args{"name": strings.ToLower(p.Member)}, scan)
	case p.ID.IsComment():
		r.FindAt(p.ID, anyOf, data.Args{"id": p.ID}, scan)
	case p.ID != 0:
		r.FindAt(p.ID, anyPost, data.Args{"id": p.ID}, scan)
	default:
		r.FindAt(data.In(p.Community), postAt, data.Args{"community": strings.ToLower(p.Community), "slug": p.Slug}, scan)
	}
	return id, r.Run(ctx)
}

// Send stores a notice about a place and enqueues the mail that confirms it. language is the tag of the sender's language, for all mails
// about it. network is a key of the sender's network, for the rate limit of that mail. The same form, sent again, is the same notice.
// Invalid, Unavailable.
func (s *Store) Send(ctx context.Context, n Notice, p Place, language, network string) (*Notice, error) {
	mistake := n.Validate()
	target, err := s.locate(ctx, p)
	if data.ErrorCode(err) == data.NotFound {
		err = nil // of an unknown community
	}
	if err != nil {
		return nil, err
	}
	if err := data.AllMistakes(data.MistakeIf(target == 0, "url",
		"There is no such post, comment or profile on this site. Please copy its address."), mistake); err != nil {
		return nil, err
	}
	n.ID, n.Target, n.Status = s.Source.NewID(0, data.KindOther), target, "unconfirmed"
	w := s.DB.Write()
	form := data.Args{"target": target, "kind": n.Kind, "text": n.Text, "named": n.Name, "email": n.Email,
		"recent": data.NewID(n.ID.Time().Add(-sameFor), 0, data.KindOther, 0)}
	all := maps.Clone(form)
	all["id"], all["mailbox"], all["language"] = n.ID, credentials.Owner(n.Email), language
	w.Do(add, all)
	mails.EnqueueIfChanged(w, s.Source, mails.Mail{Key: mailKey(n.ID), Kind: MailConfirm, Address: n.Email,
		About: map[string]string{"notice": n.ID.String(), "language": language, "network": network}})
	w.Find(same, form, func(row *data.Row) { n.ID = row.ID() })
	return &n, w.Run(ctx)
}

// mailKey returns the key of the mail that confirms a notice.
func mailKey(id data.ID) string { return "notice " + id.String() }

// Primary key.
const found = `SELECT n.id, n.target_id, n.kind, n.text, n.name, n.email, n.status, n.decision, n.decided_at
FROM legal_notices n WHERE n.id = :id`

// Find reads a notice along with a page; its ID stays 0 if it does not exist.
func (s *Store) Find(r *data.Read, id data.ID) *Notice {
	n := &Notice{}
	r.Find(found, data.Args{"id": id}, n.scan)
	return n
}

// Primary key, then index legal_notices_mailbox. An erased notice has no text.
const (
	unconfirmedBeside = `SELECT n.id, iif(length(n.text) > 100, substr(n.text, 1, 99) || '…', n.text) FROM legal_notices n
WHERE n.mailbox = (SELECT x.mailbox FROM legal_notices x WHERE x.id = :id AND x.status = 'unconfirmed')
  AND n.status = 'unconfirmed' AND n.text <> '' AND n.id `
	laterOf   = unconfirmedBeside + `> :id ORDER BY n.id LIMIT :limit`
	earlierOf = unconfirmedBeside + `< :id ORDER BY n.id DESC LIMIT :limit`
)

// FindOthers reads, along with the page of an unconfirmed notice, the nearest later and earlier unconfirmed notices of its mailbox, the
// newest first. They have an ID and the beginning of the text.
func (s *Store) FindOthers(r *data.Read, id data.ID) *[]Notice {
	list, args := &[]Notice{}, data.Args{"id": id, "limit": listedMax}
	add := func(row *data.Row) { *list = append(*list, Notice{ID: row.ID(), Text: row.Text()}) }
	r.Find(laterOf, args, add)
	r.Find(earlierOf, args, add)
	r.After(func() { slices.SortFunc(*list, func(a, b Notice) int { return cmp.Compare(b.ID, a.ID) }) })
	return list
}

func (n *Notice) scan(row *data.Row) {
	*n = Notice{ID: row.ID(), Target: row.ID(), Kind: row.Text(), Text: row.Text(), Name: row.Text(), Email: row.Text(), Status: row.Text(),
		Decision: row.Text(), DecidedAt: row.Time()}
}

const (
	// The trigger reports_made adds it to the queue. Primary keys.
	reportPost = `INSERT INTO reports (target_id, reporter_id, community_id, reason, text, created_at, weight)
SELECT p.id, :reporter, p.community_id, :reason, :text, ` + data.DatabaseNow + `, :weight FROM posts p
WHERE p.id = :target AND p.status IN ('published', 'archived') ON CONFLICT DO NOTHING`
	reportComment = `INSERT INTO reports (target_id, reporter_id, community_id, reason, text, created_at, weight)
SELECT c.id, :reporter, p.community_id, :reason, :text, ` + data.DatabaseNow + `, :weight FROM comments c
CROSS JOIN posts p ON p.id = c.post_id WHERE c.id = :target AND c.status = 'published' ON CONFLICT DO NOTHING`
	reportMember = `INSERT INTO reports (target_id, reporter_id, community_id, reason, text, created_at, weight)
SELECT u.id, :reporter, 0, :reason, :text, ` + data.DatabaseNow + `, :weight FROM users u
WHERE u.id = :target AND u.status = 'active' ON CONFLICT DO NOTHING`

	// The trigger skips items that moderators ignore. An objection has to reach them nevertheless: before the report, ignored becomes
	// undecided. If no report is added after all, the item is ignored again. Primary key.
	heed     = `UPDATE queue_items SET decision = '' WHERE target_id = :target AND status = 'decided' AND decision = 'ignore'`
	unheeded = `UPDATE queue_items SET decision = 'ignore' WHERE target_id = :target AND status = 'decided' AND decision = ''`

	opened   = `UPDATE legal_notices SET status = 'open', checked_at = ` + data.DatabaseNow + ` WHERE id = :id AND status = 'unconfirmed'`
	objected = `UPDATE legal_notices SET status = 'objected', checked_at = ` + data.DatabaseNow + `, objected_at = ` + data.DatabaseNow + `
WHERE id = :id AND status = 'decided'`
	isMember = `SELECT EXISTS (SELECT 1 FROM users u WHERE u.id = :id)`
)

// counted counts the result of a notice for /transparency. It must follow the statement that changes its status directly: changes() is how
// many rows it wrote. Primary key.
var counted = transparency.Counting(`SELECT iif(n.status IN ('open', 'decided'), 'notice', 'objection') AS what, n.kind AS ground,
  '' AS found, iif(n.status IN ('open', 'objected'), '', n.decision) AS kind,
  iif(n.status IN ('open', 'objected'), n.checked_at, n.decided_at) AS at, CASE n.status
  WHEN 'decided' THEN n.decided_at - ((n.id >> 22) + 1767225600000) WHEN 'closed' THEN n.decided_at - n.objected_at END AS took
FROM legal_notices n WHERE n.id = :id AND changes() > 0`)

// Confirm adds a notice to the queue. A repetition changes nothing. NotFound, Unavailable.
func (s *Store) Confirm(ctx context.Context, id data.ID) error {
	return s.addToQueue(ctx, id, "", "unconfirmed", opened)
}

// Object adds an item that stays on the site to the queue again, with the sender's objection. While the objection waits, a repetition
// changes nothing. Invalid, NotFound, Unavailable.
func (s *Store) Object(ctx context.Context, id data.ID, text string) error {
	text = strings.TrimSpace(text)
	if err := mistakeInText(text); err != nil {
		return err
	}
	return s.addToQueue(ctx, id, text, "decided", objected)
}

func (s *Store) addToQueue(ctx context.Context, id data.ID, text, from, change string) error {
	r := s.DB.Read()
	n, isUser := s.Find(r, id), false
	if err := r.Run(ctx); err != nil {
		return err
	}
	if n.ID != 0 && (from == "unconfirmed" && n.Status != from || from == "decided" && n.Status == "objected") {
		return nil // it was done before
	}
	if n.ID == 0 || n.Status != from || from == "decided" && !n.Kept() {
		return ErrNone
	}
	r = s.DB.Read()
	r.Find(isMember, data.Args{"id": n.Target}, func(row *data.Row) { isUser = row.Bool() })
	if err := r.Run(ctx); err != nil {
		return err
	}
	where, sql := data.At(n.Target), reportPost
	switch {
	case isUser:
		where, sql = data.In(""), reportMember
	case n.Target.IsComment():
		sql = reportComment
	}
	args := data.Args{"target": n.Target, "reporter": -int64(n.ID), "reason": Reasons[n.Kind], "text": n.Text, "weight": weight,
		"now": s.Source.DatabaseNow()}
	w := s.DB.WriteAt(where)
	if from == "decided" {
		args["reporter"], args["text"] = -int64(n.ID)-1, text
		w.Do(heed, data.Args{"target": n.Target})
		w.Do(sql, args)
		w.Do(unheeded, data.Args{"target": n.Target})
	} else {
		w.Do(sql, args)
	}
	if err := w.Run(ctx); err != nil {
		return err
	}
	w = s.DB.Write()
	w.Do(change, data.Args{"id": id, "now": s.Source.DatabaseNow()})
	w.Do(counted, data.Args{"id": id})
	mails.Uncount(w, mailKey(id))
	return w.Run(ctx)
}
