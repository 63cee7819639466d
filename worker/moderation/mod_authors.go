package moderation

import (
	"cmp"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"plaza/data"
	"plaza/data/moderation/reports"
	"plaza/data/rights/bans"
	"plaza/locale"
	"plaza/protocol/weburl"
	pages "plaza/render/moderation"
	"plaza/render/ui"
	"plaza/worker/request"
	"plaza/worker/view"
)

const (
	domainsOffered = 30 // in the filter, the most frequent
	networkLetters = 4  // of a network's label
)

// authorAges are the days of the filter by the age of accounts.
var authorAges = []int{1, 2, 7, 30}

// authorFilter selects authors of items in a queue. The zero value matches all, but ticks none.
type authorFilter struct {
	younger int // days
	network string
	domain  string
}

func (f authorFilter) query() url.Values {
	q := url.Values{}
	if f.younger > 0 {
		q.Set("younger", strconv.Itoa(f.younger))
	}
	if f.network != "" {
		q.Set("network", f.network)
	}
	if f.domain != "" {
		q.Set("domain", f.domain)
	}
	return q
}

func authorFilterOf(c *request.Call) authorFilter {
	q := c.R.URL.Query()
	days, _ := strconv.Atoi(q.Get("younger"))
	if !slices.Contains(authorAges, days) {
		days = 0
	}
	return authorFilter{days, q.Get("network"), weburl.Typed(q.Get("domain"))}
}

// networkLabel is a pseudonym of a network in one community: moderators see who shares a network, but not which one it is.
func (h *Handlers) networkLabel(community, network string) string {
	if network == "" {
		return ""
	}
	return strings.ToUpper(h.Key.Hash("moderated network", strings.ToLower(community)+"\x00"+network)[:networkLetters])
}

// ShowAuthors lists the authors of items in a community's queue, to ban several at once.
func (h *Handlers) ShowAuthors(c *request.Call) error { return h.authorsPage(c, http.StatusOK, nil) }

// authorsPage shows the list. refused is why a decision was refused, or nil.
func (h *Handlers) authorsPage(c *request.Call, status int, refused error) error {
	if err := c.Parse(); err != nil {
		return err
	}
	name, filter := c.R.PathValue("community"), authorFilterOf(c)
	r := c.Read()
	community, authors := h.Communities.FindByName(r, name, c.ViewerID()), h.Reports.FindAuthors(r, name)
	counts := h.FindModCounts(c, r, name)
	if err := c.Run(r); err != nil {
		return err
	}
	if community.ID == 0 || data.IsProfile(name) {
		return request.ErrNoCommunity
	}
	if h.DB.HasShards() { // shards do not know who logged in from where
		r := h.DB.Read()
		h.Reports.FindNetworks(r, authors)
		if err := r.Run(c.R.Context()); err != nil {
			return err
		}
	}
	address := request.AuthorsURL(community.Name)
	p := pages.AuthorsPage{Rules: view.RulesOf(c, community), Days: request.BanDays,
		ClearDays: bans.ClearDays, Action: address, AllURL: address,
		Form: c.Typed("rule", "text", "days", "clear"), More: authors.More, Most: bans.SeveralMax}
	p.Nav = view.ModNav(c, view.CommunityView(community), counts, request.BansURL(community.Name))
	if q := filter.query(); len(q) > 0 {
		p.Action, p.Filtered = address+"?"+q.Encode(), true
	}
	h.fillAuthors(c, &p, authors.List, filter, community.Name)
	if refused != nil {
		p.Form = request.WithError(p.Form, refused)
	}
	p.Frame = c.Frame(locale.With("Authors in the queue of c/{}", community.Name))
	return request.Show(c, status, pages.Authors, p)
}

// fillAuthors fills the list and the choices of its filters. It ticks the authors who match the filters, and those of cases that were
// ticked in the queue. After a refused form it ticks those whom the form had ticked.
func (h *Handlers) fillAuthors(c *request.Call, p *pages.AuthorsPage, list []*reports.Author, filter authorFilter, community string) {
	labels, shared, domains := map[data.ID]string{}, map[string]int{}, map[string]int{}
	for _, x := range list {
		if labels[x.ID] = h.networkLabel(community, x.Network); labels[x.ID] != "" {
			shared[labels[x.ID]]++
		}
		for _, host := range x.Hosts {
			domains[host]++
		}
	}
	now := h.Source.Now()
	for _, days := range authorAges {
		p.Younger = append(p.Younger, ui.Option{Value: strconv.Itoa(days), Label: locale.With("younger than a day|younger than {} days", days)})
	}
	p.Networks = counted(shared, 2, len(shared), "network {} ({})")
	p.Domains = counted(domains, 1, domainsOffered, "{} ({})")
	if filter.domain != "" && !slices.ContainsFunc(p.Domains, func(o ui.Option) bool { return o.Value == filter.domain }) {
		p.Domains = append(p.Domains, ui.Option{Value: filter.domain, Label: locale.Verbatim(filter.domain)})
	}
	p.Filter = map[string]string{"network": filter.network, "domain": filter.domain}
	if filter.younger > 0 {
		p.Filter["younger"] = strconv.Itoa(filter.younger)
	}
	sent := !request.SafeMethod(c.R.Method)
	targets := c.R.URL.Query()["target"]
	for _, x := range list {
		if c.IsViewer(x.ID) || filter.younger > 0 && now.Sub(x.Joined()) >= time.Duration(filter.younger)*24*time.Hour ||
			filter.network != "" && labels[x.ID] != filter.network || filter.domain != "" && !x.Links(filter.domain) {
			continue
		}
		v := pages.AuthorLine{ID: x.ID.Text(), Name: x.Name, CardURL: request.MemberCardURL(community, x.ID, x.Name), JoinedAt: x.Joined(),
			Cases: x.Items, Reports: x.Reports, URL: x.URL, Title: x.Title, Hosts: x.Hosts}
		if shared[labels[x.ID]] > 1 {
			v.Network = labels[x.ID]
		}
		v.Ticked = p.Filtered || slices.ContainsFunc(x.Targets, func(id data.ID) bool { return slices.Contains(targets, id.Text()) })
		if sent {
			v.Ticked = slices.Contains(c.Form["member"], v.ID)
		}
		if v.Ticked = v.Ticked && (sent || p.Ticked < bans.SeveralMax); v.Ticked {
			p.Ticked++
		}
		p.Lines = append(p.Lines, v)
	}
	slices.SortStableFunc(p.Lines, func(a, b pages.AuthorLine) int { return cmp.Compare(rank(b.Ticked), rank(a.Ticked)) })
}

// rank is for sorting by something that is true or false.
func rank(first bool) int {
	if first {
		return 1
	}
	return 0
}

// counted returns up to limit options, for values of at least atLeast authors, the most frequent first. label has a value and its number.
func counted(authors map[string]int, atLeast, limit int, label locale.Text) (options []ui.Option) {
	for value, n := range authors {
		if n >= atLeast {
			options = append(options, ui.Option{Value: value, Label: locale.With(label, value, n)})
		}
	}
	slices.SortFunc(options, func(a, b ui.Option) int {
		return cmp.Or(cmp.Compare(authors[b.Value], authors[a.Value]), cmp.Compare(a.Value, b.Value))
	})
	return options[:min(len(options), limit)]
}

// BanAuthors bans or mutes all members who are ticked.
func (h *Handlers) BanAuthors(c *request.Call) error {
	d := bans.Decision{Community: c.R.PathValue("community"), Act: c.Act(), Clear: c.Days("clear")}
	done, err := h.decideSeveral(c, d)
	if code := data.ErrorCode(err); (code == data.Invalid || code == data.Conflict) && !c.WantsJSON() {
		return h.authorsPage(c, request.FormStatus(err), err)
	}
	if err != nil {
		return err
	}
	to := request.BansURL(done.Community)
	if done.First != 0 { // else the form was sent before
		to += "?first=" + done.First.Text() + "&last=" + done.Last.Text()
	}
	return c.Done(to, map[string]any{"users": done.Names, "decision": d.Action, "left": done.Skipped})
}

// decideSeveral decides about all members whom the form has ticked.
func (h *Handlers) decideSeveral(c *request.Call, d bans.Decision) (*bans.Several, error) {
	var members []data.ID
	for _, text := range c.Form["member"] {
		id, err := data.ParseID(text)
		if err != nil { // the store refuses an empty list, after it has checked the caller's rights
			members = nil
			break
		}
		members = append(members, id)
	}
	done, err := h.Bans.DecideSeveral(c.R.Context(), *c.Actor, d, members)
	if err != nil {
		return nil, err
	}
	if len(done.Names) == 0 {
		return nil, &data.Error{Code: data.Conflict, Message: "Somebody else has just decided about them. Please look at it again."}
	}
	return done, nil
}
