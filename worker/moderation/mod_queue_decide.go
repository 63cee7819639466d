package moderation

import (
	"cmp"
	"context"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"plaza/data"
	"plaza/data/events/modlog"
	"plaza/data/moderation/pictureblocks"
	"plaza/data/moderation/reports"
	"plaza/locale"
	"plaza/locale/kept"
	pages "plaza/render/moderation"
	"plaza/worker/request"
)

func (h *Handlers) DecideModQueue(c *request.Call) error {
	name := c.R.PathValue("community")
	return h.decideQueued(c, name, h.modQueuePage)
}

func (h *Handlers) DecideAllQueues(c *request.Call) error {
	return h.decideQueued(c, "", h.allQueuesPage)
}

// The buttons of the queue's form: about one case, about what is ticked, and about all that the page shows.
const (
	decideOne    = "one"
	decideTicked = "ticked"
	decideAll    = "all"
)

// oneDecision parses the value of a button of a single case: a decision, the item's id, and for removals the rule.
func oneDecision(value string) (decision modlog.Action, target, rule string, ok bool) {
	first, rest, ok := strings.Cut(value, " ")
	target, rule, _ = strings.Cut(rest, " ")
	return modlog.Action(first), target, rule, ok
}

// noteField is the field of the message to the author of one item.
func noteField(target string) string { return "text-" + target }

// decisionOf reads the form. It is about the ticked items, the item whose button was pressed, or all items of the page (field shown). If
// some of these can't be removed, the field written has those that can be. Invalid.
func decisionOf(c *request.Call) (r reports.Decision, chosen []string, err error) {
	r = reports.Decision{Act: c.Act()}
	chosen = c.Form["target"]
	set := func(decision, rule, note string) {
		if r.Action = modlog.Action(decision); rule != "" {
			r.Rule = rule
		}
		if c.HasAny(note) {
			r.Note = c.Value(note)
		}
	}
	if decision, target, rule, ok := oneDecision(c.Value(decideOne)); ok {
		set(string(decision), rule, noteField(target))
		chosen = []string{target}
	} else if decision, rule, _ := strings.Cut(c.Value(decideTicked), " "); decision != "" {
		set(decision, rule, "text")
	} else if decision, rule, _ := strings.Cut(c.Value(decideAll), " "); decision != "" {
		set(decision, rule, "all-text")
		chosen = strings.Fields(c.Value("shown"))
		if r.Action == reports.Remove && c.HasAny("written") {
			chosen = strings.Fields(c.Value("written"))
		}
	}
	for _, text := range chosen {
		id, err := data.ParseID(text)
		if err != nil {
			return r, nil, &data.Error{Code: data.Invalid, Field: "target", Message: "That is not a post, comment or member of this site."}
		}
		if len(r.Targets) > reports.TargetsMax || !slices.Contains(r.Targets, id) { // an id that is sent twice is decided once
			r.Targets = append(r.Targets, id)
		}
	}
	return r, chosen, nil
}

// decideQueued decides about items of a queue. show shows the page again if the decision is refused.
func (h *Handlers) decideQueued(c *request.Call, community string, show func(*request.Call, int, error) error) error {
	ruling, chosen, err := decisionOf(c)
	if err != nil {
		return err
	}
	if ruling.Action == "authors" && community != "" && !c.WantsJSON() {
		to := request.AuthorsURL(community)
		if len(chosen) > 0 {
			to += "?" + url.Values{"target": chosen}.Encode()
		}
		return c.Redirect(to)
	}
	var block *pictureblocks.Request
	if ruling.Action == reports.Remove && len(ruling.Targets) == 1 && len(chosen) == 1 {
		block, err = h.blockRequest(c, blockField(chosen[0]), ruling.Targets[0], ruling.Rule)
	}
	decide := h.Reports.Decide
	if ruling.Action == reports.Undo {
		decide = h.Reports.Undo
	}
	var result *reports.Result
	var blocked *pictureblocks.Result
	if err == nil {
		result, err = decide(c.R.Context(), *c.Actor, community, ruling)
	}
	if err == nil || result != nil && len(result.Done) > 0 { // an undo may have undone some before an error
		h.copyCounts(c)
	}
	if err == nil {
		err = result.Err()
	}
	switch {
	case ruling.Action == reports.Undo && result != nil:
		failed := h.Blocks.UnblockWith(c.R.Context(), *c.Actor, result.Done)
		if err != nil && failed != nil { // the response shows only err
			h.Log.ErrorContext(c.R.Context(), "pictures are still blocked after an undo", "targets", result.Done, "error", failed)
		}
		err = cmp.Or(err, failed)
	case err != nil:
	default:
		blocked, err = h.block(c, block)
	}
	code := data.ErrorCode(err)
	if (code == data.Invalid || code == data.Conflict) && !c.WantsJSON() {
		return show(c, request.FormStatus(err), err)
	}
	if err != nil {
		return err
	}
	if c.Fragment() && !c.WantsJSON() {
		return h.decidedInPlace(c, ruling, result.Done, blocked)
	}
	to, q := c.R.URL.Path, c.R.URL.Query()
	if q.Del("done"); ruling.Action == reports.Undo {
		q.Del("undo")
	} else {
		q.Set("done", strconv.Itoa(len(result.Done)))
		q.Set("undo", strings.Join(textsOf(result.Done), " "))
	}
	if len(q) > 0 {
		to += "?" + q.Encode()
	}
	if ruling.Action == reports.Undo && len(result.Done) > 0 {
		to += "#q-" + result.Done[0].Text()
	} else if next := caseAfter(strings.Fields(c.Value("shown")), chosen); next != "" {
		to += "#q-" + next
	}
	return c.Done(to, map[string]any{"decided": result.Done})
}

func textsOf(ids []data.ID) []string {
	texts := make([]string, len(ids))
	for i, id := range ids {
		texts[i] = id.Text()
	}
	return texts
}

// decidedInPlace sends the script what replaces the decided cases on the page. After an undo, nothing does.
func (h *Handlers) decidedInPlace(c *request.Call, ruling reports.Decision, done []data.ID, blocked *pictureblocks.Result) error {
	list := []pages.DecidedCase{}
	words := map[modlog.Action]locale.Text{reports.Remove: locale.With("Removed: {}", kept.Text(ruling.Rule)), reports.Approve: "Approved",
		reports.Ignore: "Ignored"}
	words[reports.Remove] = blockedWords(words[reports.Remove], blocked)
	for _, id := range done {
		if ruling.Action != reports.Undo {
			list = append(list, pages.DecidedCase{ID: id.Text(), Words: words[ruling.Action]})
		}
	}
	return request.Show(c, http.StatusOK, pages.DecidedCases, list)
}

// caseAfter returns the case after the last decided one of a page; "" for none. The page scrolls there, so that a moderator who goes from
// case to case does not start at the top again.
func caseAfter(shown, decided []string) string {
	last := -1
	for i, id := range shown {
		if slices.Contains(decided, id) {
			last = i
		}
	}
	if last < 0 || last+1 == len(shown) {
		return ""
	}
	return shown[last+1]
}

// copyCounts updates the numbers in the header, after the response is sent.
func (h *Handlers) copyCounts(c *request.Call) {
	h.Background(c.R.Context(), func(ctx context.Context) {
		if err := h.Reports.CopyCounts(ctx); err != nil {
			h.Log.WarnContext(ctx, "counts of the queue not copied", "error", err)
		}
	})
}
