package moderation

import (
	"net/http"
	"strconv"
	"strings"

	"plaza/data/moderation/transparency"
	pages "plaza/render/moderation"
	"plaza/worker/request"
)

// ShowTransparency shows how much the site has decided in a half-year, how it was found and how long it took.
func (h *Handlers) ShowTransparency(c *request.Call) error {
	half, n, err := h.findNumbers(c)
	if err != nil {
		return err
	}
	p := pages.TransparencyPage{Frame: c.PublicFrame("Transparency", "How much was reported and decided on this site, by half-year.",
		"/transparency"),
		Half: half.String(), Year: strconv.Itoa(int(half / 10)), Second: half%10 == 2,
		Present: half == transparency.HalfOf(c.Server.Source.Now()), TableURL: "/transparency.csv?half=" + half.String()}
	if n.Earlier != 0 {
		p.EarlierURL = "/transparency?half=" + n.Earlier.String()
	}
	if n.Later != 0 {
		p.LaterURL = "/transparency?half=" + n.Later.String()
	}
	for _, one := range n.Counts {
		p.Counts = append(p.Counts, pages.TransparencyCount{What: one.What, Kind: one.Kind, Ground: one.Ground, Found: one.Found,
			Within: one.Within, Number: one.N, Undone: one.Undone})
	}
	p.LegalNotices, p.Objections = outcomes(n, transparency.LegalNotice), outcomes(n, transparency.Objection)
	p.Appeals, p.Cases = outcomes(n, transparency.Appeal), outcomes(n, transparency.Queue)
	for _, kind := range pages.CountedKinds {
		d := pages.DecisionCount{Kind: kind}
		count := func(ground, found string) (all, undone int64) {
			return n.Sum(func(c transparency.Count) bool {
				law := c.Ground != "" && c.Ground != "rule"
				return c.What == transparency.Decision && c.Kind == kind && (found == "" || c.Found == found) &&
					(ground == "" || law == (ground == "law"))
			})
		}
		d.Number, d.Undone = count("", "")
		d.ByLaw, _ = count("law", "")
		for _, found := range pages.FoundWays {
			all, _ := count("", found)
			d.ByFound = append(d.ByFound, all)
		}
		if d.Number > 0 {
			p.Decisions = append(p.Decisions, d)
		}
	}
	return request.Show(c, http.StatusOK, pages.Transparency, p)
}

// outcomes adds up the results of one kind of case.
func outcomes(n *transparency.Numbers, what string) (o pages.OutcomeCount) {
	count := func(kind string) int64 {
		all, _ := n.Sum(func(c transparency.Count) bool { return c.What == what && c.Kind == kind })
		return all
	}
	o.Came, o.Removed, o.Gone = count(""), count("remove"), count("deleted")
	o.Stayed = count("approve") + count("ignore")
	o.Upheld, o.Overturned = count("upheld"), count("overturned")
	o.Median = n.Median(func(c transparency.Count) bool { return c.What == what && c.Kind != "deleted" })
	return o
}

// findNumbers reads the numbers of the half-year in the address, or of the present one if there is none. Invalid.
func (h *Handlers) findNumbers(c *request.Call) (transparency.Half, *transparency.Numbers, error) {
	half := transparency.HalfOf(c.Server.Source.Now())
	if text := c.R.URL.Query().Get("half"); text != "" {
		var err error
		if half, err = transparency.ParseHalf(text); err != nil {
			return 0, nil, err
		}
	}
	r := c.Read()
	n := transparency.Find(r, h.DB, half)
	return half, n, c.Run(r)
}

// ShowTransparencyTable sends the numbers as comma-separated values (RFC 4180). Values need no quotes: they are words from the code and
// titles of fixed grounds, without commas, quotes or line breaks.
func (h *Handlers) ShowTransparencyTable(c *request.Call) error {
	half, n, err := h.findNumbers(c)
	if err != nil {
		return err
	}
	var b strings.Builder
	b.WriteString("half,what,kind,ground,found,within_hours,number,undone\r\n")
	for _, one := range n.Counts {
		fields := []string{half.String(), one.What, one.Kind, one.Ground, one.Found, strconv.FormatInt(one.Within, 10),
			strconv.FormatInt(one.N, 10), strconv.FormatInt(one.Undone, 10)}
		b.WriteString(strings.Join(fields, ",") + "\r\n")
	}
	c.W.Header().Set("Content-Disposition", `attachment; filename="transparency-`+half.String()+`.csv"`)
	return c.Send(http.StatusOK, "text/csv; charset=utf-8", []byte(b.String()))
}
