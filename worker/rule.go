package worker

import (
	"net/http"
	"slices"
	"strconv"
	"strings"

	"plaza/data"
	"plaza/data/communities"
	"plaza/data/flair"
	"plaza/data/rules"
	"plaza/data/standing"
	"plaza/render"
)

// showRules lists the automatic rules of a community or of the site.
func (a *App) showRules(c *call) error { return a.rulesPage(c, http.StatusOK, nil) }

func (a *App) rulesPage(c *call, status int, refused error) error {
	name := c.r.PathValue("community")
	r := c.read()
	list := a.rules.Find(r, name)
	community := a.ruledBy(c, r, name)
	if err := c.run(r); err != nil {
		return err
	}
	p := render.RulesPage{Action: rulesURL(name), NewURL: ruleURL(name), Form: c.typed("text")}
	title := "Automatic rules of the site"
	if community != nil {
		if community.ID == 0 || data.IsProfile(name) {
			return errNoCommunity
		}
		view := communityView(community)
		p.Community, title = &view, "Automatic rules of c/"+community.Name
		p.Tabs = c.modTabs(community.Name, rulesURL(community.Name))
	}
	var texts []string
	for _, rule := range *list {
		p.Rules = append(p.Rules, render.RuleLine{ID: rule.ID.Text(), URL: ruleURL(name) + "?rule=" + rule.ID.Text(), Title: rule.Title, Active: rule.Active, Hits: rule.Hits, LastAt: rule.LastAt})
		texts = append(texts, rule.String())
	}
	p.Text = strings.Join(texts, "\n")
	for _, x := range rules.ReadyRules() {
		p.Ready = append(p.Ready, render.ReadyRule{Title: x.Rule.Title, URL: ruleURL(name) + "?like=" + x.Name})
	}
	if refused != nil {
		p.Form = wrong(p.Form, refused)
	}
	p.Frame = c.frame(title, "", "")
	p.NoIndex = true
	return show(c, status, render.AutomaticRules, p)
}

// ruledBy reads the community whose rules a page is about; nil for the site.
func (a *App) ruledBy(c *call, r *data.Read, name string) *communities.Community {
	if name == "" {
		return nil
	}
	return a.communities.FindByName(r, name, c.viewerID())
}

// changeRules switches a rule on or off, deletes it, or adds those of a text, which are off.
func (a *App) changeRules(c *call) error {
	name := c.r.PathValue("community")
	err := a.changeRulesOf(c, name)
	if err != nil {
		if code := data.ErrorCode(err); (code == data.Invalid || code == data.Conflict) && !c.wantsJSON() {
			return a.rulesPage(c, formStatus(err), err)
		}
		return err
	}
	return c.done(rulesURL(name), map[string]any{"permalink": rulesURL(name)})
}

func (a *App) changeRulesOf(c *call, name string) error {
	ctx := c.r.Context()
	what, text, _ := strings.Cut(c.value("do"), " ")
	if what == "add" {
		list, err := rules.ParseAll(c.value("text"))
		if err != nil {
			return a.rules.MayChange(ctx, *c.actor, name, err)
		}
		for _, rule := range list {
			rule.ID = a.ruleID(name)
		}
		return a.rules.Save(ctx, *c.actor, name, list...)
	}
	id, err := data.ParseID(text)
	if err != nil {
		return a.rules.MayChange(ctx, *c.actor, name, &data.Error{Code: data.Invalid, Message: "That is no rule of this site."})
	}
	rule, err := a.findRule(c, name, id)
	if err != nil {
		return a.rules.MayChange(ctx, *c.actor, name, err)
	}
	switch what {
	case "on", "off":
		rule.Active = what == "on"
		return a.rules.Save(ctx, *c.actor, name, rule)
	case "delete":
		return a.rules.Delete(ctx, *c.actor, name, rule)
	}
	return a.rules.MayChange(ctx, *c.actor, name, &data.Error{Code: data.Invalid, Message: "A rule can be switched on or off, or deleted."})
}

// ruleID is the id of a new rule.
func (a *App) ruleID(community string) data.ID { return a.Source.NewID(0, data.KindOther) }

var errNoRule = &data.Error{Code: data.NotFound, Message: "There is no such rule here. It may have been deleted."}

func (a *App) findRule(c *call, name string, id data.ID) (*rules.Rule, error) {
	r := a.DB.Read()
	list := a.rules.Find(r, name)
	if err := r.Run(c.r.Context()); err != nil {
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
	return map[string]*int{"links": &r.Links, "younger": &r.Younger, "karma": &r.Karma, "accepted": &r.Accepted, "hourly": &r.Hourly, "reports": &r.Reports}
}

// showRule is the form of a rule, of a new one if the address names none.
func (a *App) showRule(c *call) error {
	id, err := optionalID(c.r.URL.Query().Get("rule"))
	if err != nil {
		return err
	}
	var begun *rules.Rule
	if like := c.r.URL.Query().Get("like"); like != "" {
		for _, x := range rules.ReadyRules() {
			if x.Name == like {
				begun = &x.Rule
				begun.ID = a.ruleID(c.r.PathValue("community"))
			}
		}
	}
	return a.rulePage(c, http.StatusOK, id, begun, nil)
}

// rulePage shows the form of a rule: of the one that is given, or else of that with the id. A rule that was typed without a mistake is tried.
func (a *App) rulePage(c *call, status int, id data.ID, given *rules.Rule, refused error) error {
	typed := !safeMethod(c.r.Method)
	name := c.r.PathValue("community")
	r := c.read()
	list := a.rules.Find(r, name)
	community, flairs := a.ruledBy(c, r, name), &flair.Set{}
	actions := rules.Actions
	if name == "" { // each community has its own flairs
		actions = slices.DeleteFunc(slices.Clone(actions), func(x rules.Action) bool { return x == rules.Flair })
	} else {
		flairs = a.flairs.Find(r, name)
	}
	var trial, said *rules.Trial
	if typed && refused == nil {
		trial, said = a.rules.Try(r, name, given)
	}
	if err := c.run(r); err != nil {
		return err
	}
	p := render.RulePage{Action: ruleURL(name), ListURL: rulesURL(name), Reasons: c.rulesOf(nil)}
	if community != nil {
		if community.ID == 0 || data.IsProfile(name) {
			return errNoCommunity
		}
		shown := communityView(community)
		p.Community, p.Reasons = &shown, c.rulesOf(community)
		for _, f := range flairs.Flairs {
			p.Flairs = append(p.Flairs, f.Text)
		}
	}
	rule := given
	if rule == nil {
		rule = rules.New()
		if i := slices.IndexFunc(*list, func(r *rules.Rule) bool { return r.ID == id }); i >= 0 {
			rule = (*list)[i]
		} else if id != 0 {
			return errNoRule
		} else {
			rule.ID = a.ruleID(name)
		}
	}
	p.Form = ruleForm(c, rule, typed)
	if refused != nil {
		p.Form = wrong(p.Form, refused)
	}
	p.Kinds, p.Standings, p.Actions = ruleChoices(rules.Kinds, rule.Kinds), ruleChoices(rules.Levels, rule.Standing), ruleChoices(actions, rule.Actions)
	if trial != nil {
		p.Tried, p.Text = []render.RuleTrial{trialView("posts", trial), trialView("comments", said)}, rule.String()
	}
	p.Frame = c.frame("Automatic rule", "", "")
	p.NoIndex = true
	return show(c, status, render.AutomaticRule, p)
}

// ruleChoices are the boxes of a list of names, of which some are chosen.
func ruleChoices[S ~string](all, chosen []S) (list []render.RuleChoice) {
	for _, x := range all {
		list = append(list, render.RuleChoice{Value: string(x), Chosen: slices.Contains(chosen, x)})
	}
	return list
}

// chosenOf are the names of a list that the form has ticked.
func chosenOf[S ~string](c *call, name string) (list []S) {
	for _, x := range c.form[name] {
		list = append(list, S(x))
	}
	return list
}

func trialView(of string, t *rules.Trial) render.RuleTrial {
	v := render.RuleTrial{Of: of, Tried: int64(t.Tried), Hit: int64(t.Total), Stopped: t.Stopped}
	for _, x := range t.Hit {
		v.Things = append(v.Things, render.TriedThing{Title: x.Title, URL: x.URL, Removed: x.Removed})
	}
	return v
}

// ruleForm are the values of the form.
func ruleForm(c *call, r *rules.Rule, typed bool) render.Form {
	f := render.Form{Errors: map[string]string{}, Values: map[string]string{"rule": r.ID.Text(), "revision": strconv.FormatInt(r.Revision, 10), "title": r.Title, "words": strings.Join(r.Words, ", "), "pattern": r.Pattern,
		"domains": strings.Join(r.Domains, ", "), "reason": r.Reason, "flair": r.Flair, "answer": r.Answer, "active": checked(r.Active)}}
	for name, n := range ruleNumbers(r) {
		if *n >= 0 {
			f.Values[name] = strconv.Itoa(*n)
		}
		if typed {
			f.Values[name] = c.value(name)
		}
	}
	return f
}

// ruleOfForm reads the form, in which a program that makes a new rule leaves out its id. Invalid.
func (a *App) ruleOfForm(c *call) (*rules.Rule, error) {
	r := rules.New()
	r.Title, r.Pattern, r.Reason, r.Flair, r.Answer, r.Active = c.value("title"), c.value("pattern"), c.value("reason"), c.value("flair"), c.value("answer"), c.flag("active")
	r.Words, r.Domains = rules.Split(c.value("words")), rules.Split(c.value("domains"))
	r.Kinds, r.Standing, r.Actions = chosenOf[rules.Kind](c, "kinds"), chosenOf[standing.Level](c, "standing"), chosenOf[rules.Action](c, "do")
	var err error
	if r.Revision = rules.AnyRevision; c.names("revision") {
		r.Revision = revisionOf(c)
	}
	if c.value("rule") == "" {
		r.ID = a.ruleID(c.r.PathValue("community"))
	} else if r.ID, err = data.ParseID(c.value("rule")); err != nil {
		return r, &data.Error{Code: data.Invalid, Field: "rule", Message: "That is no rule of this site."}
	}
	var mistakes []error
	for name, n := range ruleNumbers(r) {
		if text := strings.TrimSpace(c.value(name)); text != "" {
			if *n, err = strconv.Atoi(text); err != nil || *n < 0 || *n > rules.NumberMax {
				mistakes = append(mistakes, data.Mistake(name, "Please give a whole number, or nothing."))
			}
		}
	}
	return r, data.AllMistakes(append(mistakes, r.Validate())...)
}

// saveRule stores a rule, or tries it.
func (a *App) saveRule(c *call) error {
	name := c.r.PathValue("community")
	rule, err := a.ruleOfForm(c)
	if c.value("then") == "try" || err != nil {
		if err := a.rules.MayChange(c.r.Context(), *c.actor, name, nil); err != nil {
			return err
		}
		if c.wantsJSON() {
			if err != nil {
				return err
			}
			return a.tryRule(c, name, rule)
		}
		status := http.StatusOK
		if err != nil {
			status = formStatus(err)
		}
		return a.rulePage(c, status, rule.ID, rule, err)
	}
	err = a.rules.Save(c.r.Context(), *c.actor, name, rule)
	if code := data.ErrorCode(err); (code == data.Invalid || code == data.Conflict) && !c.wantsJSON() {
		return a.rulePage(c, formStatus(err), rule.ID, rule, err)
	}
	if err != nil {
		return err
	}
	return c.done(rulesURL(name), map[string]any{"id": rule.ID, "permalink": rulesURL(name)})
}

// tryRule tells a program what a rule would have hit.
func (a *App) tryRule(c *call, name string, rule *rules.Rule) error {
	r := c.read()
	community := a.ruledBy(c, r, name)
	posts, comments := a.rules.Try(r, name, rule)
	if err := c.run(r); err != nil {
		return err
	}
	if community != nil && (community.ID == 0 || data.IsProfile(name)) {
		return errNoCommunity
	}
	tell := func(t *rules.Trial) map[string]any {
		hit := []map[string]any{}
		for _, x := range t.Hit {
			hit = append(hit, map[string]any{"title": x.Title, "permalink": x.URL, "removed": x.Removed})
		}
		return map[string]any{"tried": t.Tried, "hits": t.Total, "stopped": t.Stopped, "first": hit}
	}
	return c.done(rulesURL(name), map[string]any{"posts": tell(posts), "comments": tell(comments)})
}
