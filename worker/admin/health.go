package admin

import (
	"context"
	"crypto/subtle"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"

	"plaza/data"
	"plaza/data/schema"
	"plaza/data/site/health"
	"plaza/data/wire/upstash"
	"plaza/worker/request"
)

// healthLife is how long the result of a try to write is reused, because monitors may call often.
const healthLife = 5 * time.Second

// Health responds ok if all databases can be read, could be written at the last try, and have all steps of the schema.
// It tries to write at most once per healthLife; in between it reads only the directory. A request with the token gets
// the state of each database.
func (h *Handlers) Health(c *request.Call) error {
	now := h.Source.Now()
	h.mu.Lock()
	try, lastTry := now.Sub(h.tried) >= healthLife, h.states
	if try {
		h.tried = now // until this try ends, other requests use the result of the last one
	}
	h.mu.Unlock()
	detailed, places := hasToken(c, h.HealthToken), h.DB.Databases()
	if !try && !detailed {
		if err := unhealthyError(lastTry); err != nil {
			return err
		}
		places = places[:1]
	}
	list := health.Check(c.R.Context(), h.DB, h.Source, places, try)
	if try {
		lastTry = list
		h.mu.Lock()
		h.tried, h.states = h.Source.Now(), list
		h.mu.Unlock()
	}
	err := unhealthyError(lastTry)
	if err == nil {
		err = unhealthyError(list)
	}
	if detailed {
		return h.sendHealth(c, list, err)
	}
	if err != nil {
		return err
	}
	return c.Send(http.StatusOK, "text/plain; charset=utf-8", []byte("ok\n"))
}

// hasToken reports whether the request carries this bearer token. If token is "", no request does.
func hasToken(c *request.Call, token string) bool {
	sent, ok := strings.CutPrefix(c.R.Header.Get("Authorization"), "Bearer ")
	return ok && token != "" && subtle.ConstantTimeCompare([]byte(sent), []byte(token)) == 1
}

// unhealthyError is the error for databases that this build can't work with; nil if there are none.
func unhealthyError(list []health.Database) error {
	var causes []error
	for _, h := range list {
		switch {
		case h.Err != nil:
			causes = append(causes, fmt.Errorf("%s: %w", h.Where, h.Err))
		case h.Behind():
			causes = append(causes, fmt.Errorf("%s: it is at step %d of the schema and this build needs step %d: run plaza migrate", h.Where, h.Step,
				schema.Version))
		}
	}
	if len(causes) == 0 {
		return nil
	}
	return data.UnavailableBecause(errors.Join(causes...))
}

// sendHealth responds with the state of each database and of Redis, as JSON (docs/operations/alerts.md).
func (h *Handlers) sendHealth(c *request.Call, list []health.Database, failure error) error {
	var databases []map[string]any
	for _, state := range list {
		database := map[string]any{"name": state.Where.String(), "schema": state.Step, "votes_wait": state.Votes.Seconds(),
			"comments_wait": state.Comments.Seconds(),
			"work_overdue":  state.Jobs.Seconds(), "mails_overdue": state.Mails.Seconds(), "dead_letters": state.DeadLetters}
		if err := unhealthyError([]health.Database{state}); err != nil {
			database["error"] = errors.Unwrap(err).Error()
		}
		databases = append(databases, database)
	}
	redis := map[string]any{}
	if h.Redis == nil {
		redis["none"] = true // on purpose
	} else if _, err := h.Redis.Do(c.R.Context(), upstash.Cmd{"PING"}); err != nil {
		redis["error"] = err.Error()
	}
	result, status := map[string]any{"ok": failure == nil, "schema": schema.Version, "databases": databases, "redis": redis}, http.StatusOK
	if m := list[0].Move; m != nil { // the directory's
		result["move"] = map[string]any{"community": m.Community, "to": m.To, "begun_at": m.Begun}
	}
	if failure != nil {
		result["error"], status = errors.Unwrap(failure).Error(), http.StatusServiceUnavailable
	}
	return c.JSON(status, result)
}

// WatchSchema logs which databases are not at the step of the schema that this build knows. It does so in the first
// minute of an instance, and in the first of each hour.
func (h *Handlers) WatchSchema(ctx context.Context, at time.Time) {
	h.mu.Lock()
	watched := h.watched
	h.watched = true
	h.mu.Unlock()
	if watched && at.Minute() != 0 {
		return
	}
	for _, state := range health.Check(ctx, h.DB, h.Source, h.DB.Databases(), false) {
		switch {
		case state.Behind():
			h.Log.ErrorContext(ctx, "a database has not taken all steps of the schema: run plaza migrate", "database", state.Where, "step",
				state.Step, "needed", schema.Version)
		case state.Step > schema.Version:
			h.Log.InfoContext(ctx, "a database has taken steps of the schema that this build does not know", "database", state.Where, "step",
				state.Step, "known", schema.Version)
		}
	}
}
