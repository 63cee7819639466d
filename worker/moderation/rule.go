package moderation

import (
	"net/http"
	"slices"
	"strconv"
	"strings"

	"plaza/data"
	"plaza/data/content/communities"
	"plaza/data/content/flair"
	"plaza/data/rights/reputation"
	"plaza/data/rights/rules"
	"plaza/locale"
	pages "plaza/render/moderation"
	"plaza/render/ui"
	"plaza/worker/request"
	"plaza/worker/view"
)

// ShowRules lists the automatic rules of a community or of the site.
func (h *Handlers) ShowRules(c *request.Call) error { return h.rulesPage(c, http.StatusOK, nil) }

// readRules begins the Read of a page about automatic rules. The site's rules hit on all shards, of which some may be unavailable.
func readRules(c *request.Call, community string) *data.Read {
	if community == "" {
		return c.ReadMerged()
	}
	return c.Read()
}

func (h *Handlers) rulesPage(c *request.Call, status int, refused error) error {
	name := c.R.PathValue("community")
	r := readRules(c, name)
	list := h.Rules.Find(r, name)
	community, counts := h.communityOfRules(c, r, name), h.FindModCounts(c, r, name)
	if err := c.Run(r); err != nil {
		return err
	}
	p := pages.RulesPage{Action: request.RulesURL(name), NewURL: request.RuleURL(name), Form: c.Typed("text")}
	title := locale.Text("Automatic rules of the site")
	if community != nil {
		if community.ID == 0 || data.IsProfile(name) {
			return request.ErrNoCommunity
		}
		shown := view.CommunityView(community)
		p.Community, title = &shown, locale.With("Automatic rules of c/{}", community.Name)
	}
	p.Nav = rulesNav(c, p.Community, counts)
	var texts []string
	for _, rule := range *list {
		p.Rules = append(p.Rules, pages.RuleLine{ID: rule.ID.Text(), URL: request.RuleURL(name) + "?rule=" + rule.ID.Text(), Title: rule.Title,
			Active: rule.Active, Hits: rule.Hits, LastAt: rule.LastAt})
		texts = append(texts, rule.String())
	}
	p.Text = strings.Join(texts, "\n")
	for _, x := range rules.ReadyRules() {
		p.Ready = append(p.Ready, pages.ReadyRule{Title: x.Rule.Title, URL: request.RuleURL(name) + "?like=" + x.Name, Says: x.Says})
	}
	if refused != nil {
		p.Form = request.WithError(p.Form, refused)
	}
	p.Frame = c.Frame(title)
	return request.Show(c, status, pages.AutomaticRules, p)
}

// rulesNav is the navigation of the pages of automatic rules: of a community, nil for the site.
func rulesNav(c *request.Call, community *ui.Community, counts *view.ModCounts) ui.ModNav {
	if community == nil {
		return view.SiteModNav(c, request.RulesURL(""))
	}
	return view.ModNav(c, *community, counts, request.RulesURL(community.Name))
}

// communityOfRules reads the community whose rules a page is about; nil for the site.
func (h *Handlers) communityOfRules(c *request.Call, r *data.Read, name string) *communities.Community {
	if name == "" {
		return nil
	}
	return h.Communities.FindByName(r, name, c.ViewerID())
}

// ChangeRules switches a rule on or off, deletes it, or adds the rules of a text, which are off.
func (h *Handlers) ChangeRules(c *request.Call) error {
	name := c.R.PathValue("community")
	err := h.changeRulesOf(c, name)
	if err != nil {
		if code := data.ErrorCode(err); (code == data.Invalid || code == data.Conflict) && !c.WantsJSON() {
			return h.rulesPage(c, request.FormStatus(err), err)
		}
		return err
	}
	return c.Done(request.RulesURL(name), map[string]any{"permalink": request.RulesURL(name)})
}

func (h *Handlers) changeRulesOf(c *request.Call, name string) error {
	ctx := c.R.Context()
	what, text, _ := strings.Cut(c.Value("do"), " ")
	if what == "add" {
		list, err := rules.ParseAll(c.Value("text"))
		if err != nil {
			return h.Rules.MayChange(ctx, *c.Actor, name, err)
		}
		for _, rule := range list {
			rule.ID = h.newRuleID()
		}
		return h.Rules.Save(ctx, *c.Actor, name, list...)
	}
	id, err := data.ParseID(text)
	if err != nil {
		return h.Rules.MayChange(ctx, *c.Actor, name, &data.Error{Code: data.Invalid, Message: "That is no rule of this site."})
	}
	rule, err := h.findRule(c, name, id)
	if err != nil {
		return h.Rules.MayChange(ctx, *c.Actor, name, err)
	}
	switch what {
	case "on", "off":
		rule.Active = what == "on"
		return h.Rules.Save(ctx, *c.Actor, name, rule)
	case "delete":
		return h.Rules.Delete(ctx, *c.Actor, name, rule)
	}
	return h.Rules.MayChange(ctx, *c.Actor, name, &data.Error{Code: data.Invalid, Message: "A rule can be switched on or off, or deleted."})
}

func (h *Handlers) newRuleID() data.ID { return h.Source.NewID(0, data.KindOther) }

var errNoRule = &data.Error{Code: data.NotFound, Message: "There is no such rule here. It may have been deleted."}

func (h *Handlers) findRule(c *request.Call, name string, id data.ID) (*rules.Rule, error) {
	r := h.DB.Read()
	list := h.Rules.Find(r, name)
	if err := r.Run(c.R.Context()); err != nil {
		return nil, err
	}
	for _, rule := range *list {
		if rule.ID == id {
			return rule, nil
		}
	}
	return nil, errNoRule
}

// ruleNumbers are the fields of the form that are numbers.
func ruleNumbers(r *rules.Rule) map[string]*int {
	return map[string]*int{"links": &r.Links, "pictures": &r.Pictures, "younger": &r.Younger, "karma": &r.Karma,
		"accepted": &r.Accepted, "hourly": &r.Hourly, "reports": &r.Reports}
}

// ShowRule is the form of a rule, of a new one if the address names none.
func (h *Handlers) ShowRule(c *request.Call) error {
	id, err := request.OptionalID(c.R.URL.Query().Get("rule"))
	if err != nil {
		return err
	}
	var template *rules.Rule
	if like := c.R.URL.Query().Get("like"); like != "" {
		for _, x := range rules.ReadyRules() {
			if x.Name == like {
				template = &x.Rule
				template.ID = h.newRuleID()
			}
		}
	}
	return h.rulePage(c, http.StatusOK, id, template, nil)
}

// rulePage shows the form of the rule given; if that is nil, of the rule with the id. A rule that was sent without mistakes gets a dry
// run.
func (h *Handlers) rulePage(c *request.Call, status int, id data.ID, given *rules.Rule, refused error) error {
	typed := !request.SafeMethod(c.R.Method)
	name := c.R.PathValue("community")
	r := readRules(c, name)
	list := h.Rules.Find(r, name)
	community, flairs := h.communityOfRules(c, r, name), &flair.Set{}
	actions := rules.Actions
	if name == "" { // each community has its own flairs
		actions = slices.DeleteFunc(slices.Clone(actions), func(x rules.Action) bool { return x == rules.Flair })
	} else {
		flairs = h.Flairs.Find(r, name)
	}
	counts := h.FindModCounts(c, r, name)
	var onPosts, onComments *rules.DryRun
	if typed && refused == nil {
		onPosts, onComments = h.Rules.Try(r, name, given)
	}
	if err := c.Run(r); err != nil {
		return err
	}
	p := pages.RulePage{Action: request.RuleURL(name), ListURL: request.RulesURL(name), Reasons: view.RulesOf(c, nil),
		Begin: c.R.URL.Query().Get("like")}
	if community != nil {
		if community.ID == 0 || data.IsProfile(name) {
			return request.ErrNoCommunity
		}
		shown := view.CommunityView(community)
		p.Community, p.Reasons = &shown, view.RulesOf(c, community)
		for _, f := range flairs.Flairs {
			p.Flairs = append(p.Flairs, f.Text)
		}
	}
	p.Nav = rulesNav(c, p.Community, counts)
	rule := given
	if rule == nil {
		rule = rules.New()
		if i := slices.IndexFunc(*list, func(r *rules.Rule) bool { return r.ID == id }); i >= 0 {
			rule = (*list)[i]
		} else if id != 0 {
			return errNoRule
		} else {
			rule.ID = h.newRuleID()
		}
	}
	p.Form = ruleForm(c, rule, typed)
	if refused != nil {
		p.Form = request.WithError(p.Form, refused)
	}
	p.Kinds, p.Levels, p.Actions = ruleChoices(rules.Kinds, rule.Kinds), ruleChoices(rules.Levels, rule.Levels),
		ruleChoices(actions, rule.Actions)
	if onPosts != nil {
		p.Tried, p.Text = []pages.RuleDryRun{dryRunView("posts", onPosts), dryRunView("comments", onComments)}, rule.String()
	}
	p.Frame = c.Frame("Automatic rule")
	return request.Show(c, status, pages.AutomaticRule, p)
}

// ruleChoices are the checkboxes of a list of names, of which some are chosen.
func ruleChoices[S ~string](all, chosen []S) (list []pages.RuleChoice) {
	for _, x := range all {
		list = append(list, pages.RuleChoice{Value: string(x), Chosen: slices.Contains(chosen, x)})
	}
	return list
}

// chosenOf are the names of a list that the form has ticked.
func chosenOf[S ~string](c *request.Call, name string) (list []S) {
	for _, x := range c.Form[name] {
		list = append(list, S(x))
	}
	return list
}

func dryRunView(kind string, t *rules.DryRun) pages.RuleDryRun {
	v := pages.RuleDryRun{Of: kind, Tried: int64(t.Checked), Hit: int64(t.Total), Stopped: t.Stopped}
	for _, x := range t.Hit {
		v.Things = append(v.Things, pages.TriedThing{Title: x.Title, URL: x.URL, Removed: x.Removed})
	}
	return v
}

// ruleForm are the values of the form.
func ruleForm(c *request.Call, r *rules.Rule, typed bool) ui.Form {
	f := ui.Form{Errors: map[string]locale.Text{}, Values: map[string]string{"rule": r.ID.Text(),
		"revision": strconv.FormatInt(r.Revision, 10),
		"title":    r.Title, "words": strings.Join(r.Words, ", "), "pattern": r.Pattern,
		"domains": strings.Join(r.Domains, ", "), "reason": r.Reason, "flair": r.Flair, "answer": r.Message, "active": request.Checked(r.Active)}}
	for name, n := range ruleNumbers(r) {
		if *n >= 0 {
			f.Values[name] = strconv.Itoa(*n)
		}
		if typed {
			f.Values[name] = c.Value(name)
		}
	}
	return f
}

// ruleOfForm reads the form. A program leaves out the id of a new rule. Invalid.
func (h *Handlers) ruleOfForm(c *request.Call) (*rules.Rule, error) {
	r := rules.New()
	r.Title, r.Pattern, r.Reason, r.Flair, r.Message, r.Active = c.Value("title"), c.Value("pattern"), c.Value("reason"), c.Value("flair"),
		c.Value("answer"), c.Flag("active")
	r.Words, r.Domains = rules.Split(c.Value("words")), rules.Split(c.Value("domains"))
	r.Kinds, r.Levels, r.Actions = chosenOf[rules.Kind](c, "kinds"), chosenOf[reputation.Level](c, "standing"),
		chosenOf[rules.Action](c, "do")
	var err error
	if r.Revision = rules.AnyRevision; c.HasAny("revision") {
		r.Revision = request.RevisionOf(c)
	}
	if c.Value("rule") == "" {
		r.ID = h.newRuleID()
	} else if r.ID, err = data.ParseID(c.Value("rule")); err != nil {
		return r, &data.Error{Code: data.Invalid, Field: "rule", Message: "That is no rule of this site."}
	}
	var mistakes []error
	for name, n := range ruleNumbers(r) {
		if text := strings.TrimSpace(c.Value(name)); text != "" {
			if *n, err = strconv.Atoi(text); err != nil || *n < 0 || *n > rules.NumberMax {
				mistakes = append(mistakes, data.Mistake(name, "Please give a whole number, or nothing."))
			}
		}
	}
	return r, data.AllMistakes(append(mistakes, r.Validate())...)
}

// SaveRule stores a rule, or makes a dry run.
func (h *Handlers) SaveRule(c *request.Call) error {
	name := c.R.PathValue("community")
	rule, err := h.ruleOfForm(c)
	if c.Value("then") == "try" || err != nil {
		if err := h.Rules.MayChange(c.R.Context(), *c.Actor, name, nil); err != nil {
			return err
		}
		if c.WantsJSON() {
			if err != nil {
				return err
			}
			return h.tryRule(c, name, rule)
		}
		status := http.StatusOK
		if err != nil {
			status = request.FormStatus(err)
		}
		return h.rulePage(c, status, rule.ID, rule, err)
	}
	err = h.Rules.Save(c.R.Context(), *c.Actor, name, rule)
	if code := data.ErrorCode(err); (code == data.Invalid || code == data.Conflict) && !c.WantsJSON() {
		return h.rulePage(c, request.FormStatus(err), rule.ID, rule, err)
	}
	if err != nil {
		return err
	}
	return c.Done(request.RulesURL(name), map[string]any{"id": rule.ID, "permalink": request.RulesURL(name)})
}

// tryRule sends a program the dry run of a rule.
func (h *Handlers) tryRule(c *request.Call, name string, rule *rules.Rule) error {
	r := readRules(c, name)
	community := h.communityOfRules(c, r, name)
	posts, comments := h.Rules.Try(r, name, rule)
	if err := c.Run(r); err != nil {
		return err
	}
	if community != nil && (community.ID == 0 || data.IsProfile(name)) {
		return request.ErrNoCommunity
	}
	summarize := func(t *rules.DryRun) map[string]any {
		hit := []map[string]any{}
		for _, x := range t.Hit {
			hit = append(hit, map[string]any{"title": x.Title, "permalink": x.URL, "removed": x.Removed})
		}
		return map[string]any{"tried": t.Checked, "hits": t.Total, "stopped": t.Stopped, "first": hit}
	}
	return c.Done(request.RulesURL(name), map[string]any{"posts": summarize(posts), "comments": summarize(comments)})
}
