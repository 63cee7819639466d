package doctor

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"time"

	"plaza/data/pace/deadline"
)

// voteWait is how long the queue may take to count a vote. It is less than a minute, after which the retry job sends the vote again.
const voteWait = 30 * time.Second

// vote votes for a post, waits until the queue has counted that, and withdraws the vote.
func (e *examination) vote(ctx context.Context) finding {
	switch {
	case e.Token == "":
		return skip("needs PLAZA_TOKEN in the environment: an API token with the scopes read and write, from %s/settings/tokens", e.URL)
	case e.HealthToken == "":
		return skip(noHealthToken)
	}
	post, why := e.unvotedPost(ctx)
	if why.summary != "" {
		return why
	}
	f := e.cast(ctx, post.ID, 1)
	switch {
	case f.refused:
		return f
	case f.summary == "":
		f = e.waitCounted(ctx, time.Now())
	}
	// The vote is always withdrawn, also after Ctrl-C: a vote whose response was lost may be stored.
	own, end := context.WithTimeout(context.WithoutCancel(ctx), 30*time.Second)
	defer end()
	if back := e.cast(own, post.ID, 0); back.summary != "" {
		return problem("Withdraw it by hand at "+e.URL+post.Permalink, "the vote was not withdrawn: %s", back.summary)
	}
	return f
}

// post is a post in /new.json.
type post struct {
	ID, Permalink string
	MyVote        int  `json:"my_vote"`
	VotesClosed   bool `json:"votes_closed"`
}

// unvotedPost returns the oldest post of the first page of /new on which the member can vote and has no vote.
func (e *examination) unvotedPost(ctx context.Context) (found post, why finding) {
	res, body, err := e.get(ctx, "/new.json", e.Token)
	var list struct{ Items []post }
	switch {
	case err != nil:
		return found, noResponse(err)
	case res.StatusCode != http.StatusOK:
		return found, problem("Make a new API token at "+e.URL+"/settings/tokens.", "/new.json answers %d: %s", res.StatusCode, excerpt(body))
	}
	if err := json.Unmarshal(body, &list); err != nil {
		return found, problem("Is that a Plaza of this version?", "/new.json: %v", err)
	}
	for _, p := range list.Items {
		if p.MyVote == 0 && !p.VotesClosed {
			found = p
		}
	}
	if found.ID == "" {
		why = skip("there is no post that the member of PLAZA_TOKEN has not voted for")
	}
	return found, why
}

// cast casts a vote. It returns the zero finding on success.
func (e *examination) cast(ctx context.Context, target string, value int) finding {
	form := url.Values{"target": {target}, "value": {fmt.Sprint(value)}}
	res, body, err := e.send(ctx, http.MethodPost, "/vote", e.Token, strings.NewReader(form.Encode()))
	switch {
	case err != nil:
		return problem("Does the name of the site lead to the Worker?", "no response to the vote: %v", err)
	case res.StatusCode == http.StatusOK:
		return finding{}
	}
	f := problem(tail, "the vote is refused with %d: %s", res.StatusCode, excerpt(body))
	if res.StatusCode == http.StatusUnauthorized || res.StatusCode == http.StatusForbidden {
		f.remedy = "PLAZA_TOKEN needs the scopes read and write: make one at " + e.URL + "/settings/tokens."
	}
	f.refused = res.StatusCode < 500
	return f
}

// waitCounted waits until a vote is counted whose response came at votedAt.
func (e *examination) waitCounted(ctx context.Context, votedAt time.Time) finding {
	for {
		if deadline.DefaultSleep(ctx, e.Pause/2) != nil {
			return problem("Run it again.", "interrupted before the vote was counted")
		}
		// The vote was written before votedAt, and /healthz reads later than now. So if the oldest waiting vote has waited for less than the
		// time since votedAt, this vote is counted.
		passed := time.Since(votedAt).Seconds()
		s, err := e.readState(ctx)
		if err != nil {
			return problem(tail, "%v", err)
		}
		oldest := 0.0
		for _, d := range s.Databases {
			oldest = max(oldest, d.VotesWait)
		}
		switch {
		case oldest < passed:
			return fine("counted by the queue within %.1f s, and withdrawn", passed)
		case passed > e.CountWait.Seconds():
			return problem("Has plaza-votes a consumer? wrangler queues info plaza-votes shows it, wrangler tail its runs.",
				"the vote was not counted within %.1f s", passed)
		}
	}
}
