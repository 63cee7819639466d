// Package site stores the settings of the whole site, the pages that administrators write, and messages of the contact form. All of it is
// in the directory. Each instance caches the settings for data.MemberCacheTTL, so that no page needs another request for them. Other
// databases have a copy of the row, for statements that need exact values.
//
// Begin with Settings, and with Store.Find and Store.Update (store.go). A page without a row has its default text (texts/).
package site

import (
	"net/url"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"
	"unicode"
	"unicode/utf8"

	"plaza/data"
	"plaza/data/accounts/invitations"
	"plaza/data/content/communities"
	"plaza/data/content/pictures"
)

// Limits of settings, in characters where they are texts.
const (
	nameMax     = 40
	taglineMax  = 120
	questionMax = 300
	logoMax     = 2000
	reasonMax   = 1000
	placesMax   = 300
	ageMax      = 99
	termsMax    = 1_000_000
	// ArchiveMax is the highest age in days for the archiving of threads.
	ArchiveMax = 36500

	archiveDefault = 180
	// RoomMax is the highest limit for pictures, in MB.
	RoomMax = 100_000_000
	day     = 24 * time.Hour
	// never is an age that no post reaches.
	never = 200 * 365 * day
)

// Who may create communities.
const (
	ByMembers        = "members"
	ByAdministrators = "administrators"
)

// The rule of /robots.txt for crawlers that gather texts to train language models: allow or disallow.
const (
	CrawlersAllowed = "allowed"
	CrawlersRefused = "refused"
)

// What visitors can read.
const (
	VisitorsAll    = "all"
	VisitorsCached = "cached" // only pages that the edge cache has, and a few more (package request)
)

// How often the front page has a new edition.
const (
	EditionsTwice  = "twice"
	EditionsDaily  = "daily"
	EditionsWeekly = "weekly"
	EditionsNever  = "never"

	editionHourDefault = 6
	// EditionGap is how many hours after the first edition of a day the second one comes out.
	EditionGap = 10
	// EditionHourMax is the latest hour that leaves room for it.
	EditionHourMax = 23 - EditionGap
)

// What visitors see on the front page.
const (
	FrontList    = "list"
	FrontEdition = "edition"
)

// Accents are the colours of a site. Each except the first has a rule in the style sheet.
var Accents = []string{"green", "blue", "violet", "magenta", "crimson", "orange", "slate"}

// Settings are the administrators' settings. A site without any has those of Usual.
type Settings struct {
	Revision int64  `json:"-"`        // 0 until the first change
	Name     string `json:"name"`     // "" is the deployment's name
	Tagline  string `json:"tagline"`  // one line about the site
	Letter   string `json:"letter"`   // beside the name; "" is a picture of a paving tile
	Logo     string `json:"logo"`     // address of a picture as the logo, which replaces Letter
	Accent   string `json:"accent"`   // one of Accents
	Founders string `json:"founders"` // ByMembers or ByAdministrators
	SignUp   string `json:"sign_up"`  // SignUpOpen, SignUpByInvitation or SignUpWithApproval of invitations
	Question string `json:"question"` // for newcomers who need an approval
	Inviters string `json:"inviters"` // InvitersMembers or InvitersAdministrators of invitations
	Archive  int    `json:"archive"`  // age in days from which threads are archived; 0 is never
	Uploads  string `json:"uploads"`  // who can upload pictures: ByNobody, ByTrusted or ByEverybody of package pictures
	// CommentPictures says who may add pictures to comments; the stricter of it and Uploads applies.
	CommentPictures string   `json:"comment_pictures"`
	MemberRoom      int      `json:"member_room"` // limit for the pictures of one member, in MB
	SiteRoom        int      `json:"site_room"`   // limit for all pictures, in MB
	Closed          []string `json:"closed"`      // countries and regions to which the site is closed, such as "CN" and "US-MS"
	Reason          string   `json:"reason"`      // why, for people there
	MinAge          int      `json:"min_age"`     // the minimum age of members, in years; 0: none
	Terms           int64    `json:"terms"`       // version of the terms that members have to accept; 0: none
	Changed         string   `json:"changed"`     // what has changed in that version, for members
	AICrawlers      string   `json:"ai_crawlers"` // CrawlersAllowed or CrawlersRefused
	Visitors        string   `json:"visitors"`    // VisitorsAll or VisitorsCached
	// Editions is how often the front page has a new edition: EditionsTwice a day, EditionsDaily, EditionsWeekly or EditionsNever.
	Editions    string             `json:"editions"`
	EditionHour int                `json:"edition_hour"` // of the day in UTC
	Front       string             `json:"front"`        // what visitors see on the front page: FrontList or FrontEdition
	Rules       []communities.Rule `json:"rules"`

	ChecklistDismissed bool `json:"checklist_dismissed"` // an administrator does not want to see the checklist of a new site
}

// DefaultSettings returns the default settings.
func DefaultSettings() *Settings {
	return &Settings{Accent: Accents[0], Founders: ByMembers, SignUp: invitations.SignUpOpen, Inviters: invitations.InvitersAdministrators,
		Archive: archiveDefault, Uploads: pictures.DefaultUploads, CommentPictures: pictures.DefaultCommentPictures,
		MemberRoom: pictures.MemberRoom, SiteRoom: pictures.SiteRoom, AICrawlers: CrawlersAllowed,
		Visitors: VisitorsAll, Editions: EditionsTwice, EditionHour: editionHourDefault, Front: FrontList}
}

// ArchiveAge returns the age from which threads are archived.
func (s *Settings) ArchiveAge() time.Duration {
	if s.Archive == 0 {
		return never
	}
	return time.Duration(s.Archive) * day
}

// MayCreateCommunity reports whether a member may create communities.
func (s *Settings) MayCreateCommunity(admin bool) bool {
	return admin || s.Founders != ByAdministrators
}

// MayInvite reports whether a member may invite.
func (s *Settings) MayInvite(admin bool) bool {
	return s.SignUp == invitations.SignUpByInvitation && (admin || s.Inviters == invitations.InvitersMembers)
}

// Validate normalizes the fields and checks them in the order of the form.
func (s *Settings) Validate() error {
	s.Name, s.Tagline, s.Question = data.Line(s.Name), data.Line(s.Tagline), data.Line(s.Question)
	s.Reason, s.Changed = strings.TrimSpace(s.Reason), strings.TrimSpace(s.Changed)
	closed, badClosed := tidyPlaces(s.Closed)
	letter, size := utf8.DecodeRuneInString(s.Letter)
	badLetter := s.Letter != "" && (size != len(s.Letter) || !unicode.IsLetter(letter) && !unicode.IsDigit(letter))
	if s.Letter != "" && !badLetter {
		s.Letter = string(unicode.ToUpper(letter))
	}
	rules, badRules := communities.NormalizeRules(s.Rules)
	err := data.AllMistakes(append([]error{
		data.MistakeIf(utf8.RuneCountInString(s.Name) > nameMax, "name", "The name has at most 40 characters."),
		data.MistakeIf(utf8.RuneCountInString(s.Tagline) > taglineMax, "tagline", "The tagline has at most 120 characters."),
		data.MistakeIf(badLetter, "letter", "Please type one letter or digit."),
		data.MistakeIf(s.Logo != "" && !isPicture(s.Logo), "logo", "Please give an address that begins with https://."),
		data.MistakeIf(!slices.Contains(Accents, s.Accent), "accent", "Please choose one of the colours."),
		data.MistakeIf(s.Founders != ByMembers && s.Founders != ByAdministrators, "founders", "Please choose who can create communities."),
		data.MistakeIf(!slices.Contains([]string{invitations.SignUpOpen, invitations.SignUpByInvitation, invitations.SignUpWithApproval},
			s.SignUp), "sign_up",
			"Please choose who can sign up."),
		data.MistakeIf(s.SignUp == invitations.SignUpWithApproval && s.Question == "", "question",
			"Please write the sign-up question."),
		data.MistakeIf(utf8.RuneCountInString(s.Question) > questionMax, "question", "A question has at most 300 characters."),
		data.MistakeIf(s.Inviters != invitations.InvitersMembers && s.Inviters != invitations.InvitersAdministrators, "inviters",
			"Please choose who can invite people."),
		data.MistakeIf(s.Archive < 0 || s.Archive > ArchiveMax, "archive", "Please give a number of days from 0 to 36,500. 0 is never."),
		data.MistakeIf(!slices.Contains([]string{pictures.ByNobody, pictures.ByTrusted, pictures.ByEverybody}, s.Uploads), "uploads",
			"Please choose who can upload pictures."),
		data.MistakeIf(!slices.Contains([]string{pictures.ByNobody, pictures.ByTrusted, pictures.ByEverybody}, s.CommentPictures),
			"comment_pictures", "Please choose who can add pictures to comments."),
		data.MistakeIf(s.MemberRoom < 0 || s.MemberRoom > RoomMax, "member_room", "Please give a number of megabytes from 0 to 100,000,000."),
		data.MistakeIf(s.SiteRoom < 0 || s.SiteRoom > RoomMax, "site_room", "Please give a number of megabytes from 0 to 100,000,000."),
		data.MistakeIf(s.MinAge < 0 || s.MinAge > ageMax, "min_age", "Please give a number of years from 0 to 99. 0 asks nobody."),
		data.MistakeIf(s.Terms < 0 || s.Terms > termsMax, "terms", "Please give a number from 0 to 1,000,000. 0 asks nobody."),
		data.MistakeIf(utf8.RuneCountInString(s.Changed) > reasonMax, "changed", "What has changed has at most 1,000 characters."),
		data.MistakeIf(s.AICrawlers != CrawlersAllowed && s.AICrawlers != CrawlersRefused, "ai_crawlers",
			"Please choose a setting for AI crawlers."),
		data.MistakeIf(s.Visitors != VisitorsAll && s.Visitors != VisitorsCached, "visitors", "Please choose what visitors can read."),
		data.MistakeIf(!slices.Contains([]string{EditionsTwice, EditionsDaily, EditionsWeekly, EditionsNever}, s.Editions), "editions",
			"Please choose how often a new edition comes out."),
		data.MistakeIf(s.EditionHour < 0 || s.EditionHour > EditionHourMax, "edition_hour", "Please give an hour from 0 to 13."),
		data.MistakeIf(s.Front != FrontList && s.Front != FrontEdition, "front", "Please choose what the front page shows."),
		badClosed,
		data.MistakeIf(utf8.RuneCountInString(s.Reason) > reasonMax, "reason", "A reason has at most 1,000 characters."),
	}, badRules...)...)
	if err == nil {
		s.Rules, s.Closed = rules, closed
	}
	return err
}

func isPicture(address string) bool {
	u, err := url.Parse(address)
	return err == nil && u.Scheme == "https" && u.Host != "" && u.User == nil && len(address) <= logoMax
}

// Store stores the settings.
type Store struct {
	data.Base

	mu     sync.Mutex // never held across I/O
	cached *Settings  // nil before they were read once
	readAt time.Time
	tried  time.Time // when Refresh last sent a read

	checked atomic.Bool // the checklist was found to be done
}

// Life is how long an instance uses cached settings.
const Life = data.MemberCacheTTL

// Known reports whether the settings were read at least once.
func (s *Store) Known() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.cached != nil
}

// Now returns the cached settings. The caller must not change them.
func (s *Store) Now() *Settings {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.cached == nil {
		return DefaultSettings()
	}
	return s.cached
}

// keep caches settings that were read at a time, unless newer ones are cached.
func (s *Store) keep(set *Settings, at time.Time) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.cached == nil || set.Revision >= s.cached.Revision {
		s.cached = set
	}
	if at.After(s.readAt) {
		s.readAt = at
	}
}

// isOld reports whether the settings were read longer than life ago, or not after changed.
func (s *Store) isOld(now, changed time.Time, life time.Duration) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.cached == nil || now.Sub(s.readAt) > life || !changed.IsZero() && !s.readAt.After(changed)
}
