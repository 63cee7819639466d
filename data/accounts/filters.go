package accounts

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"plaza/data"
	"plaza/protocol/weburl"
)

// Filter leaves posts out of a member's lists. Filters are stored as JSON in users.filters and read with the state that every page of a
// member reads (FindViewer). Pages apply them to the posts they have read, so a filter reads no rows.
type Filter struct {
	Kind  string `json:"kind"`            // one of FilterKinds
	Value string `json:"value"`           // a community's or tag's name, a host, or words
	Until int64  `json:"until,omitempty"` // in Unix milliseconds, when it expires; 0 is never
}

// Kinds of filters.
const (
	FilterCommunity = "community"
	FilterTag       = "tag"
	FilterDomain    = "domain" // and its subdomains
	FilterWords     = "words"  // one word or a phrase, in the title or in the beginning of the text
)

// FilterKinds are all kinds, in the order of the form.
var FilterKinds = []string{FilterCommunity, FilterTag, FilterDomain, FilterWords}

const (
	FiltersMax   = 100 // of a member
	FilterValMax = 100 // characters of a value
)

// FilterSubject has the fields of a post that filters compare.
type FilterSubject struct {
	Community, Domain, Title, Text string
	Tags                           []string
}

// Matching returns the index of the first filter that excludes the post at the time at; -1 for none.
func Matching(filters []Filter, p *FilterSubject, at time.Time) int {
	words := ""
	return slices.IndexFunc(filters, func(f Filter) bool {
		if f.Until != 0 && f.Until <= at.UnixMilli() {
			return false
		}
		switch f.Kind {
		case FilterCommunity:
			return strings.EqualFold(f.Value, p.Community)
		case FilterTag:
			return slices.ContainsFunc(p.Tags, func(tag string) bool { return strings.EqualFold(f.Value, tag) })
		case FilterDomain:
			return weburl.Within(p.Domain, weburl.Typed(f.Value))
		case FilterWords:
			if words == "" {
				words = wordsOf(p.Title) + wordsOf(p.Text)
			}
			return strings.Contains(words, wordsOf(f.Value))
		}
		return false
	})
}

// wordsOf returns the words of a text in lower case, each between spaces, so that only whole words match.
func wordsOf(text string) string {
	words := strings.FieldsFunc(strings.ToLower(text), func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.IsMark(r)
	})
	return " " + strings.Join(words, " ") + " "
}

// validate normalizes the value for Matching, and checks the filter. Invalid.
func (f *Filter) validate() error {
	f.Value = data.Line(f.Value)
	switch f.Kind {
	case FilterCommunity:
		f.Value = strings.TrimPrefix(strings.TrimPrefix(f.Value, "/"), "c/")
		if f.Value != "" && !data.IsName(f.Value, 3, 21, false) {
			return data.Mistake("value", "A community's name has 3 to 21 characters: letters and digits, with _ between them.")
		}
	case FilterTag:
		f.Value = norm.NFC.String(strings.ToLower(strings.TrimPrefix(f.Value, "#")))
		if strings.ContainsFunc(f.Value, func(r rune) bool { return r != '-' && !unicode.In(r, unicode.L, unicode.N, unicode.M) }) {
			return data.Mistake("value", "A tag has letters, digits and hyphens between them, such as web-design.")
		}
	case FilterDomain:
		host := weburl.Typed(f.Value)
		if f.Value != "" && (!strings.Contains(host, ".") || !weburl.IsDomain(host)) {
			return data.Mistake("value", "A domain looks like example.com.")
		}
		f.Value = host
	}
	return data.AllMistakes(
		data.MistakeIf(!slices.Contains(FilterKinds, f.Kind), "kind", "Please choose one of the values in the list."),
		data.MistakeIf(strings.TrimSpace(wordsOf(f.Value)) == "", "value", "Please write what to leave out."),
		data.MistakeIf(utf8.RuneCountInString(f.Value) > FilterValMax, "value", "A filter has at most 100 characters."))
}

// scanFilters parses a column of filters.
func scanFilters(row *data.Row) (filters []Filter) {
	if text := row.Text(); text != "" {
		row.Fail(json.Unmarshal([]byte(text), &filters))
	}
	return filters
}

const (
	// The filters except the changed one and the expired ones. Primary key.
	otherFilters = `FROM json_each(iif(filters = '', '[]', filters)) j
  WHERE NOT (j.value ->> 'kind' = :kind AND j.value ->> 'value' = :filtered COLLATE NOCASE)
    AND coalesce(j.value ->> 'until', 9e15) > ` + data.DatabaseNow
	changeFilter = `UPDATE users SET filters = (SELECT json_group_array(json(f.value)) FROM (
  SELECT j.value ` + otherFilters + ` UNION ALL SELECT :filter WHERE :filter <> '') f)
WHERE id = :actor AND (:filter = '' OR (SELECT count(*) ` + otherFilters + `) < 100) AND ` + data.LiveSession
	filterSession = `SELECT ` + data.LiveSession
)

// AddFilter adds a filter, or changes when the same one expires. Invalid (also if there are FiltersMax), Unauthenticated.
func (s *Store) AddFilter(ctx context.Context, a data.Actor, f Filter) error {
	if err := f.validate(); err != nil {
		return err
	}
	text, err := json.Marshal(f)
	if err != nil {
		return err
	}
	return s.changeFilter(ctx, a, f, string(text))
}

// RemoveFilter removes a filter if it exists. Unauthenticated.
func (s *Store) RemoveFilter(ctx context.Context, a data.Actor, f Filter) error {
	return s.changeFilter(ctx, a, f, "")
}

func (s *Store) changeFilter(ctx context.Context, a data.Actor, f Filter, text string) error {
	w := s.DB.Write()
	changed := w.Do(changeFilter, a.Args(data.Args{"kind": f.Kind, "filtered": f.Value, "filter": text, "now": s.Source.DatabaseNow()}))
	live := false
	w.Find(filterSession, a.Args(nil), func(row *data.Row) { live = row.Bool() })
	if err := w.Run(ctx); err != nil {
		return err
	}
	switch {
	case !live:
		return data.ErrSessionEnded
	case changed.Rows == 0:
		return data.Mistake("value", "You have 100 filters, which is the most. Remove one of them first.")
	}
	return nil
}
