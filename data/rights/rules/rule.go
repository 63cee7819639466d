package rules

import (
	"fmt"
	"regexp"
	"regexp/syntax"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"plaza/data"
	"plaza/data/rights/reputation"
	"plaza/locale"
	"plaza/protocol/weburl"
)

// Limits of rules.
const (
	TitleMax    = 100  // characters
	MessageMax  = 1000 // characters
	ListMax     = 200  // words or domains of a rule
	WordMax     = 80   // characters of one of them
	PatternMax  = 300  // characters
	NumberMax   = 1000000
	RulesMax    = 50     // of a community, or of the site
	TextMax     = 100000 // characters of several rules in their text form
	patternCost = 200    // instructions of a compiled pattern
	costMax     = 1000   // of all active rules of a community or of the site
	wordsOfCost = 2      // so many words cost as much as an instruction of a pattern
)

// Kind is a kind of item that rules are about.
type Kind string

// The kinds of items.
const (
	Text    Kind = "text"
	Link    Kind = "link"
	Image   Kind = "image"
	Comment Kind = "comment"
)

// Kinds are all kinds, in the order of the form.
var Kinds = []Kind{Text, Link, Image, Comment}

// Levels are the levels of reputation.
var Levels = []reputation.Level{reputation.New, reputation.Known, reputation.Trusted}

// Action is an action of a rule.
type Action string

// The actions of rules.
const (
	Hold      Action = "hold"    // hides it until a moderator decides
	Remove    Action = "remove"  // for Rule.Reason
	Report    Action = "report"  // adds it to the moderators' queue, and shows it
	Lock      Action = "lock"    // the thread of a post
	NSFW      Action = "nsfw"    // marks a post
	Spoiler   Action = "spoiler" // marks a post
	AutoReply Action = "answer"  // shows Rule.Message below it, publicly
	Flair     Action = "flair"   // gives a post the flair Rule.Flair
)

// Actions are all actions, in the order of the form.
var Actions = []Action{Hold, Remove, Report, Lock, NSFW, Spoiler, AutoReply, Flair}

// Rule is an automatic rule. Its conditions are the fields that are not empty or -1, and all of them have to hold.
type Rule struct {
	ID       data.ID
	Revision int64 // the revision that the form was made from, which must be the stored one; 0 for a new rule, AnyRevision for any
	Title    string
	Active   bool
	Hits     int64
	LastAt   time.Time // of the last hit

	Kinds    []Kind   // one of them; none is every kind
	Words    []string // one of these words or phrases, in title or text, whole and in any case; one that ends in * is a prefix
	Pattern  string   // RE2, in title or text; ^ and $ match at lines
	Domains  []string // a link to one of these, or to a subdomain
	Links    int      // at least as many links
	Pictures int      // at least as many pictures, uploaded or from elsewhere
	Younger  int      // days: the author's account is younger
	Karma    int      // the author has less
	Accepted int      // fewer of the author's posts and comments are visible in this community
	// Hourly is the limit that the author has exceeded within the hour, without this post: in this community, or for a rule of the site
	// anywhere.
	Hourly  int
	Levels  []reputation.Level // the author's reputation in this community is one of these
	Reports int                // it has at least so many reports. Such a rule is checked at each report

	Actions   []Action
	Reason    string // title of a rule of the community or of modlog.GeneralRules, for Remove
	Flair     string // text of a flair of the community, for the action Flair; a deleted one does nothing
	Message   string // a message to the author of a held or removed item; with the action AutoReply, a public note below it
	ReplyHTML string // Message rendered, of a rule that a Store has read

	domains []string
	pattern *regexp.Regexp
	must    []string // each match of the pattern contains one of these, as folded returns it; none if not known
	cost    int
	site    bool // it is a rule of the whole site
}

// AnyRevision makes a rule replace the stored one at any revision.
const AnyRevision = -1

// New returns a rule without conditions.
func New() *Rule {
	return &Rule{Links: -1, Pictures: -1, Younger: -1, Karma: -1, Accepted: -1, Hourly: -1, Reports: -1}
}

// The names of the fields in the text form, and in the form.
const (
	fieldTitle, fieldKinds, fieldWords, fieldPattern, fieldDomains = "rule", "kinds", "words", "pattern", "domains"
	fieldLinks, fieldPictures                                      = "links at least", "pictures at least"
	fieldYounger, fieldKarma, fieldAccepted                        = "account younger than days", "karma below", "accepted below"
	fieldHourly, fieldReputation, fieldReports                     = "in an hour more than", "standing", "reports at least"
	fieldActions, fieldReason, fieldFlair, fieldMessage            = "do", "reason", "flair", "answer"
)

// numbers are the fields with numbers.
func (r *Rule) numbers() []struct {
	name  string
	value *int
} {
	return []struct {
		name  string
		value *int
	}{{fieldLinks, &r.Links}, {fieldPictures, &r.Pictures}, {fieldYounger, &r.Younger}, {fieldKarma, &r.Karma},
		{fieldAccepted, &r.Accepted}, {fieldHourly, &r.Hourly},
		{fieldReports, &r.Reports}}
}

// String returns the rule's text form: a line "field: value" for each field that is not empty. ParseAll parses it.
func (r *Rule) String() string {
	var b strings.Builder
	line := func(name, value string) {
		if value != "" {
			b.WriteString(name + ": " + value + "\n")
		}
	}
	line(fieldTitle, r.Title)
	line(fieldKinds, join(r.Kinds))
	line(fieldWords, join(r.Words))
	line(fieldPattern, r.Pattern)
	line(fieldDomains, join(r.Domains))
	for _, n := range r.numbers() {
		if *n.value >= 0 {
			line(n.name, strconv.Itoa(*n.value))
		}
	}
	line(fieldReputation, join(r.Levels))
	line(fieldActions, join(r.Actions))
	line(fieldReason, r.Reason)
	line(fieldFlair, r.Flair)
	line(fieldMessage, r.Message)
	return b.String()
}

func join[S ~string](list []S) string {
	texts := make([]string, len(list))
	for i, s := range list {
		texts[i] = string(s)
	}
	return strings.Join(texts, ", ")
}

// Split parses a comma-separated list.
func Split(text string) (list []string) {
	for _, item := range strings.Split(text, ",") {
		if item = strings.TrimSpace(item); item != "" && !slices.Contains(list, item) {
			list = append(list, item)
		}
	}
	return list
}

// choices parses a list of names.
func choices[S ~string](text string) (list []S) {
	for _, item := range Split(text) {
		list = append(list, S(strings.ToLower(item)))
	}
	return list
}

// ParseAll parses rules in their text form. Each begins with its line "rule:". Empty lines and lines that begin with # are skipped.
// Invalid, in the field text, with the number of the line.
func ParseAll(text string) ([]*Rule, error) {
	if utf8.RuneCountInString(text) > TextMax {
		return nil, data.Mistake("text", "Rules have at most 100,000 characters together.")
	}
	var list []*Rule
	began := 0
	end := func() error {
		if len(list) == 0 {
			return nil
		}
		if err := list[len(list)-1].Validate(); err != nil {
			return data.Mistake("text", locale.With("The rule in line {}: {}", began, data.Mistakes(err)[0].Message))
		}
		return nil
	}
	for i, line := range strings.Split(text, "\n") {
		line = strings.TrimSpace(line)
		if line == "" || line[0] == '#' {
			continue
		}
		wrong := func(message locale.Text) error {
			return data.Mistake("text", locale.With("Line {}: {}", i+1, message))
		}
		name, value, ok := strings.Cut(line, ":")
		name, value = strings.ToLower(strings.TrimSpace(name)), strings.TrimSpace(value)
		if !ok {
			return nil, wrong("A line has a field, a colon and a value.")
		}
		if name == fieldTitle {
			if err := end(); err != nil {
				return nil, err
			}
			if began = i + 1; len(list) == RulesMax {
				return nil, wrong("There are at most 50 rules.")
			}
			list = append(list, New())
		}
		if len(list) == 0 {
			return nil, wrong("A rule begins with its line “rule: ” and a title.")
		}
		if message := list[len(list)-1].set(name, value); message != "" {
			return nil, wrong(message)
		}
	}
	if len(list) == 0 {
		return nil, data.Mistake("text", "There is no rule in this text.")
	}
	return list, end()
}

// set sets a field by its name in the text form. It returns what is wrong, or "".
func (r *Rule) set(name, value string) (wrong locale.Text) {
	switch name {
	case fieldTitle:
		r.Title = value
	case fieldKinds:
		r.Kinds = choices[Kind](value)
	case fieldReputation:
		r.Levels = choices[reputation.Level](value)
	case fieldWords:
		r.Words = Split(value)
	case fieldPattern:
		r.Pattern = value
	case fieldDomains:
		r.Domains = Split(value)
	case fieldActions:
		r.Actions = choices[Action](value)
	case fieldReason:
		r.Reason = value
	case fieldFlair:
		r.Flair = value
	case fieldMessage:
		r.Message = value
	default:
		for _, n := range r.numbers() {
			if n.name == name {
				number, err := strconv.Atoi(value)
				if err != nil || number < 0 || number > NumberMax {
					return locale.With("after “{}” stands a whole number", name)
				}
				*n.value = number
				return ""
			}
		}
		return locale.With("no rule has a field “{}”", fmt.Sprintf("%.40s", name))
	}
	return ""
}

// Validate normalizes a rule and checks its fields, except whether the community has such a rule as Reason, and such a flair.
func (r *Rule) Validate() error {
	r.Title, r.Message, r.Flair, r.Reason = data.Line(r.Title), data.Line(r.Message), data.Line(r.Flair), strings.TrimSpace(r.Reason)
	conditions := len(r.Words) > 0 || r.Pattern != "" || len(r.Domains) > 0 || len(r.Kinds) > 0 || len(r.Levels) > 0
	for _, n := range r.numbers() {
		conditions = conditions || *n.value >= 0
	}
	return data.AllMistakes(
		data.MistakeIf(r.Title == "", "title", "A rule needs a title."),
		data.MistakeIf(utf8.RuneCountInString(r.Title) > TitleMax, "title", "A title has at most 100 characters."),
		data.MistakeIf(!conditions, "words", "A rule needs a condition."),
		data.MistakeIf(badList(r.Words), "words", "There are at most 200 words, each of at most 80 characters, with a letter or digit."),
		data.MistakeIf(badList(r.Domains) || slices.ContainsFunc(r.Domains, func(d string) bool {
			return strings.ContainsAny(d, "/: @") || !weburl.IsDomain(domainOf(d))
		}), "domains", "A domain looks like example.com. There are at most 200."),
		data.MistakeIf(unknown(r.Kinds, Kinds), "kinds", "Kinds are text, link, image and comment."),
		data.MistakeIf(unknown(r.Levels, Levels), "standing", "A standing is new, known or trusted."),
		data.MistakeIf(r.Reports == 0, "reports", "A rule about reports needs at least one."),
		r.compile(),
		data.MistakeIf(len(r.Actions) == 0, "do", "Please choose what the rule does."),
		data.MistakeIf(unknown(r.Actions, Actions), "do", locale.With("A rule can {}.", join(Actions))),
		data.MistakeIf(slices.Contains(r.Actions, Remove) && r.Reason == "", "reason", "Please choose the rule for which it removes."),
		data.MistakeIf(r.Does(Flair) && r.Flair == "", "flair", "Please choose the flair that the rule gives."),
		data.MistakeIf(r.Does(Flair) && r.Reports >= 0, "flair", "A rule about reports can't give a flair."),
		data.MistakeIf(utf8.RuneCountInString(r.Flair) > data.FlairMax, "flair", "A flair has at most 30 characters."),
		data.MistakeIf(slices.Contains(r.Actions, AutoReply) && r.Message == "", "answer", "Please say what the rule answers."),
		data.MistakeIf(utf8.RuneCountInString(r.Message) > MessageMax, "answer", "An answer has at most 1,000 characters."),
	)
}

func unknown[S comparable](list, known []S) bool {
	return slices.ContainsFunc(list, func(x S) bool { return !slices.Contains(known, x) })
}

func badList(list []string) bool {
	return len(list) > ListMax || slices.ContainsFunc(list, func(s string) bool {
		return utf8.RuneCountInString(s) > WordMax ||
			len(plain(s)) < 3
	})
}

// domainOf returns a typed domain in the form for comparison with hosts.
func domainOf(typed string) string { return weburl.Typed(strings.TrimPrefix(typed, "*.")) }

// compile prepares a rule for matching. A pattern that is too long, or would be slow to match, is refused before that.
func (r *Rule) compile() error {
	r.domains = nil
	for _, domain := range r.Domains {
		r.domains = append(r.domains, domainOf(domain))
	}
	if r.Pattern == "" {
		return nil
	}
	if utf8.RuneCountInString(r.Pattern) > PatternMax {
		return data.Mistake("pattern", "A pattern has at most 300 characters.")
	}
	// ^ and $ match at lines, and so at the title. The texts are composed and without invisible characters, so patterns are normalized in
	// the same way.
	pattern := "(?m)" + strings.Map(func(c rune) rune {
		if invisible(c) {
			return -1
		}
		return c
	}, norm.NFC.String(r.Pattern))
	tree, err := syntax.Parse(pattern, syntax.Perl)
	if err != nil {
		return data.Mistake("pattern", "This is no regular expression that RE2 knows.")
	}
	program, err := syntax.Compile(tree.Simplify())
	if err != nil || len(program.Inst) > patternCost {
		return data.Mistake("pattern", "This pattern takes too long. Please make it shorter, with fewer repetitions.")
	}
	r.cost, r.must = len(program.Inst), required(tree)
	r.pattern, err = regexp.Compile(pattern)
	return err
}

// weight is the cost of matching the rule.
func (r *Rule) weight() int { return r.cost + len(r.Words)/wordsOfCost }

// OfSite reports whether it is a rule of the whole site.
func (r *Rule) OfSite() bool { return r.site }

// Does reports whether the rule has an action.
func (r *Rule) Does(a Action) bool { return slices.Contains(r.Actions, a) }

// asksAuthor reports whether the rule has a condition on its author, so that it can't hit an item without one.
func (r *Rule) asksAuthor() bool { return r.Younger >= 0 || r.asksActivity() || r.asksReputation() }

// asksActivity reports whether the rule has a condition on the author's activity on the site.
func (r *Rule) asksActivity() bool { return r.Karma >= 0 || r.Hourly >= 0 }

// asksReputation reports whether the rule has a condition on the author's reputation in the community.
func (r *Rule) asksReputation() bool { return r.Accepted >= 0 || len(r.Levels) > 0 }
