// Package doctor checks a running site from outside, and reports problems with their solutions (plaza doctor). It uses only public pages,
// /healthz with HEALTH_TOKEN, and the API with a member's token. It is native code.
//
// It changes nothing permanently. It votes on a post where the member has no vote, and withdraws the vote, also when the run is
// interrupted.
package doctor

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"time"

	"plaza/data/pace/deadline"
	"plaza/data/schema"
)

// Options say what is checked.
type Options struct {
	URL         string // of the site, for users
	HealthToken string // for the details of /healthz; "" skips the checks that need it
	Token       string // an API token with the scopes read and write, for the vote; "" skips it
	Folder      string // with wrangler.toml and build/; "" skips the sizes
	// Variables are the variables of wrangler.toml, Environment those of plaza's commands, such as migrate in a workflow. Their
	// addressNames are compared; nil skips it.
	Variables, Environment map[string]string
	HTTP                   *http.Client
	// Wait is how long a newly deployed site may take until it responds; Pause is the time between two attempts. 0 for the default.
	Wait, Pause time.Duration
	// CountWait is how long a vote may take to be counted, CronWait how long the check of cron may wait; 0 for voteWait and cronWait.
	CountWait, CronWait time.Duration
	Out                 io.Writer // a line for each part
}

// NewSiteWait is how long a site may take to respond after its first deployment, while its name and certificate are new.
const NewSiteWait = 5 * time.Minute

// finding is the result of a check.
type finding struct {
	summary string
	remedy  string // what to do; "" if nothing is wrong
	skipped bool   // the check was skipped, and summary has the reason
	refused bool   // the site has refused the request, so nothing has changed
}

func fine(format string, args ...any) finding { return finding{summary: fmt.Sprintf(format, args...)} }
func skip(format string, args ...any) finding {
	return finding{summary: fmt.Sprintf(format, args...), skipped: true}
}
func problem(do, format string, args ...any) finding {
	return finding{summary: fmt.Sprintf(format, args...), remedy: do}
}

// tail is the remedy if only the worker's log has the reason.
const tail = "wrangler tail shows why."

func noResponse(err error) finding {
	return problem("Does the name of the site lead to the Worker?", "no response: %v", err)
}

type examination struct {
	Options
	down bool // the site does not respond, so the other checks are skipped
}

// state is the response of /healthz with the token (docs/operations/alerts.md).
type state struct {
	Error  string
	Schema int
	Redis  struct {
		Error string
		None  bool
	}
	Move *struct {
		Community string
		To        int
	}
	Databases []struct {
		Name, Error  string
		VotesWait    float64 `json:"votes_wait"`
		CommentsWait float64 `json:"comments_wait"`
		WorkOverdue  float64 `json:"work_overdue"`
		DeadLetters  int     `json:"dead_letters"`
	}
}

// Run makes each check and writes a line about it. It returns the number of problems.
func Run(ctx context.Context, o Options) (reds int) {
	o.URL = strings.TrimSuffix(o.URL, "/")
	o.Wait, o.Pause = cmp.Or(o.Wait, 10*time.Second), cmp.Or(o.Pause, time.Second)
	o.CountWait, o.CronWait = cmp.Or(o.CountWait, voteWait), cmp.Or(o.CronWait, cronWait)
	if o.HTTP == nil {
		o.HTTP = &http.Client{Timeout: 30 * time.Second}
	}
	e := &examination{Options: o}
	for _, part := range []struct {
		name    string
		examine func(context.Context) finding
	}{
		{"health", e.health}, {"parts", e.parts}, {"page", e.page}, {"cache", e.cache}, {"vote", e.vote}, {"cron", e.cron}, {"mail", e.mail},
		{"size", e.size}, {"tools", e.addresses},
	} {
		begun := time.Now()
		f := part.examine(ctx)
		mark := "ok "
		switch {
		case f.skipped:
			mark = " - "
		case f.remedy != "":
			mark = "RED"
			reds++
		}
		fmt.Fprintf(o.Out, "%s %-7s %s (%.1f s)\n", mark, part.name, f.summary, time.Since(begun).Seconds())
		if f.remedy != "" {
			fmt.Fprintf(o.Out, "            %s\n", f.remedy)
		}
		if e.down {
			break
		}
	}
	return reds
}

// responseBytes limits how much of a response is read.
const responseBytes = 4 << 20

func (e *examination) get(ctx context.Context, path, token string) (*http.Response, []byte, error) {
	return e.send(ctx, http.MethodGet, path, token, nil)
}

// send sends a request to the site, with the token unless it is "".
func (e *examination) send(ctx context.Context, method, path, token string, body io.Reader) (*http.Response, []byte, error) {
	r, err := http.NewRequestWithContext(ctx, method, e.URL+path, body)
	if err != nil {
		return nil, nil, err
	}
	r.Header.Set("User-Agent", "plaza-doctor")
	if token != "" {
		r.Header.Set("Authorization", "Bearer "+token)
	}
	if body != nil {
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		r.Header.Set("Accept", "application/json")
	}
	res, err := e.HTTP.Do(r)
	if err != nil {
		return nil, nil, err
	}
	defer res.Body.Close()
	responseBody, err := io.ReadAll(io.LimitReader(res.Body, responseBytes))
	return res, responseBody, err
}

// health checks that /healthz responds with ok. It waits for that until e.Wait has passed.
func (e *examination) health(ctx context.Context) finding {
	for until := time.Now().Add(e.Wait); ; {
		res, body, err := e.get(ctx, "/healthz", "")
		if err == nil && res.StatusCode == http.StatusOK && strings.TrimSpace(string(body)) == "ok" {
			return fine("the databases can be read and written")
		}
		if time.Now().After(until) || deadline.DefaultSleep(ctx, e.Pause) != nil {
			if e.down = err != nil; e.down {
				return problem("Does its name lead to the Worker, and was it deployed? A new domain takes some minutes.", "no response: %v", err)
			}
			return problem("wrangler tail shows why; docs/operations/outages.md says what each part does when another is unavailable.",
				"/healthz answers %d: %s", res.StatusCode, excerpt(body))
		}
	}
}

func excerpt(body []byte) string {
	text := strings.Join(strings.Fields(string(body)), " ")
	if strings.HasPrefix(text, "<") {
		return "a page"
	}
	return fmt.Sprintf("%.200s", text)
}

// readState reads the details of /healthz.
func (e *examination) readState(ctx context.Context) (*state, error) {
	res, body, err := e.get(ctx, "/healthz", e.HealthToken)
	if err != nil {
		return nil, err
	}
	var s state
	if json.Unmarshal(body, &s) != nil || len(s.Databases) == 0 {
		if res.StatusCode == http.StatusOK {
			return nil, errors.New("the site tells no more than ok: its secret HEALTH_TOKEN differs, or is not set")
		}
		return nil, fmt.Errorf("/healthz answers %d: %s", res.StatusCode, excerpt(body))
	}
	return &s, nil
}

const noHealthToken = "needs HEALTH_TOKEN in the environment"

func (e *examination) parts(ctx context.Context) finding {
	if e.HealthToken == "" {
		return skip(noHealthToken)
	}
	s, err := e.readState(ctx)
	if err != nil {
		return problem("wrangler secret put HEALTH_TOKEN sets it.", "%v", err)
	}
	dead := 0
	for _, d := range s.Databases {
		if d.Error != "" {
			return problem("Is it there, and is LIBSQL_AUTH_TOKEN the right token? If a step is missing: plaza migrate.", "%s: %s", d.Name, d.Error)
		}
		dead += d.DeadLetters
	}
	switch {
	case s.Error != "":
		return problem("wrangler tail shows more.", "%s", s.Error)
	case s.Redis.Error != "":
		return problem("Are UPSTASH_REDIS_REST_URL and UPSTASH_REDIS_REST_TOKEN right? The site works without it, but reads more rows.",
			"Redis: %s", s.Redis.Error)
	case s.Schema != schema.Version:
		return problem("Deploy this build (./build.sh deploy), or use the doctor of that one.",
			"the site knows step %d of the schema and this build step %d", s.Schema, schema.Version)
	case s.Move != nil:
		return problem(fmt.Sprintf("plaza shards move %s %d goes on with it.", s.Move.Community, s.Move.To),
			"the move of %s to shard %d is not finished: no process works on it, and nobody can write there until one does",
			s.Move.Community, s.Move.To)
	case dead > 0:
		return problem("Look at "+e.URL+"/admin/dead-letters.", "%d messages have failed for good", dead)
	}
	redis := "Redis"
	if s.Redis.None {
		redis = "no Redis, as it is set"
	}
	return fine("%d databases at step %d of the schema, %s, no dead letters", len(s.Databases), s.Schema, redis)
}

// sheetLink finds the address of the style sheet, as package ui writes it.
var sheetLink = regexp.MustCompile(`<link rel="stylesheet" href="(/[^"]*)">`)

func (e *examination) page(ctx context.Context) finding {
	begun := time.Now()
	res, body, err := e.get(ctx, "/", "")
	took := time.Since(begun)
	switch {
	case err != nil:
		return noResponse(err)
	case res.StatusCode != http.StatusOK || !strings.HasPrefix(res.Header.Get("Content-Type"), "text/html"):
		return problem(tail, "the front page answers %d, %s", res.StatusCode,
			cmp.Or(res.Header.Get("Content-Type"), "no type"))
	case !strings.Contains(string(body), "</html>"):
		return problem(tail, "the front page breaks off after %d bytes", len(body))
	}
	if m := sheetLink.FindSubmatch(body); m != nil {
		if res, _, err := e.get(ctx, string(m[1]), ""); err != nil || res.StatusCode != http.StatusOK {
			return problem("With a gateway in front, deploy it and the site together: ./build.sh deploy --gateway. Without one: ./build.sh deploy.",
				"the front page has no style sheet: there is none at %s. Each worker has its own copy, and only those of its build", m[1])
		}
	}
	return fine("the front page has %d bytes and came within %d ms", len(body), took.Milliseconds())
}

// cacheTries is how often cache requests the same page until it comes from the edge. One attempt is not enough: the edge stores a copy
// only after the response, and each data centre of Cloudflare has its own copies.
const cacheTries = 6

// cache checks whether visitors' pages are cached at the edge, by the shim's X-Cache.
func (e *examination) cache(ctx context.Context) finding {
	seen := ""
	for range cacheTries {
		res, _, err := e.get(ctx, "/", "")
		if err != nil {
			return noResponse(err)
		}
		if seen = res.Header.Get("X-Cache"); seen == "HIT" || seen == "STALE" {
			return fine("the front page came from the edge (%s)", seen)
		}
		if deadline.DefaultSleep(ctx, e.Pause) != nil {
			break
		}
	}
	if u, err := url.Parse(e.URL); err == nil && strings.HasSuffix(u.Hostname(), ".workers.dev") {
		return skip("below workers.dev there is no cache: each page is rendered again. Give the site a domain of its own (docs/deploy.md)")
	}
	return problem("Does something in front of the Worker change addresses or headers? Is the cache of the zone in development mode?",
		"the front page was asked for %d times and rendered each time (X-Cache: %s)", cacheTries, cmp.Or(seen, "none"))
}

// maxWait is how many seconds votes, comments and jobs may wait. The job of each minute sends them sooner, so a longer wait is a fault.
const maxWait = 150

// cronWait is longer than it takes until the job of each minute begins and ends.
const cronWait = 75 * time.Second

// cron checks that nothing waits that the job of each minute would have sent: nothing else shows from outside whether the job runs. If
// something waits, cron checks again until e.CronWait has passed, because the job may not have run yet on a site that was just deployed.
func (e *examination) cron(ctx context.Context) finding {
	if e.HealthToken == "" {
		return skip(noHealthToken)
	}
	for begun := time.Now(); ; {
		s, err := e.readState(ctx)
		if err != nil {
			return problem(tail, "%v", err)
		}
		longest, where := 0.0, ""
		for _, d := range s.Databases {
			for what, seconds := range map[string]float64{"votes": d.VotesWait, "comments": d.CommentsWait, "work": d.WorkOverdue} {
				if seconds > longest {
					longest, where = seconds, what+" in "+d.Name
				}
			}
		}
		switch {
		case longest <= maxWait:
			return fine("nothing waits that the job of each minute would have sent")
		case time.Since(begun) > e.CronWait:
			return problem("Has the script its cron trigger, and have the queues consumers? "+
				"wrangler deploy sets both, wrangler tail shows them run.",
				"%s: the oldest has waited for %.0f s, and still does after another %.0f s", where, longest, time.Since(begun).Seconds())
		case deadline.DefaultSleep(ctx, 5*e.Pause) != nil:
			return problem("Run the doctor again.",
				"%s: the oldest has waited for %.0f s; interrupted before it was clear whether it still waits", where, longest)
		}
	}
}

// mail checks whether the site sends mails. Only a mailbox shows whether they arrive: /reset sends one.
func (e *examination) mail(ctx context.Context) finding {
	res, body, err := e.get(ctx, "/reset", "")
	switch {
	case err != nil || res.StatusCode >= http.StatusInternalServerError:
		return problem(tail, "/reset does not answer")
	case res.StatusCode == http.StatusNotFound, !strings.Contains(string(body), `name="login"`):
		return skip("the site sends none (MAIL_PROVIDER)")
	}
	return fine("on; %s/reset sends one to your own address", e.URL)
}
