package worker

import (
	"context"
	"fmt"
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"
	"time"

	"plaza/data"
	"plaza/data/accounts/sessions"
	"plaza/data/events/mails"
	"plaza/data/site/metrics"
	"plaza/locale"
	"plaza/protocol/mail"
	"plaza/worker/api/apidoc"
	"plaza/worker/request"
	"plaza/worker/request/limit"
	"plaza/worker/request/session"
)

// SetMailWriter adds a kind of mails.
func (a *App) SetMailWriter(kind mails.Kind, write func(*mails.Waiting) *mail.Content) {
	a.mailWriters[kind] = func(_ context.Context, m *mails.Waiting) (*mail.Content, error) { return write(m), nil }
}

// Recorder is what the App counts its requests with.
func (a *App) Recorder() *metrics.Recorder { return a.server.Metrics.Recorder }

// RouteInfo is what the tests need to know of a route.
type RouteInfo struct {
	Method, Pattern          string
	Member, Limited, Private bool
	Moderator, Admin         bool
	Proven                   bool
	Scope                    sessions.Scope
	Formats                  []string // endings of addresses, such as .json
	Parameters               []string
	WhenCachedOnly           request.Uncached
}

// Routes lists the table.
func Routes() (list []RouteInfo) {
	for _, rt := range new(App).routes() {
		list = append(list, RouteInfo{rt.Method, rt.Path(), rt.Access != request.Public, rt.Limit.Max > 0, rt.Cache == request.CacheNever,
			rt.Access == request.Moderator || rt.Access == request.Approver, rt.Access == request.Administrator, rt.Access == request.Reauthenticated,
			rt.Scope, rt.Endings(), rt.Parameters(), rt.WhenCachedOnly})
	}
	return list
}

// ActionInfo is what the documentation says of an action.
type ActionInfo struct {
	Method, Pattern string
	Max             int
	Per             time.Duration
	Scope           sessions.Scope
}

// Actions lists the routes with their limits.
func Actions() (list []ActionInfo) {
	for _, rt := range new(App).routes() {
		list = append(list, ActionInfo{rt.Method, rt.Path(), rt.Limit.Max, rt.Limit.Per, rt.Scope})
	}
	return list
}

// APIRoutes lists the table for the OpenAPI document.
func APIRoutes() (list []apidoc.Route) {
	for _, rt := range new(App).routes() {
		r := apidoc.Route{Method: rt.Method, Pattern: rt.Path(), Parameters: rt.Parameters(), Member: rt.Access != request.Public,
			Max: rt.Limit.Max, Per: rt.Limit.Per, JSON: slices.Contains(rt.Endings(), ".json")}
		if rt.Scope != request.NoToken {
			r.Scope = rt.Scope.String()
		}
		list = append(list, r)
	}
	return list
}

// Shapes are those of parameters.
func Shapes() map[string]string { return request.Shapes }

// YoungLimits says how often new members may do something.
func YoungLimits() (list []string) {
	for _, rt := range new(App).routes() {
		if tight, ok := limit.Young[rt.Limit.Name]; ok {
			list = append(list, locale.With("{} {} times {}", tight.Does, tight.Max, limit.PeriodText(rt.Limit.Per)).String())
		}
	}
	return list
}

// SecureHeaders are on every answer.
func SecureHeaders() [][2]string { return request.SecureHeaders }

// EdgeTable is the module by which the edge knows the table (worker/edge/shim/table.mjs).
func EdgeTable() string {
	var b strings.Builder
	b.WriteString("// Made from routes.go, request/query.go and request/headers.go by `PLAZA_UPDATE=1 go test ./worker -run " +
		"TestTheEdgeKnowsTheTable`; don't edit.\n\n")
	b.WriteString("/** SHAPES are regular expressions of whole values, by parameter. */\nexport const SHAPES = {\n")
	for _, name := range slices.Sorted(maps.Keys(request.Shapes)) {
		fmt.Fprintf(&b, "  %s: %q,\n", name, request.Shapes[name])
	}
	b.WriteString("};\n\n/** HEADERS are on every answer. */\nexport const HEADERS = {\n")
	for _, header := range request.SecureHeaders {
		fmt.Fprintf(&b, "  %q: %q,\n", strings.ToLower(header[0]), header[1])
	}
	b.WriteString("};\n\n/** ADDRESSES are the patterns of cached pages, each with its parameters in their order. */\nexport const " +
		"ADDRESSES = {\n")
	for _, rt := range new(App).routes() {
		if rt.Cache != request.CacheNever {
			fmt.Fprintf(&b, "  %q: %q,\n", rt.Path(), strings.Join(rt.Parameters(), " "))
		}
	}
	b.WriteString("};\n\n/** FORMATS are the endings of addresses of cached pages in other formats. */\nexport const FORMATS = {\n")
	for _, rt := range new(App).routes() {
		if names := rt.Endings(); rt.Cache != request.CacheNever && len(names) > 0 {
			fmt.Fprintf(&b, "  %q: %q,\n", rt.Path(), strings.Join(names, " "))
		}
	}
	b.WriteString("};\n\n/** PICTURES are the patterns of addresses whose forms may have pictures. */\nexport const PICTURES = [\n")
	for _, rt := range new(App).routes() {
		if rt.Pictures {
			fmt.Fprintf(&b, "  %q,\n", rt.Path())
		}
	}
	b.WriteString("];\n\n/** LANGUAGES are the tags of the languages of the interface. The first is for those who ask for none of them. */\n" +
		"export const LANGUAGES = [")
	for i, l := range locale.Languages {
		if i > 0 {
			b.WriteString(", ")
		}
		fmt.Fprintf(&b, "%q", l.Tag)
	}
	b.WriteString("];\n\n/** WORDS are the texts of the edge itself in the other languages. */\nexport const WORDS = {\n")
	for _, l := range locale.Languages[1:] {
		fmt.Fprintf(&b, "  %q: {\n", l.Tag)
		for _, text := range EdgeTexts() {
			fmt.Fprintf(&b, "    %q:\n      %q,\n", string(text), l.Template(text))
		}
		b.WriteString("  },\n")
	}
	return b.String() + "};\n"
}

// EdgeTexts are the texts that the edge itself says, without Go.
func EdgeTexts() (list []locale.Text) {
	for _, name := range []string{"edge/shim/pages.mjs", "edge/shim/cache.mjs"} {
		script, err := os.ReadFile(name)
		if err != nil {
			panic(err)
		}
		for _, said := range edgeText.FindAllSubmatch(script, -1) {
			list = append(list, locale.Text(said[1]))
		}
	}
	return list
}

var edgeText = regexp.MustCompile(`\btext\("([^"\\]*)"\)`)

// Watch calls f with every view model that is shown, until stop is called.
func Watch(f func(view any)) (stop func()) {
	request.Watch = f
	return func() { request.Watch = nil }
}

// CookieOf is the cookie of a session that was just begun.
func (a *App) CookieOf(actor data.Actor) string {
	return a.server.Key.EncodeSession(session.Session{Actor: actor, UsedAt: actor.IssuedAt})
}
