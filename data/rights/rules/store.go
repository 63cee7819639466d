package rules

import (
	"context"
	"slices"
	"strings"
	"time"

	"plaza/data"
	"plaza/data/events/modlog"
	"plaza/data/rights/roles"
	"plaza/locale"
)

const (
	// Index rules_community, primary keys.
	listed = `SELECT r.id, r.text, r.active, n.hits, n.last_at, r.changed_at FROM rules r LEFT JOIN rule_counts n ON n.rule_id = r.id
  AND n.site = `
	ofSite      = listed + `1 WHERE r.community_id = 0 ORDER BY r.id`
	ofCommunity = listed + `0 WHERE r.community_id = (SELECT k.id FROM communities k WHERE k.name_key = :community) ORDER BY r.id`
	siteCounts  = `SELECT n.rule_id, n.hits, n.last_at FROM rule_counts n WHERE n.site = 1`
)

// Find reads the rules of a community, or with "" of the site, along with a page.
func (s *Store) Find(r *data.Read, community string) *[]*Rule {
	list, counts := &[]*Rule{}, map[data.ID]*Rule{}
	scan := func(row *data.Row) {
		id, text, active, hits, last := row.ID(), row.Text(), row.Bool(), row.Int(), row.Time()
		if parsed, err := ParseAll(text); err == nil {
			rule := parsed[0]
			rule.ID, rule.Active, rule.Hits, rule.LastAt, rule.Revision = id, active, hits, last, row.Int()
			*list = append(*list, rule)
		}
	}
	if community != "" {
		r.FindAt(data.In(community), ofCommunity, data.Args{"community": strings.ToLower(community)}, scan)
		return list
	}
	r.Find(ofSite, nil, scan)
	r.FindElsewhere(siteCounts, nil, func(row *data.Row) { // their posts and comments were hit
		id := row.ID()
		if counts[id] == nil {
			counts[id] = &Rule{}
		}
		counts[id].Hits += row.Int()
		if at := row.Time(); at.After(counts[id].LastAt) {
			counts[id].LastAt = at
		}
	})
	r.After(func() {
		for _, rule := range *list {
			if c := counts[rule.ID]; c != nil {
				rule.Hits += c.Hits
				if c.LastAt.After(rule.LastAt) {
					rule.LastAt = c.LastAt
				}
			}
		}
	})
	return list
}

const (
	mayWrite = data.LiveSession + ` AND ` + roles.ByModerator
	mayAdmin = data.LiveSession + ` AND ` + data.ByAdmin
	isAdmin  = `SELECT ` + data.ByAdmin + `, ` + data.LiveSession
	// A new rule, or another text of an existing one. Primary key, unique index on name_key, index rules_community.
	saveColumns = `INSERT INTO rules (id, community_id, title, text, active, changed_by, changed_at) SELECT :id, `
	saveValues  = `, :title, :text, :active, :actor, :at `
	saveEnd     = ` ON CONFLICT (id) DO UPDATE SET title = excluded.title, text = excluded.text, active = excluded.active,
  changed_by = excluded.changed_by, changed_at = max(changed_at + 1, excluded.changed_at) WHERE community_id = excluded.community_id`
	saveCommunity = saveColumns + `k.id` + saveValues + `FROM communities k WHERE k.name_key = :community AND k.kind = 'community'
  AND ` + saves + ofPlace + mayWrite + saveEnd
	saveSite = saveColumns + `0` + saveValues + `WHERE ` + saves + ofAll + mayAdmin + saveEnd
	// The rule was not changed or deleted since, and there are not too many.
	saves = `(:from < 0 OR :from = coalesce((SELECT r.changed_at FROM rules r WHERE r.id = :id), 0))
  AND (EXISTS (SELECT 1 FROM rules r WHERE r.id = :id) OR (SELECT count(*) FROM rules r WHERE r.community_id = `
	here    = `(SELECT k.id FROM communities k WHERE k.name_key = :community)`
	ofPlace = here + `) < :max` + isNew + here + `)) AND `
	ofAll   = `0) < :max` + isNew + `0)) AND `
	// A form that adds rules adds none when it is sent again: the same rule within an hour counts as the same form.
	isNew = ` AND NOT EXISTS (SELECT 1 FROM rules r WHERE r.text = :text AND r.active = :active AND ` + addedNow + ` AND r.community_id = `

	addedNow = `r.changed_by = :actor AND r.changed_at > :recent`

	deleteCommunity = `DELETE FROM rules WHERE id = :id AND community_id = ` + here + ` AND ` + mayWrite
	deleteSite      = `DELETE FROM rules WHERE id = :id AND community_id = 0 AND ` + mayAdmin
	isThere         = `EXISTS (SELECT 1 FROM rules r WHERE r.id = :id) AND `

	// The rules as they are stored now.
	kept = `SELECT r.id, r.text, r.active, r.changed_at FROM json_each(:ids) j CROSS JOIN rules r ON r.id = j.value`
	// It reads all rules of the community or the site, which are few. Index rules_community.
	addedHere = `SELECT r.text FROM rules r WHERE ` + addedNow + ` AND r.community_id = ` + here
	addedSite = `SELECT r.text FROM rules r WHERE ` + addedNow + ` AND r.community_id = 0`
	// The total cost of the active rules is computed from their texts. Index rules_community.
	activeTexts     = `SELECT r.id, r.text FROM rules r WHERE r.active = 1 AND r.community_id = `
	activeTextsHere = activeTexts + here
	activeTextsSite = activeTexts + `0`

	// Unique index on name_key, index flairs_listed.
	flairTexts = `SELECT f.text FROM flairs f WHERE f.of_members = 0 AND f.community_id = ` + here
)

// sameFor is how long an equal form that adds rules counts as a repetition.
const sameFor = time.Hour

var (
	errTooMany = &data.Error{Code: data.Conflict, Message: "There can be at most 50 rules. Please delete one first."}
	errChanged = &data.Error{Code: data.Conflict, Message: "Somebody else changed this rule in the meantime. Below is what you wrote; " +
		"saving it once more replaces theirs."}
	errDeleted = &data.Error{Code: data.Conflict, Message: "Somebody else deleted this rule in the meantime."}
	errCostly  = data.Mistake("pattern", "The words and patterns of all rules that are on take too long together. Please make one shorter, "+
		"or switch a rule off.")
	errAdmins = &data.Error{Code: data.Forbidden, Message: "Only administrators of this site can do that."}
)

// Save stores new and changed rules of a community, or of the site if community is "", each under its ID. It adds an entry to the log.
// Invalid, NotFound, Forbidden, Unauthenticated, Conflict (too many; or another user has changed one since its Revision, which is then
// the stored one), Unavailable.
func (s *Store) Save(ctx context.Context, a data.Actor, community string, list ...*Rule) error {
	for _, rule := range list {
		if err := rule.Validate(); err != nil {
			return err
		}
	}
	if err := s.checkFlairs(ctx, a, community, list); err != nil {
		return err
	}
	sql, condition := saveCommunity, saves+ofPlace
	if community == "" {
		sql, condition = saveSite, saves+ofAll
	}
	now := s.Source.Now()
	ruleArgs := func(rule *Rule) data.Args {
		return data.Args{"id": rule.ID, "from": rule.Revision, "max": RulesMax, "text": rule.String(), "active": rule.Active,
			"recent": now.Add(-sameFor)}
	}
	return s.write(ctx, a, community, list, condition, ruleArgs, func(w *data.Write, args func(data.Args) data.Args) {
		for _, rule := range list {
			all := ruleArgs(rule)
			all["title"], all["at"] = rule.Title, now
			w.Do(sql, args(all))
		}
	})
}

// checkFlairs checks that the community has the flairs that rules give, and copies the community's spelling. A rule that is only switched
// off may name a deleted one. Invalid; Forbidden and Unauthenticated come first.
func (s *Store) checkFlairs(ctx context.Context, a data.Actor, community string, list []*Rule) error {
	if !slices.ContainsFunc(list, func(rule *Rule) bool { return rule.Does(Flair) }) {
		return nil
	}
	texts := map[string]string{}
	if community != "" {
		r := s.DB.Read()
		r.FindAt(data.In(community), flairTexts, data.Args{"community": strings.ToLower(community)}, func(row *data.Row) {
			text := row.Text()
			texts[strings.ToLower(text)] = text
		})
		if err := r.Run(ctx); err != nil && data.ErrorCode(err) != data.NotFound { // the following statements report it
			return err
		}
	}
	for _, rule := range list {
		text, found := texts[strings.ToLower(rule.Flair)]
		switch {
		case !rule.Does(Flair):
		case found:
			rule.Flair = text
		case community == "":
			return s.MayChange(ctx, a, community, data.Mistake("do", "A rule of the site can't give flairs: each community has its own."))
		case rule.Active || rule.Revision <= 0:
			return s.MayChange(ctx, a, community, data.Mistake("flair", locale.With("This community has no flair “{}”.", rule.Flair)))
		}
	}
	return nil
}

// Delete deletes a rule. Items that it has held stay held. Errors are as in Save.
func (s *Store) Delete(ctx context.Context, a data.Actor, community string, rule *Rule) error {
	return s.write(ctx, a, community, []*Rule{rule}, isThere, func(rule *Rule) data.Args { return data.Args{"id": rule.ID} },
		func(w *data.Write, args func(data.Args) data.Args) {
			sql := deleteCommunity
			if community == "" {
				sql = deleteSite
			}
			w.Do(sql, args(data.Args{"id": rule.ID}))
			rule.ID = 0 // write does not read it afterwards
		})
}

// write runs a transaction about rules of a community or the site, if the actor may, and adds an entry to the log if condition holds.
// ruleArgs returns the parameters of condition.
func (s *Store) write(ctx context.Context, a data.Actor, community string, list []*Rule, condition string, ruleArgs func(*Rule) data.Args,
	gather func(*data.Write, func(data.Args) data.Args)) error {
	key, home, guard, args, check := strings.ToLower(community), data.In(""), mayAdmin, a.Args, checkAdmin(a)
	slot := 0
	if community != "" {
		authority, err := roles.Authorize(ctx, s.DB, a, community, roles.Moderator, nil)
		if err != nil {
			return err
		}
		home, guard, args, check = authority.Home, mayWrite, authority.Args, authority.Check
		slot = authority.Slot
	}
	var cost, othersCost int
	active := map[data.ID]bool{}
	for _, rule := range list {
		if rule.Active && rule.ID != 0 {
			cost += rule.weight()
		}
		active[rule.ID] = true
	}
	r := s.DB.Read()
	count := func(row *data.Row) {
		id, text := row.ID(), row.Text()
		if others, err := ParseAll(text); err == nil && !active[id] {
			othersCost += others[0].weight()
		}
	}
	if community == "" {
		r.FindAt(home, activeTextsSite, nil, count)
	} else {
		r.FindAt(home, activeTextsHere, data.Args{"community": key}, count)
	}
	if err := r.Run(ctx); err != nil {
		return err
	}
	if cost > 0 && cost+othersCost > costMax {
		return errCostly
	}
	w := s.DB.WriteAt(home)
	for _, rule := range list {
		modlog.Add(w, a, modlog.NewEntry{ID: s.Source.NewID(slot, data.KindOther), Community: community, Action: modlog.Settings,
			Rule: rule.Title}, condition+guard, args(ruleArgs(rule)))
	}
	gather(w, args)
	var ids []data.ID
	for _, rule := range list {
		if rule.ID != 0 {
			ids = append(ids, rule.ID)
		}
	}
	type state struct {
		text     string
		active   bool
		revision int64
	}
	there := map[data.ID]state{}
	w.Find(kept, data.Args{"ids": ids}, func(row *data.Row) { there[row.ID()] = state{row.Text(), row.Bool(), row.Int()} })
	added := map[string]bool{}
	scanAdded := func(row *data.Row) { added[row.Text()] = true }
	addedArgs := data.Args{"actor": a.UserID, "recent": s.Source.Now().Add(-sameFor)}
	if community == "" {
		w.Find(addedSite, addedArgs, scanAdded)
	} else {
		addedArgs["community"] = key
		w.Find(addedHere, addedArgs, scanAdded)
	}
	permission := check(w)
	if err := w.Run(ctx); err != nil {
		return err
	}
	s.changed(key)
	if err := permission.Err(); err != nil {
		return err
	}
	for _, rule := range list {
		current, found := there[rule.ID]
		switch from := rule.Revision; {
		case rule.ID == 0: // deleted
		case !found && from > 0:
			rule.Revision = 0
			return errDeleted
		case !found && added[rule.String()]: // the form was sent twice
		case !found:
			return errTooMany
		case current.text != rule.String() || current.active != rule.Active:
			rule.Revision = current.revision
			return errChanged
		}
	}
	return nil
}

// MayChange returns mistake if the actor may change the rules of a community, or with "" of the site. If not, it returns the reason.
func (s *Store) MayChange(ctx context.Context, a data.Actor, community string, mistake error) error {
	w := s.DB.Write()
	check := checkAdmin(a)
	if community != "" {
		check = roles.ModeratorIn(a, community).Check
	}
	permission := check(w)
	if err := w.Run(ctx); err != nil {
		return err
	}
	if err := permission.Err(); err != nil {
		return err
	}
	return mistake
}

// checkAdmin is roles.Authority.Check for the rules of the site.
func checkAdmin(a data.Actor) func(*data.Write) *data.Permission {
	return func(w *data.Write) *data.Permission {
		permission := &data.Permission{Refused: errAdmins}
		w.Find(isAdmin, a.Args(nil), permission.Scan)
		return permission
	}
}
