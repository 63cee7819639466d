// Package bans stores bans and mutes, by which moderators keep members from taking part in a community. Banned members may only read.
// Muted members may also vote and report. A ban is a row on the community's shard. Each statement that writes in a community has a
// condition on it (BannedOrMuted, Banned), with the time of the database. So a ban applies from the next write on and ends without a job.
//
// Begin with BannedOrMuted and with Store.Decide (decide.go). docs/inside/moderation.md says how a ban removes earlier texts.
package bans

import (
	"math"
	"strings"
	"time"

	"plaza/data"
	"plaza/data/events/modlog"
	"plaza/locale"
	"plaza/locale/kept"
)

// Ban is a member's ban or mute in a community. The zero value is none.
type Ban struct {
	Kind  modlog.Action // modlog.Ban or modlog.Mute
	Until time.Time     // when it ends; the zero time is never
	Rule  string        // title of the rule that is cited
	Note  string        // the moderators' message to the member
	Entry data.ID       // of the log: the decision that the member can appeal against
}

// never is the end of a ban without an end. A cursor's number can hold it exactly.
const never = int64(1) << 52

// Parts of statements. community is SQL for the community's id. Primary key; :now is data.Source.DatabaseNow.
const (
	notEnded  = `ban.until > ` + data.DatabaseNow
	inForce   = `EXISTS (SELECT 1 FROM bans ban WHERE ` + notEnded + ` AND ban.user_id = `
	described = `(SELECT json_array(` + banColumns + `)
  FROM bans ban LEFT JOIN moderation_log l ON l.id = ban.id WHERE ` + notEnded + ` AND ban.user_id = `
)

// BannedOrMuted is the condition that the actor may not write in the community.
func BannedOrMuted(community string) string {
	return inForce + `:actor AND ban.community_id = ` + community + `)`
}

// Banned is the condition that the actor may neither write nor vote nor report there.
func Banned(community string) string {
	return inForce + `:actor AND ban.kind = 'ban' AND ban.community_id = ` + community + `)`
}

// VoterBanned is Banned for the voter g.user.
func VoterBanned(community string) string {
	return inForce + `g.user AND ban.kind = 'ban' AND ban.community_id = ` + community + `)`
}

// Mine is a column that Ban.Scan reads.
func Mine(community string) string {
	return described + `:actor AND ban.community_id = ` + community + `)`
}

// VoterMine is Mine for the voter g.user, for bans only, without mutes.
func VoterMine(community string) string {
	return described + `g.user AND ban.kind = 'ban' AND ban.community_id = ` + community + `)`
}

// Scan reads the column Mine.
func (b *Ban) Scan(row *data.Row) {
	*b = Ban{}
	row.Record(b.scan)
}

// scan reads banColumns.
func (b *Ban) scan(row *data.Row) {
	*b = Ban{Kind: modlog.Action(row.Text()), Until: endOf(row.Int()), Rule: row.Text(), Note: row.Text(), Entry: row.ID()}
}

// endOf returns the end of a ban from its stored form.
func endOf(until int64) time.Time {
	if until >= never {
		return time.Time{}
	}
	return data.Millis(until)
}

// stored is the inverse of endOf.
func stored(until time.Time) int64 {
	if until.IsZero() {
		return never
	}
	return min(until.UnixMilli(), never)
}

// Err returns Forbidden with the text of Text, or nil for no ban.
func (b Ban) Err() error {
	if b.Kind == "" {
		return nil
	}
	return &data.Error{Code: data.Forbidden, Message: b.Text(), See: b.URL()}
}

// URL returns the address of the decision.
func (b Ban) URL() string { return "/decisions/" + b.Entry.Text() }

// Text returns the kind, end and reason of the ban or mute as sentences for the member; "" for no ban.
func (b Ban) Text() locale.Text {
	what, until := locale.Text("You are banned from this community."), locale.Text("You are banned from this community until {}, {} UTC.")
	switch b.Kind {
	case "":
		return ""
	case modlog.Mute:
		what = "You may read and vote in this community, but not write."
		until = "You may read and vote in this community, but not write until {}, {} UTC."
	}
	if !b.Until.IsZero() {
		end := b.Until.UTC()
		what = locale.With(until, locale.Day(end), end.Format("15:04"))
	}
	if b.Rule != "" {
		what = locale.With("{} Rule: {}.", what, kept.Text(strings.TrimRight(b.Rule, ".")))
	}
	if b.Note != "" {
		what = locale.With("{} The moderators say: {}", what, b.Note)
	}
	return what
}

// Store keeps bans and mutes.
type Store struct{ data.Base }

// Unique index on name_key, primary keys.
var banOfMember = `SELECT ` + Mine("(SELECT k.id FROM communities k WHERE k.name_key = :community)")

// FindOfMember reads along with a page the viewer's ban in a community. A visitor has none.
func (s *Store) FindOfMember(r *data.Read, community string, viewer data.ID) *Ban {
	b := &Ban{}
	if viewer == 0 || data.IsProfile(community) {
		return b
	}
	key := strings.ToLower(community)
	r.FindCachedAt(data.In(community), key, banOfMember, data.Args{"actor": viewer, "community": key, "now": s.Source.DatabaseNow()}, b.Scan)
	return b
}

var (
	banAtPost    = `SELECT ` + Mine("p.community_id") + ` FROM posts p WHERE p.id = :target`
	banAtComment = `SELECT ` + Mine("p.community_id") + ` FROM comments c CROSS JOIN posts p ON p.id = c.post_id WHERE c.id = :target`
)

// FindOfMemberAt is FindOfMember for the community of a post or comment.
func (s *Store) FindOfMemberAt(r *data.Read, target, viewer data.ID) *Ban {
	b, sql := &Ban{}, banAtPost
	if target.IsComment() {
		sql = banAtComment
	}
	r.FindAt(target, sql, data.Args{"actor": viewer, "target": target, "now": s.Source.DatabaseNow()}, b.Scan)
	return b
}

// Line is a banned or muted member in a list.
type Line struct {
	Ban
	Name  string
	User  data.ID
	By    string // the moderator; "" for a deleted account
	At    time.Time
	until int64
}

// List is the order of a list of bans: bans without an end first, then by their end, the last to end first.
const List data.Order = 'B'

const (
	lineColumns = `SELECT ban.username, ban.user_id, ` + banColumns + `, l.actor_name, ban.until`
	banColumns  = `ban.kind, ban.until, l.rule, l.note, ban.id`
	lineFrom    = ` FROM bans ban LEFT JOIN moderation_log l ON l.id = ban.id WHERE ban.community_id = (SELECT k.id FROM communities k
  WHERE k.name_key = :community) AND ` + notEnded
	// Index bans_listed, in its order, and primary keys.
	bansListed = lineColumns + lineFrom + ` AND (ban.until, ban.id) < (:value, :id COLLATE BINARY) ORDER BY ban.until DESC, ban.id DESC
  LIMIT :limit`
	// The bans of one decision about several members. Primary keys.
	bansBetween = lineColumns + ` FROM bans ban LEFT JOIN moderation_log l ON l.id = ban.id WHERE ban.id BETWEEN :first AND :last
  AND +ban.community_id = (SELECT k.id FROM communities k WHERE k.name_key = :community) AND +` + notEnded + ` ORDER BY ban.id LIMIT :limit`
	// Index bans_named.
	banOfName = lineColumns + lineFrom + ` AND ban.username = :name COLLATE NOCASE`
)

func (l *Line) scan(row *data.Row) {
	l.Name, l.User = row.Text(), row.ID()
	l.Ban.scan(row)
	l.By, l.until = row.Text(), row.Int()
	l.At = l.Entry.Time()
}

// Find reads the banned and muted members of a community along with a page.
func (s *Store) Find(r *data.Read, community string, after data.Cursor, limit int) *data.Page[Line] {
	value, id := int64(math.MaxInt64), data.ID(math.MaxInt64)
	if !after.IsZero() {
		value, id = int64(after.Value), after.ID
	}
	return data.NewPage[Line](List, limit).FindAt(r, data.In(community), bansListed, data.Args{"community": strings.ToLower(community),
		"value": value, "id": id, "now": s.Source.DatabaseNow()}, scanLine)
}

// FindBetween reads the bans and mutes of one decision about several members (DecideSeveral) along with a page.
func (s *Store) FindBetween(r *data.Read, community string, first, last data.ID) *data.Page[Line] {
	return data.NewPage[Line](List, SeveralMax).FindAt(r, data.In(community), bansBetween, data.Args{"community": strings.ToLower(community),
		"first": first, "last": last, "now": s.Source.DatabaseNow()}, scanLine)
}

func scanLine(row *data.Row) (l Line, until float64, entry data.ID) {
	l.scan(row)
	return l, float64(l.until), l.Entry
}

// FindNamed reads the ban of one member, by their name, along with a page; its Kind is "" if there is none.
func (s *Store) FindNamed(r *data.Read, community, name string) *Line {
	l := &Line{}
	r.FindAt(data.In(community), banOfName, data.Args{"community": strings.ToLower(community), "name": name, "now": s.Source.DatabaseNow()},
		l.scan)
	return l
}
