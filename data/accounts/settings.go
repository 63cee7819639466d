package accounts

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"

	"plaza/data"
	"plaza/data/events/outbox"
	"plaza/data/searchwords"
)

// Limits of a profile, in characters.
const (
	BioMax       = 2000
	linkLabelMax = 40
	LinksMax     = 5 // links of a profile
)

// Link is a link on a profile.
type Link struct {
	Label string `json:"label"` // "": the address itself
	URL   string `json:"url"`
}

// Groups of settings, each of which has its own form.
const (
	GroupReading = "reading" // Choices
	GroupProfile = "profile" // Bio, Links and Avatar
)

// Settings are the settings that members change on /settings and /settings/profile.
type Settings struct {
	Bio     string // Markdown as typed
	Links   []Link
	Avatar  Avatar
	Choices Choices
	// Revision is the revision of the settings that the form was made from; 0 if they were never changed.
	Revision int64
}

// Update is the form of the settings. The caller renders BioHTML from Bio.
type Update struct {
	Settings
	BioHTML string
	// Group is the only group to change; "" is all.
	Group string
	// Force replaces the settings whatever their revision is, for programs that don't know it.
	Force bool
}

// LinkField is the name of the form's field for the "label" or "url" of a link. The first link is 1.
func LinkField(n int, part string) string { return fmt.Sprintf("link-%d-%s", n, part) }

// Validate normalizes the fields and checks them in the order of the form. It removes empty links, but only if there is no mistake,
// because mistakes name links by their place in the form.
func (u *Update) Validate() error {
	if data.Blank(u.Bio) {
		u.Bio = ""
	}
	if len(u.Links) > LinksMax {
		return data.Mistake(LinkField(LinksMax, "url"), "A profile has at most five links.")
	}
	mistakes := []error{
		u.Avatar.validate(),
		data.MistakeIf(utf8.RuneCountInString(u.Bio) > BioMax, "bio", "This text has at most 2,000 characters."),
		u.Choices.validate(),
		data.MistakeIf(!slices.Contains([]string{"", GroupReading, GroupProfile}, u.Group), "group", "A group is reading or profile."),
	}
	var links []Link
	for i, l := range u.Links {
		l = Link{data.Line(l.Label), data.Line(l.URL)}
		if l == (Link{}) {
			continue
		}
		mistakes = append(mistakes,
			data.MistakeIf(utf8.RuneCountInString(l.Label) > linkLabelMax, LinkField(i+1, "label"), "A link's name has at most 40 characters."),
			data.MistakeIf(l.URL == "", LinkField(i+1, "url"), "Please type the address of this link."),
			data.CheckAddress(LinkField(i+1, "url"), "link", l.URL))
		links = append(links, l)
	}
	if err := data.AllMistakes(mistakes...); err != nil {
		return err
	}
	u.Links = links
	return nil
}

// settingsColumns are the columns of users that the form of settings changes, each with its group. The statements are made from them.
var settingsColumns = []struct{ name, group string }{
	{"bio", GroupProfile},
	{"bio_html", GroupProfile},
	{"words", GroupProfile},
	{"links", GroupProfile},
	{"avatar", GroupProfile},
	{"choices", GroupReading},
}

// args returns the values of settingsColumns, and which groups are changed.
func (u *Update) args() (data.Args, error) {
	links, err := json.Marshal(append([]Link{}, u.Links...))
	return data.Args{
		GroupProfile: u.Group != GroupReading, GroupReading: u.Group != GroupProfile,
		"bio": u.Bio, "bio_html": u.BioHTML, "words": searchwords.Words(u.Bio), "links": string(links), "avatar": u.Avatar.Text(),
		"choices": u.Choices.Column(),
	}, err
}

// eachSetting formats each of settingsColumns, with the column as %[1]s and its group as %[2]s, and joins the results.
func eachSetting(format, separator string) string {
	var parts []string
	for _, c := range settingsColumns {
		parts = append(parts, fmt.Sprintf(format, c.name, c.group))
	}
	return strings.Join(parts, separator)
}

const settingsOf = `SELECT u.bio, u.links, u.avatar, u.choices, u.revision FROM users u WHERE u.id = :actor`

// FindSettings reads a member's settings along with a page.
func (s *Store) FindSettings(r *data.Read, a data.Actor) *Settings {
	set := &Settings{}
	r.Find(settingsOf, data.Args{"actor": a.UserID}, func(row *data.Row) {
		set.Bio, set.Links, set.Avatar = row.Text(), scanLinks(row), ParseAvatar(row.Text())
		set.Choices, set.Revision = scanChoices(row), row.Int()
	})
	return set
}

// scanLinks parses a column of links.
func scanLinks(row *data.Row) (links []Link) {
	if text := row.Text(); text != "" && text != "[]" {
		row.Fail(json.Unmarshal([]byte(text), &links))
	}
	return links
}

// :from is the revision that the form was made from; NULL is any.
var updateSettings = `UPDATE users SET repainting = repainting OR :profile AND avatar <> :avatar, revision = revision + 1,
  ` + eachSetting("%[1]s = iif(:%[2]s, :%[1]s, %[1]s)", ", ") + `
WHERE id = :actor AND revision = coalesce(:from, revision) AND ` + data.LiveSession

const insertAvatarCopy = `INSERT INTO avatars (user_id, avatar, revision) SELECT u.id, u.avatar, u.revision FROM users u WHERE u.id = :actor
  AND u.repainting` + newerAvatar

var updatedSettings = `SELECT revision, ` + eachSetting("(NOT :%[2]s OR %[1]s = :%[1]s)", " AND ") + `, ` + data.LiveSession + `
FROM users WHERE id = :actor`

// Update changes a member's settings. It returns the stored revision, also with Conflict, which means that another device has changed the
// settings since u.Revision. An update of one group keeps all other settings. For copies of the avatar it enqueues outbox.JobRename.
// Invalid and Unauthenticated.
func (s *Store) Update(ctx context.Context, a data.Actor, u Update) (revision int64, err error) {
	if err := u.Validate(); err != nil {
		return u.Revision, err
	}
	args, err := u.args()
	if err != nil {
		return u.Revision, err
	}
	update := maps.Clone(args)
	if update["from"] = nil; !u.Force {
		update["from"] = u.Revision
	}
	var same, live bool

	w := s.DB.Write()
	changed := w.Do(updateSettings, a.Args(update))
	w.Do(insertAvatarCopy, data.Args{"actor": a.UserID})
	outbox.EnqueueRename(w, s.Source, a.UserID)
	w.Find(updatedSettings, a.Args(args), func(row *data.Row) {
		revision, same, live = row.Int(), row.Bool(), row.Bool()
	})
	if err := w.Run(ctx); err != nil {
		return u.Revision, err
	}
	if !live {
		return u.Revision, data.ErrSessionEnded
	}
	if changed.Rows == 0 && !same { // equal settings mean that an earlier attempt has saved them
		return revision, &data.Error{Code: data.Conflict, Message: "Your settings were changed elsewhere in the meantime. " +
			"Below is what you wrote; saving it once more replaces what was saved there."}
	}
	return revision, nil
}
