package listing

import (
	"maps"
	"time"

	"plaza/data"
	"plaza/data/lists/search"
	"plaza/data/pace/deadline"
	"plaza/data/wire/hrana"
	pages "plaza/render/listing"
	"plaza/worker/request"
)

// A search of several words can take longer than any other read. An instance sends one of them at a time, so that the database has time for
// all other users.
const (
	searchPatience = 4 * time.Second // how long to wait for earlier ones
	searchTime     = 4 * time.Second // how long one may take
)

// runSearch reads a page of a search. long marks a search that may take long. The limit is charged for the time that
// the database was busy (request.Server.Charge). Unavailable if too many other searches wait.
func (h *Handlers) runSearch(c *request.Call, long bool, run func() error) error {
	if long {
		release, err := h.Searches.Acquire(c.R.Context(), deadline.Remaining(c.R.Context(), searchPatience), searchTime)
		if err != nil {
			return data.UnavailableBecause(err)
		}
		defer release()
	}
	ctx, meter := hrana.WithMeter(c.R.Context())
	original := c.R
	c.R = original.WithContext(ctx)
	defer func() { c.R = original }()
	err := run()
	h.Charge(c, c.Route.Limit, meter.Took())
	return err
}

// fewFound is the number of results below which a search may have a mistyped word.
const fewFound = 3

// respell offers a corrected search, if a word of s seems to be mistyped. If s has found nothing, the page shows the results of the
// corrected search. If a read fails, the page still shows the results of s.
func (h *Handlers) respell(c *request.Call, s *searchRequest, p *pages.SearchPage) {
	if p.Form.Errors["q"] != "" {
		return
	}
	if err := h.offerCorrected(c, s, p); err != nil {
		h.Log.WarnContext(c.R.Context(), "search not corrected", "request", c.ID, "error", err)
	}
}

func (h *Handlers) offerCorrected(c *request.Call, s *searchRequest, p *pages.SearchPage) error {
	var spelling *search.Spelling
	if err := h.runSearch(c, true, func() error {
		r := c.ReadMore()
		spelling = h.Search.FindSpelling(r, s.Query, s.typ == "comments")
		return c.RunMore(r)
	}); err != nil {
		return err
	}
	corrected := *s
	if corrected.url = maps.Clone(s.url); !corrected.setText(spelling.Correct(s.form.Values["q"])) {
		return nil
	}
	p.Meant, p.MeantURL = corrected.url.Get("q"), corrected.address()
	if len(p.Posts)+len(p.Comments) > 0 {
		return nil
	}
	r := c.ReadMore()
	fill := h.find(c, r, &corrected)
	if err := h.runSearch(c, corrected.Words.Expensive(), func() error { return c.RunMore(r) }); err != nil {
		return err
	}
	fill(p)
	p.Instead = len(p.Posts)+len(p.Comments) > 0
	return nil
}

// setText replaces the typed text. It reports whether the new one has a word to search for.
func (s *searchRequest) setText(text string) bool {
	words, err := search.Parse(text)
	if err != nil || len(words.All) == 0 {
		return false
	}
	s.Words = words
	s.url.Set("q", text)
	return true
}
