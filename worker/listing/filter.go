package listing

import (
	"net/http"
	"strconv"
	"time"

	"plaza/data"
	"plaza/data/accounts"
	"plaza/locale"
	pages "plaza/render/listing"
	"plaza/render/ui"
	"plaza/worker/request"
)

var filterFields = []string{"kind", "value", "days"}

// ShowFilters lists the member's filters, with a form to add one.
func (h *Handlers) ShowFilters(c *request.Call) error {
	return h.filtersPage(c, http.StatusOK, ui.Form{Errors: map[string]locale.Text{},
		Values: map[string]string{"kind": accounts.FilterWords}})
}

func (h *Handlers) filtersPage(c *request.Call, status int, f ui.Form) error {
	if err := c.Run(c.Read()); err != nil && status == http.StatusOK { // what was typed is shown in any case
		return err
	}
	p := pages.FiltersPage{Frame: c.Frame("Filters"), Form: f}
	var filters []accounts.Filter
	if c.Viewer != nil {
		filters = c.Viewer.Filters
	}
	for _, f := range filters {
		shown := pages.Filter{Kind: f.Kind, Value: f.Value}
		if f.Until != 0 {
			if shown.Until = time.UnixMilli(f.Until); !shown.Until.After(c.At) {
				continue
			}
		}
		p.Filters = append(p.Filters, shown)
	}
	return request.Show(c, status, pages.Filters, p)
}

// ChangeFilters adds a filter, or removes one.
func (h *Handlers) ChangeFilters(c *request.Call) error {
	f := accounts.Filter{Kind: c.Value("kind"), Value: c.Value("value")}
	change := h.Accounts.AddFilter
	switch on := c.Value("on"); on {
	case "0", "false":
		change = h.Accounts.RemoveFilter
	case "", "1", "true":
		if days := c.Value("days"); days != "" {
			n, err := strconv.Atoi(days)
			if err != nil || n < 1 || n > 365 {
				return h.RefuseFilters(c, data.Mistake("days", "Please choose one of the values in the list."))
			}
			f.Until = h.Source.Now().Add(time.Duration(n) * 24 * time.Hour).UnixMilli()
		}
	default:
		return &data.Error{Code: data.Invalid, Field: "on", Message: "on is 1 to add a filter and 0 to remove it."}
	}
	if err := change(c.R.Context(), *c.Actor, f); err != nil {
		return h.RefuseFilters(c, err)
	}
	to := c.Value("return")
	if to == "" {
		return c.Done("/settings/filters", map[string]any{"ok": true})
	}
	if c.Fragment() && !c.WantsJSON() { // the menu of a community or tag
		return c.Page(http.StatusOK, ui.ExcludeFragment(f.Kind, f.Value, c.Value("on") != "0" && c.Value("on") != "false", request.Back(to)))
	}
	return c.Done(request.Back(to), map[string]any{"ok": true})
}

// RefuseFilters shows the form again, with what was typed and why it was refused.
func (h *Handlers) RefuseFilters(c *request.Call, err error) error {
	return request.Refuse(c, err, h.filtersPage, filterFields)
}
