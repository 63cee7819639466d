package moderation

import (
	"context"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"plaza/data"
	"plaza/data/moderation/modlog"
	"plaza/data/moderation/reports"
	"plaza/worker/request"
)

func (h *Handlers) DecideModQueue(c *request.Call) error {
	name := c.R.PathValue("community")
	return h.decideQueued(c, name, h.modQueuePage)
}

func (h *Handlers) DecideAllQueues(c *request.Call) error {
	return h.decideQueued(c, "", h.allQueuesPage)
}

// oneDecision reads the value of a button of a single case: a decision, the thing's id, and for removals the rule.
func oneDecision(value string) (decision modlog.Action, target, rule string, ok bool) {
	first, rest, ok := strings.Cut(value, " ")
	target, rule, _ = strings.Cut(rest, " ")
	return modlog.Action(first), target, rule, ok
}

// noteField is the field of the message to the author of one thing.
func noteField(target string) string { return "text-" + target }

// decisionOf reads the form. It is about the ticked things, or about the one thing whose button was pressed. A decision that ends in " all"
// is about all things of the page; the field written has those that can be removed, if not all can be. Invalid.
func decisionOf(c *request.Call) (r reports.Decision, chosen []string, err error) {
	r = reports.Decision{Act: c.Act()}
	chosen = c.Form["target"]
	if decision, target, rule, ok := oneDecision(c.Value("one")); ok {
		r.Action, chosen = decision, []string{target}
		if rule != "" {
			r.Rule = rule
		}
		if c.Names(noteField(target)) {
			r.Note = c.Value(noteField(target))
		}
	}
	if decision, ok := strings.CutSuffix(c.Value("decision"), " all"); ok {
		r.Action, chosen = modlog.Action(decision), strings.Fields(c.Value("shown"))
		if r.Action == reports.Remove && c.Names("written") {
			chosen = strings.Fields(c.Value("written"))
		}
	}
	for _, text := range chosen {
		id, err := data.ParseID(text)
		if err != nil {
			return r, nil, &data.Error{Code: data.Invalid, Field: "target", Message: "That is not a post, comment or member of this site."}
		}
		r.Targets = append(r.Targets, id)
	}
	return r, chosen, nil
}

// decideQueued decides about things that wait. again shows the page when the decision is refused.
func (h *Handlers) decideQueued(c *request.Call, community string, again func(*request.Call, int, error) error) error {
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
	ruled, err := h.Reports.Decide(c.R.Context(), *c.Actor, community, ruling)
	if err == nil {
		h.copyCounts(c)
		err = ruled.Err()
	}
	code := data.ErrorCode(err)
	if (code == data.Invalid || code == data.Conflict) && !c.WantsJSON() {
		return again(c, request.FormStatus(err), err)
	}
	if err != nil {
		return err
	}
	to, q := c.R.URL.Path, url.Values{}
	for name, value := range c.R.URL.Query() {
		q[name] = value
	}
	q.Set("done", strconv.Itoa(len(ruled.Done)))
	to += "?" + q.Encode()
	if next := caseAfter(strings.Fields(c.Value("shown")), chosen); next != "" {
		to += "#q-" + next
	}
	return c.Done(to, map[string]any{"decided": ruled.Done})
}

// caseAfter is the first case of a page that was not decided and stands behind one that was; "" for none. The page scrolls there, so that a
// moderator who goes from case to case does not start at the top again.
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

// copyCounts updates the numbers in the header, after the answer is sent.
func (h *Handlers) copyCounts(c *request.Call) {
	h.Background(c.R.Context(), func(ctx context.Context) {
		if err := h.Reports.CopyCounts(ctx); err != nil {
			h.Log.WarnContext(ctx, "counts of the queue not copied", "error", err)
		}
	})
}
