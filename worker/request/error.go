package request

import (
	"errors"
	"net/http"
	"slices"
	"strings"

	"plaza/data"
	"plaza/data/accounts/sessions"
	"plaza/locale"
	"plaza/render/ui"
	"plaza/worker/request/session"
)

// Codes that only HTTP knows.
const (
	codeTooLarge  data.Code = "too_large"
	codeMediaType data.Code = "unsupported_media_type"
)

// StatusOf returns the HTTP status of an error. No other place decides it.
func StatusOf(err error, method string) int {
	switch data.ErrorCode(err) {
	case data.Invalid:
		if SafeMethod(method) {
			return http.StatusBadRequest
		}
		return http.StatusUnprocessableEntity
	case data.Unauthenticated:
		return http.StatusUnauthorized
	case data.Forbidden:
		return http.StatusForbidden
	case data.NotFound:
		return http.StatusNotFound
	case data.Conflict, data.AlreadySent:
		if SafeMethod(method) {
			return http.StatusConflict
		}
		return http.StatusUnprocessableEntity // a form that can be corrected
	case data.RateLimited, codeCachedOnly:
		return http.StatusTooManyRequests
	case data.Unavailable:
		return http.StatusServiceUnavailable
	case codeTooLarge:
		return http.StatusRequestEntityTooLarge
	case codeMediaType:
		return http.StatusUnsupportedMediaType
	case codeClosed:
		return http.StatusUnavailableForLegalReasons
	}
	return http.StatusInternalServerError
}

// MessageOf returns the message for the user about an error. It shows no internals.
func MessageOf(err error) locale.Text {
	var e *data.Error
	if errors.As(err, &e) && e.Code != data.Internal {
		return e.Message
	}
	return "Something went wrong on our side. It has been noted."
}

var headings = map[int]locale.Text{
	http.StatusBadRequest:            "That address doesn't work",
	http.StatusUnauthorized:          "Please log in",
	http.StatusForbidden:             "Not allowed",
	http.StatusNotFound:              "Page not found",
	http.StatusConflict:              "That did not work",
	http.StatusRequestEntityTooLarge: "Too large",
	http.StatusUnsupportedMediaType:  "Unsupported content",
	http.StatusUnprocessableEntity:   "That did not work",
	http.StatusTooManyRequests:       "Too many requests",

	http.StatusUnavailableForLegalReasons: "Not available where you are",
	http.StatusServiceUnavailable:         "Back in a moment",
	http.StatusInternalServerError:        "Something went wrong",
}

// fail responds to a request that ended in an error: with an error page, or to a program in JSON.
func (s *Server) fail(c *Call, err error) {
	c.failed, c.cause = true, err
	if c.ByToken {
		err = c.challenge(err)
	}
	if errors.Is(err, ErrSessionOver) {
		s.restartAsVisitor(c)
		return
	}
	status := StatusOf(err, c.R.Method)
	code := data.ErrorCode(err)
	if status >= 500 {
		s.Log.ErrorContext(c.R.Context(), "request failed", "request", c.ID, "method", c.R.Method, "path", LoggedPath(c.R.URL.Path), "error", err)
	}
	h := c.W.Header()
	h.Set("Cache-Control", privateResponse)
	if (status == http.StatusNotFound || status == http.StatusBadRequest) && c.Route.Cache != CacheNever && c.isVisitor() &&
		SafeMethod(c.R.Method) {
		h.Set("Cache-Control", missingResponse)
	}
	if c.WantsJSON() {
		var e *data.Error
		body := map[string]any{"code": code, "message": MessageOf(err)}
		if errors.As(err, &e) && e.Field != "" {
			body["field"] = e.Field
		}
		if mistakes := data.Mistakes(err); len(mistakes) > 1 {
			body["mistakes"] = fieldsOf(mistakes)
		}
		if created := (*data.KeyReused)(nil); errors.As(err, &created) && created.URL != "" {
			body["permalink"] = created.URL
		}
		if suspension := (*sessions.Suspension)(nil); errors.As(err, &suspension) && suspension.Decision != 0 {
			body["appeal"] = s.SuspensionLink(suspension.Member, suspension.Decision)
		}
		if c.JSON(status, map[string]any{"error": body}) == nil {
			return
		}
	}
	heading := headings[status]
	if code == codeCachedOnly {
		heading = "Only for members right now"
	}
	p := ui.ErrorPage{Frame: c.Frame(heading), Status: status, Heading: heading, Message: MessageOf(err)}
	if e := (*data.Error)(nil); errors.As(err, &e) {
		p.See = e.See
	}
	if status >= 500 {
		p.RequestID = c.ID
	}
	if status == http.StatusServiceUnavailable {
		p.Again, p.Sent, p.Send = c.again()
	}
	if err := Show(c, status, ui.Error, p); err != nil {
		s.Log.ErrorContext(c.R.Context(), "error page failed", "request", c.ID, "error", err)
	}
}

// again returns what the page of a 503 offers to try again: the address of a page, or of an action with the form that was sent. It
// offers no form with a password, which the page would have to contain.
func (c *Call) again() (address string, sent []ui.Field, send bool) {
	address = Back(c.R.URL.RequestURI())
	if SafeMethod(c.R.Method) {
		return address, nil, false
	}
	if c.Parse() != nil || c.Form.Has("password") {
		return "", nil, false
	}
	for name, values := range c.Form {
		for _, value := range values {
			sent = append(sent, ui.Field{Name: name, Value: value})
		}
	}
	slices.SortStableFunc(sent, func(a, b ui.Field) int { return strings.Compare(a.Name, b.Name) })
	return address, sent, true
}

// fieldsOf returns the mistakes of a form by field, for programs.
func fieldsOf(mistakes []*data.Error) (list []map[string]any) {
	for _, e := range mistakes {
		list = append(list, map[string]any{"field": e.Field, "message": e.Message})
	}
	return list
}

// restartAsVisitor responds to a member whose session was ended elsewhere. For a page, it deletes the cookie and redirects to
// the same address; for anything else, the member has to log in. The response to a form does not delete the cookie: if the form
// was sent twice, the browser may have a new one by now.
func (s *Server) restartAsVisitor(c *Call) {
	if SafeMethod(c.R.Method) {
		c.DropCookie(session.CookieName)
		_ = c.Redirect(c.R.URL.RequestURI())
		return
	}
	c.Actor = nil
	s.fail(c, ErrSignIn)
}

var (
	ErrSignIn     = &data.Error{Code: data.Unauthenticated, Message: "You are logged out. Please log in again."}
	ErrNoPage     = &data.Error{Code: data.NotFound, Message: "There is no page at this address. It may have been moved or deleted."}
	errOrigin     = &data.Error{Code: data.Forbidden, Message: "That request came from another site, so it was not carried out."}
	errModerators = &data.Error{Code: data.Forbidden, Message: "Only moderators of this community can do that."}
	errAdmins     = &data.Error{Code: data.Forbidden, Message: "Only administrators of this site can do that."}
	// ErrNoCommunity is for the address of a community that does not exist, ErrNoPost of a post.
	ErrNoCommunity = &data.Error{Code: data.NotFound, Field: "community", Message: "There is no community of that name."}
	ErrNoPost      = &data.Error{Code: data.NotFound, Message: "There is no such post here. It may have been moved or deleted."}
	errNoVerbs     = &data.Error{Code: data.NotFound, Message: "This address does not take such requests."}
)

// notFound handles an address that the table does not have.
func (s *Server) notFound(c *Call) error {
	if !SafeMethod(c.R.Method) {
		return errNoVerbs
	}
	if s.withoutSlash(c) {
		return nil
	}
	return ErrNoPage
}

// withoutSlash redirects an address that ends in a slash to the page without it. ok is false if there is no such
// page, or no slash.
func (s *Server) withoutSlash(c *Call) (ok bool) {
	path := strings.TrimRight(c.R.URL.EscapedPath(), "/")
	if path == c.R.URL.EscapedPath() || path == "" || Back(path) != path {
		return false
	}
	target := *c.R.URL
	target.Path, target.RawPath = strings.TrimRight(target.Path, "/"), ""
	if _, pattern := s.mux.Handler(&http.Request{Method: http.MethodGet, URL: &target, Host: c.R.Host}); pattern == "/" {
		return false
	}
	if c.R.URL.RawQuery != "" {
		path += "?" + c.R.URL.RawQuery
	}
	h := c.W.Header()
	if c.Actor == nil && !c.forged {
		h.Set("Cache-Control", CacheHour.cacheControl())
	}
	h.Set("Location", c.Address(path))
	c.W.WriteHeader(http.StatusPermanentRedirect)
	return true
}
