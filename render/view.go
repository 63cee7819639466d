// Package render turns view models into HTML with gomponents. It holds pages, the
// components they share and Markdown; it does no I/O, reads no clock and knows
// nothing of HTTP or of where a view model came from.
package render

import "time"

// Viewer is the signed-in member a page is made for; a nil *Viewer is a visitor.
type Viewer struct {
	Name  string
	Admin bool
}

// Frame is what the shell around every page needs.
type Frame struct {
	Title       string // of this page; the site name is appended
	Description string // for search engines and link previews
	Canonical   string // absolute URL
	Path        string // path and query of the request, where forms return to
	SiteName    string
	Viewer      *Viewer
	Notice      string // one sentence of good news above the page
	Now         time.Time
	NoIndex     bool
}

// Votes is the state of one target's vote buttons.
type Votes struct {
	Target string // text id of the post or comment
	Score  int64  // as displayed to this viewer
	Ups    int64
	Downs  int64
	Mine   int   // -1, 0 or 1
	Closed bool  // archived, locked or removed: buttons are shown inactive
	Lift   int64 // what the listing moved the score by, for the answer to a vote
}

// Community is the head and sidebar of a community's pages.
type Community struct {
	Name        string // as in /c/{name}
	Title       string
	Description string // one line
	SidebarHTML HTML   // rendered Markdown
	Rules       []Rule
	Members     int64
	NewMembers  int64 // of the last seven days
	Posts       int64
	NewPosts    int64  // of the last seven days
	Colour      string // CSS hex colour of the icon
	CreatedAt   time.Time
	Subscribed  bool
	Moderator   bool // the viewer moderates it
	Moderators  []string
}

// Rule is one of a community's rules.
type Rule struct{ Title, Text string }

// HTML is markup that Markdown made; only RenderMarkdown and the store's copy of
// its output may become one.
type HTML string

// PostItem is a post as a line of a listing.
type PostItem struct {
	ID           string
	Title        string
	URL          string // Plaza's address of the post
	Link         string // outside address that the title leads to: of the link, else of the image; "" for text
	Domain       string // of Link
	Kind         string // what leads: "link", else "image", else "text"
	Image        string // address of its own picture
	ImageDomain  string // of Image
	ImageWidth   int    // of Image, in pixels; 0 where it isn't known
	ImageHeight  int
	Excerpt      string // first characters of the text, plain
	Community    string
	Colour       string
	Author       string // "" when deleted or unknown (imported)
	CreatedAt    time.Time
	EditedAt     time.Time // zero when it is as posted
	Comments     int64
	Votes        Votes
	Locked       bool
	NSFW         bool
	Spoiler      bool
	Deleted      bool
	Removed      bool
	Saved        bool
	Hidden       bool
	CrosspostOf  string // URL of the original
	Original     *Original
	Others       int64  // other discussions of the same
	OthersURL    string // "" where there are none
	CanCrosspost bool
	Unpublished  bool // a draft, or scheduled
	CanEdit      bool // by the viewer, who wrote it
	CanDelete    bool
	Preview      *LinkPreview
	Picture      bool // /img/ID is its own picture, or else that of the page behind its link
}

// LinkPreview is what the linked page says of itself.
type LinkPreview struct{ Title, Description, Site string }

// Tab is one order or window a listing can be shown in.
type Tab struct {
	Label  string
	URL    string
	Active bool
}

// Listing is a page of posts with its orders.
type Listing struct {
	Tabs          []Tab
	Windows       []Tab // of "top"; empty for other orders
	Items         []PostItem
	NextURL       string // "" on the last page
	FirstPage     bool
	Empty         string // the sentence shown when there is nothing
	ShowCommunity bool   // on site-wide lists
}

// FrontPage is / and its orders.
type FrontPage struct {
	Frame
	Listing     Listing
	Communities []CommunityItem // sidebar: where to go
}

// CommunityItem is a community as a line of a list.
type CommunityItem struct {
	Name, Title, Description, Colour string
	Members                          int64
	Growth                           int64 // members of the last seven days
	CreatedAt                        time.Time
	Subscribed                       bool
}

// CommunityPage is /c/{name} and its orders.
type CommunityPage struct {
	Frame
	Community Community
	Listing   Listing
}

// CommunitiesPage is /communities.
type CommunitiesPage struct {
	Frame
	Items    []CommunityItem
	Tabs     []Tab
	NextURL  string
	FirstURL string // on later pages
	New      bool   // the order is by age: rows tell it
}

// PostPage is a post with its thread.
type PostPage struct {
	Frame
	Community Community
	Post      PostItem
	TextHTML  HTML
	Sorts     []Tab
	Comments  []*Comment
	More      *More // further roots
	Total     int64
	Reply     Form // the form under the post
	CanReply  bool
	Draft     *Draft // it is not published yet
	Permalink bool   // the page shows one comment's part of the thread
	Later     bool   // the page begins where a stub was
	FullURL   string // the whole thread, where the page isn't
	AboveURL  string // what the outermost comment of a permalink answers, if that isn't shown
}

// Comment is one comment with the replies that are shown under it.
type Comment struct {
	ID          string
	PostURL     string // address of its post; its own is one segment longer
	Query       string // of its own address, which keeps the thread's order; "" for none
	Author      string
	IsOP        bool // written by the author of the post
	IsViewer    bool
	BodyHTML    HTML
	CreatedAt   time.Time
	EditedAt    time.Time // zero when it is as posted
	Deleted     bool
	Removed     bool
	Votes       Votes
	Replies     []*Comment
	More        *More // further replies
	Descendants int64
	CanReply    bool
	CanEdit     bool // by the viewer, who wrote it
	CanDelete   bool
	CanSave     bool
	Highlight   bool // the target of a permalink
	Context     bool // above the target of a permalink
	Saved       bool
	Now         time.Time // of a lone fragment; pages use Frame.Now
}

// More is the stub of comments not loaded yet.
type More struct {
	URL      string // page without JavaScript, fragment with it
	Count    int64  // comments behind it
	Continue bool   // "continue this thread": deeper than a page goes
}

// ProfilePage is /u/{name}.
type ProfilePage struct {
	Frame
	Name         string
	BioHTML      HTML
	PostKarma    int64
	CommentKarma int64
	JoinedAt     time.Time
	Followers    int64
	Following    int64
	IsFollowed   bool
	IsSelf       bool
	Tabs         []Tab
	Posts        []PostItem       // on the posts tab
	Comments     []ProfileComment // on the comments tab
	NextURL      string
}

// ProfileComment is a comment away from its thread.
type ProfileComment struct {
	Comment   Comment
	PostTitle string
	PostURL   string
	Community string
}

// Field is a field of a form with its value.
type Field struct{ Name, Value string }

// Form holds what was typed and what is wrong with it.
type Form struct {
	Values  map[string]string // by field name
	Errors  map[string]string // by field name; "" is the whole form's
	Carried []Field           // of another form, which is there again after signing in
	Preview *Preview          // nil where it was not asked for
	// Made is the address of what the form has made when it was sent before; "" mostly.
	Made string
}

// SubmitPage is /submit and /c/{name}/submit. Fields: community, title, text, link, image,
// nsfw, spoiler, crosspost, anyway, publish_at, token, and of a draft target and revision.
type SubmitPage struct {
	Frame
	Community   *Community // nil when the community is to be typed or chosen
	Suggestions []string   // names of the viewer's communities
	Kind        string     // tab shown first: text, link, image
	Original    *Original  // what is shown again; nil for a post of its own
	Before      []PostItem // posts of the same link that are there already
	Draft       string     // text id of the unpublished post that is changed; "" for a new one
	Newer       string     // text that was saved since the form of a draft was made
	Form        Form
}

// SignUpPage is /signup. Fields: username, email, password, next, token.
type SignUpPage struct {
	Frame
	Form Form
}

// LogInPage is /login. Fields: login, password, next.
type LogInPage struct {
	Frame
	Form Form
}

// NewCommunityPage is /communities/new. Fields: name, title, description, token.
type NewCommunityPage struct {
	Frame
	Form Form
}

// ReplyPage answers one comment without JavaScript, or shows the form again
// after an error. Fields: post or parent, body, token.
type ReplyPage struct {
	Frame
	Post   PostItem
	Parent *Comment // nil when the post itself is answered
	Form   Form
}

// ErrorPage is shown for every failed request that has no form to come back to.
type ErrorPage struct {
	Frame
	Status    int
	Heading   string
	Message   string
	RequestID string // shown with a 500 so that a member can report it
}
