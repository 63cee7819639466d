package reports

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"plaza/data"
	"plaza/data/content/communities"
	"plaza/data/events/modlog"
	"plaza/data/moderation"
	"plaza/data/rights/bans"
	"plaza/data/rights/reputation"
	"plaza/data/rights/rules"
)

// Store stores reports and the queue.
type Store struct{ data.Base }

// TextMax is the longest text that a reporter can add to a reason, in characters.
const TextMax = 500

// Other is the reason of a report that has a text.
const Other = "Something else"

// SiteReasons are the reasons for reports of any item. Posts and comments can also be reported by a rule of their community.
var SiteReasons = append(slices.Clone(moderation.General), Other)

// MemberReasons are the reasons for reports of a member.
var MemberReasons = append([]string{"Impersonation", "Name or profile"}, SiteReasons...)

// Thing is a post, comment or member for the form of reports.
type Thing struct {
	ID        data.ID
	Community string // "" for a member
	Title     string // of the post
	Excerpt   string // the beginning of a comment
	URL       string
	Author    string    // or the member's name
	Own       bool      // the actor's
	Reported  bool      // by the actor
	Decision  string    // the decision about reports of it: remove, approve or ignore, or deleted by its author; "" while it waits
	DecidedAt time.Time // zero while it waits
	Rules     []communities.Rule
	OfSite    []string // titles of the rules of the site, which a report can also cite
	AuthorID  data.ID
	Content   rules.Thing   // the content for automatic rules
	RulesHit  []*rules.Rule // rules that hit it with enough reports (rules.Store.Reported)

	there    bool                   // it exists and can be reported
	reporter *reputation.Reputation // the actor's, in the community; nil for a member
}

const (
	shownTitle   = `iif(p.status IN ('published', 'archived'), p.title, '')`
	postToReport = `SELECT ` + reputation.Facts + `, p.community_name, p.slug, ` + shownTitle +
		`, p.author_id, p.author_name, k.rules, '', ` + rules.ColumnsOfPost + `, (SELECT substr(t.html, 1, 262144) FROM post_texts t
  WHERE t.post_id = p.id), p.status IN ('published', 'archived'),
  EXISTS (SELECT 1 FROM reports r WHERE r.target_id = p.id AND r.reporter_id = :actor), (SELECT q.decision FROM queue_items q
  WHERE q.target_id = p.id), (SELECT q.decided_at FROM queue_items q WHERE q.target_id = p.id)
FROM posts p LEFT JOIN communities k ON k.id = p.community_id WHERE p.id = :target`
	commentToReport = `SELECT ` + reputation.Facts + `, p.community_name, p.slug, ` + shownTitle +
		`, c.author_id, c.author_name, k.rules, substr(c.body, 1, 1000), ` + rules.ColumnsOfComment + `, substr(c.body_html, 1, 65536),
  c.status = 'published'
  AND p.status IN ('published', 'archived'),
  EXISTS (SELECT 1 FROM reports r WHERE r.target_id = c.id AND r.reporter_id = :actor), (SELECT q.decision FROM queue_items q
  WHERE q.target_id = c.id), (SELECT q.decided_at FROM queue_items q WHERE q.target_id = c.id)
FROM comments c CROSS JOIN posts p ON p.id = c.post_id LEFT JOIN communities k ON k.id = p.community_id WHERE c.id = :target`
	memberToReport = `SELECT u.id, u.username, EXISTS (SELECT 1 FROM reports r WHERE r.target_id = u.id
  AND r.reporter_id = :actor), (SELECT q.decision FROM queue_items q WHERE q.target_id = u.id), (SELECT q.decided_at FROM queue_items q
  WHERE q.target_id = u.id)
FROM users u
WHERE u.id = ` + data.MemberNamed
)

// FindThing reads a post or comment along with a page, for the form of reports. Call Err before showing it.
func (s *Store) FindThing(r *data.Read, actor, target data.ID) *Thing {
	t := &Thing{ID: target, reporter: reputation.Of(s.Source, actor)}
	sql := postToReport
	if target.IsComment() {
		sql = commentToReport
	}
	r.FindAt(target, sql, reputation.Args(s.Source, actor, data.Args{"actor": actor, "target": target}),
		func(row *data.Row) { t.scan(row, actor) })
	return t
}

func (t *Thing) scan(row *data.Row, actor data.ID) {
	t.reporter.Scan(row)
	t.Community = row.Text()
	t.URL = "/c/" + t.Community + "/p/" + row.Text()
	if t.ID.IsComment() {
		t.URL += "/" + t.ID.Text()
	}
	t.Title, t.AuthorID, t.Author = row.Text(), row.ID(), row.Text()
	t.Own = t.AuthorID == actor
	if list := row.Text(); list != "" {
		row.Fail(json.Unmarshal([]byte(list), &t.Rules))
	}
	text := row.Text()
	t.Content = rules.ScanThing(row)
	t.there, t.Reported, t.Decision, t.DecidedAt = row.Bool(), row.Bool(), row.Text(), row.Time()
	if !t.ID.IsComment() {
		t.Content.Title = t.Title
	} else if t.there {
		t.Excerpt = text
	}
}

// FindMember is FindThing for a member, by their name.
func (s *Store) FindMember(r *data.Read, actor data.ID, name string) *Thing {
	t := &Thing{}
	r.Find(memberToReport, data.Args{"actor": actor, "name": strings.ToLower(name)}, func(row *data.Row) {
		t.ID, t.Author, t.Reported, t.Decision, t.DecidedAt, t.there = row.ID(), row.Text(), row.Bool(), row.Text(), row.Time(), true
		t.Own, t.URL = t.ID == actor, "/u/"+t.Author
	})
	return t
}

// Err returns why the thing can't be reported; nil if it can, or if the actor has reported it before.
func (t *Thing) Err() error {
	switch {
	case !t.there && !t.Reported:
		return &data.Error{Code: data.NotFound, Message: "What you want to report is gone."}
	case t.Own:
		return data.Mistake("target", "This is your own. You can't report it.")
	}
	return nil
}

// Reasons returns the possible reasons: the rules of its community, and the general ones.
func (t *Thing) Reasons() (ofHere, ofSite []string) {
	if t.Community == "" {
		return nil, union(t.OfSite, MemberReasons)
	}
	for _, rule := range t.Rules {
		ofHere = append(ofHere, rule.Title)
	}
	return ofHere, union(t.OfSite, SiteReasons)
}

// union joins two lists, without duplicates of the second.
func union(a, b []string) []string {
	return append(slices.Clone(a), slices.DeleteFunc(slices.Clone(b), func(x string) bool { return slices.Contains(a, x) })...)
}

var (
	// The statement that writes checks the thing again. Primary keys. The trigger reports_made adds it to the queue.
	reportValues = `INSERT INTO reports (target_id, reporter_id, weight, community_id, reason, text, created_at)
SELECT :target, :actor, :weight, `
	reportEnd  = ` AND ` + data.LiveSession + ` ON CONFLICT DO NOTHING`
	reportPost = reportValues + `p.community_id, :reason, :text, ` + data.DatabaseNow +
		` FROM posts p WHERE p.id = :target AND p.status IN ('published', 'archived') AND NOT ` + bans.Banned("p.community_id") + reportEnd
	reportComment = reportValues + `p.community_id, :reason, :text, ` + data.DatabaseNow +
		` FROM comments c CROSS JOIN posts p ON p.id = c.post_id
WHERE c.id = :target AND c.status = 'published' AND p.status IN ('published', 'archived') AND NOT ` + bans.Banned("p.community_id") +
		reportEnd
	reportMember = reportValues + `0, :reason, :text, ` + data.DatabaseNow + ` FROM users u WHERE u.id = :target AND u.username <> ''` +
		reportEnd

	mayReport = `SELECT ` + data.LiveSession + `, ` + bans.Mine("(SELECT k.id FROM communities k WHERE k.name_key = :community)")
)

// Report stores a member's report of an item, which FindThing or FindMember has read. Its weight follows from the member's reputation in
// the community. A second report of the same item changes nothing. The rules in RulesHit act if there are enough reports now. NotFound,
// Unauthenticated, Forbidden (banned), and Invalid in the fields reason and text.
func (s *Store) Report(ctx context.Context, a data.Actor, t *Thing, reason, text string) error {
	if err := t.Err(); err != nil {
		return err
	}
	text = strings.TrimSpace(text)
	ofHere, ofSite := t.Reasons()
	if err := data.AllMistakes(
		data.MistakeIf(!slices.Contains(ofHere, reason) && !slices.Contains(ofSite, reason), "reason", "Please choose why you report this."),
		data.MistakeIf(reason == Other && text == "", "text", "Please say in a few words what it is."),
		data.MistakeIf(utf8.RuneCountInString(text) > TextMax, "text", "Your text has at most 500 characters."),
	); err != nil {
		return err
	}
	sql, weight := reportPost, reputation.New.Weight()
	switch {
	case t.Community == "":
		sql = reportMember
	case t.ID.IsComment():
		sql = reportComment
	}
	if t.reporter != nil {
		weight = t.reporter.Level().Weight()
	}
	w := s.DB.WriteAt(data.AtOrIn(t.ID, t.Community))
	w.Do(sql, a.Args(data.Args{"target": t.ID, "weight": weight, "reason": reason, "text": text, "now": s.Source.DatabaseNow()}))
	s.gatherRules(w, t)
	live := false
	var ban bans.Ban
	w.Find(mayReport, a.Args(data.Args{"community": strings.ToLower(t.Community), "now": s.Source.DatabaseNow()}), func(row *data.Row) {
		live = row.Bool()
		ban.Scan(row)
	})
	if err := w.Run(ctx); err != nil {
		return err
	}
	switch {
	case !live:
		return data.ErrSessionEnded
	case ban.Kind == modlog.Ban:
		return ban.Err()
	}
	return nil
}
