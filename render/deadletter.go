package render

import "time"

// QuarantinePage is /c/{name}/mod/quarantine: votes that were taken out of the score,
// for a moderator to decide.
type QuarantinePage struct {
	Frame
	Community Community
	Open      []QuarantineCase
	MoreOpen  bool             // there are more than are shown
	Decided   []QuarantineCase // newest first
	FirstURL  string           // on later pages
	NextURL   string           // of decided cases
}

// OpenCasesPage is /admin/quarantine: the cases of all communities that wait.
type OpenCasesPage struct {
	Frame
	Open            []QuarantineCase // newest first, each with its community
	Communities     []CommunityCases // those with most open cases first
	MoreCommunities bool             // there are more than are shown
	FirstURL        string           // on later pages
	NextURL         string
}

// CommunityCases is how many cases of a community are open.
type CommunityCases struct {
	Name  string
	Cases int64
}

// QuarantineCase is a burst of votes in one direction on one target.
type QuarantineCase struct {
	ID            string
	Community     string // where cases of many are listed
	URL           string // of the target
	Title         string // of the post
	Author        string // of the target; "" when unknown
	Comment       bool   // the target is a comment under the post
	Up            bool   // upvotes, else downvotes
	Votes         int64  // in quarantine
	Score         int64  // of the target, without them
	Burst         int    // votes of the burst when it was judged
	BurstSeconds  int64  // from its first to its last vote
	Before        int    // votes in the same direction before it
	BeforeSeconds int64  // in how long
	Signals       []QuarantineSignal
	FoundAt       time.Time
	Released      bool // of a decided case: else dropped
	DecidedAt     time.Time
	DecidedBy     string
}

// QuarantineSignal is one way in which the votes of a burst are alike.
type QuarantineSignal struct {
	Kind       string // young, network or referrer
	Value      string // the network or the site
	Votes      int    // that show it
	Of         int
	Share      float64 // Votes / Of
	Usual      float64 // share to expect; -1 when nobody can say
	Suspicious bool
}

// DeadLettersPage is /admin/dead-letters: messages that no consumer could handle.
type DeadLettersPage struct {
	Frame
	Letters  []DeadLetter
	FirstURL string // on later pages
	NextURL  string
}

// DeadLetter is one of them.
type DeadLetter struct {
	ID         string
	Queue      string
	MessageID  string
	Body       string
	FailedAt   time.Time // the first time
	LastAt     time.Time // the last time; FailedAt when that is the same
	ReplayedAt time.Time // since then; zero: not yet
}
