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
	searchPatience = 4 * time.Second // for those who came before
	searchTime     = 4 * time.Second // of one
)

// runSearch reads a page of a search. long marks a search that may take long. The time that the database was busy
// counts for the limit (request.Server.Charge). Unavailable when too many other searches wait.
func (h *Handlers) runSearch(c *request.Call, long bool, run func() error) error {
	if long {
		release, err := h.Searches.Acquire(c.R.Context(), deadline.Remaining(c.R.Context(), searchPatience), searchTime)
		if err != nil {
			return data.UnavailableBecause(err)
		}
		defer release()
	}
	ctx, meter := hrana.WithMeter(c.R.Context())
	asked := c.R
	c.R = asked.WithContext(ctx)
	defer func() { c.R = asked }()
	err := run()
	h.Charge(c, c.Route.Limit, meter.Took())
	return err
}

// fewFound is how little a search has found that may have a mistake in it.
const fewFound = 3

// respell offers the search that was meant, if a word of it seems to be mistyped. What found nothing shows what that search finds. The
// page has what was asked for already, so it does without an offer where that can't be made.
func (h *Handlers) respell(c *request.Call, s *asked, p *pages.SearchPage) {
	if p.Form.Errors["q"] != "" {
		return
	}
	if err := h.lookForMeant(c, s, p); err != nil {
		h.Log.WarnContext(c.R.Context(), "nothing offered for what may be mistyped", "request", c.ID, "error", err)
	}
}

func (h *Handlers) lookForMeant(c *request.Call, s *asked, p *pages.SearchPage) error {
	var spelling *search.Spelling
	if err := h.runSearch(c, true, func() error {
		r := c.ReadMore()
		spelling = h.Search.FindSpelling(r, s.Query, s.typ == "comments")
		return c.RunMore(r)
	}); err != nil {
		return err
	}
	meant := *s
	if meant.url = maps.Clone(s.url); !meant.respelt(spelling.Correct(s.form.Values["q"])) {
		return nil
	}
	p.Meant, p.MeantURL = meant.url.Get("q"), meant.address()
	if len(p.Posts)+len(p.Comments) > 0 {
		return nil
	}
	r := c.ReadMore()
	fill := h.find(c, r, &meant)
	if err := h.runSearch(c, meant.Words.Weighs(), func() error { return c.RunMore(r) }); err != nil {
		return err
	}
	fill(p)
	p.Instead = len(p.Posts)+len(p.Comments) > 0
	return nil
}

// respelt replaces the typed text by another. It reports whether that has something to search for.
func (s *asked) respelt(text string) bool {
	words, err := search.Parse(text)
	if err != nil || len(words.All) == 0 {
		return false
	}
	s.Words = words
	s.url.Set("q", text)
	return true
}
