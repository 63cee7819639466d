package worker

import (
	"errors"
	"net/http"

	"plaza/data"
	"plaza/data/people"
	"plaza/render"
)

// Codes that only HTTP knows.
const (
	codeTooLarge  data.Code = "too_large"
	codeMediaType data.Code = "unsupported_media_type"
)

// statusOf is the only place where an error becomes an HTTP status.
func statusOf(err error, method string) int {
	switch data.ErrorCode(err) {
	case data.Invalid:
		if safeMethod(method) {
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
		if safeMethod(method) {
			return http.StatusConflict
		}
		return http.StatusUnprocessableEntity // a form that can be corrected
	case data.RateLimited:
		return http.StatusTooManyRequests
	case data.Unavailable:
		return http.StatusServiceUnavailable
	case codeTooLarge:
		return http.StatusRequestEntityTooLarge
	case codeMediaType:
		return http.StatusUnsupportedMediaType
	}
	return http.StatusInternalServerError
}

// messageOf is what a person is told of an error. It says nothing about the inside.
func messageOf(err error) string {
	var e *data.Error
	if errors.As(err, &e) && e.Code != data.Internal {
		return e.Message
	}
	return "Something broke here. It is our fault, and it has been noted."
}

var headings = map[int]string{
	http.StatusBadRequest:            "That address doesn't work",
	http.StatusUnauthorized:          "Please log in",
	http.StatusForbidden:             "Not allowed",
	http.StatusNotFound:              "Nothing here",
	http.StatusConflict:              "That doesn't fit",
	http.StatusRequestEntityTooLarge: "Too large",
	http.StatusUnsupportedMediaType:  "Unknown kind of content",
	http.StatusUnprocessableEntity:   "That did not work",
	http.StatusTooManyRequests:       "A little slower, please",
	http.StatusServiceUnavailable:    "Back in a moment",
	http.StatusInternalServerError:   "Something broke",
}

// fail answers a request that ended in an error: with the error's page, or in JSON to a program.
func (a *App) fail(c *call, err error) {
	c.failed = true
	if c.byToken {
		err = c.challenge(err)
	}
	if errors.Is(err, errSessionOver) {
		a.restartAsVisitor(c)
		return
	}
	status := statusOf(err, c.r.Method)
	code := data.ErrorCode(err)
	if status >= 500 {
		a.Log.ErrorContext(c.r.Context(), "request failed", "request", c.id, "method", c.r.Method, "path", LoggedPath(c.r.URL.Path), "error", err)
	}
	h := c.w.Header()
	h.Set("Cache-Control", privateAnswer)
	if (status == http.StatusNotFound || status == http.StatusBadRequest) && c.route.cache != cacheNever && c.isVisitor() && safeMethod(c.r.Method) {
		h.Set("Cache-Control", missingAnswer)
	}
	if status == http.StatusServiceUnavailable {
		h.Set("Retry-After", "5")
	}
	if c.wantsJSON() {
		var e *data.Error
		body := map[string]any{"code": code, "message": messageOf(err)}
		if errors.As(err, &e) && e.Field != "" {
			body["field"] = e.Field
		}
		if mistakes := data.Mistakes(err); len(mistakes) > 1 {
			body["mistakes"] = fieldsOf(mistakes)
		}
		if made := (*data.AlreadyMade)(nil); errors.As(err, &made) && made.URL != "" {
			body["permalink"] = made.URL
		}
		if s := (*people.Suspension)(nil); errors.As(err, &s) && s.Decision != 0 {
			body["appeal"] = a.suspensionLink(s.Member, s.Decision)
		}
		if c.json(status, map[string]any{"error": body}) == nil {
			return
		}
	}
	p := render.ErrorPage{Frame: c.frame(headings[status], "", ""), Status: status, Heading: headings[status], Message: messageOf(err)}
	p.NoIndex = true
	if status >= 500 {
		p.RequestID = c.id
	}
	if err := show(c, status, render.Error, p); err != nil {
		a.Log.ErrorContext(c.r.Context(), "error page failed", "request", c.id, "error", err)
	}
}

// fieldsOf is what is wrong with each field, for programs.
func fieldsOf(mistakes []*data.Error) (list []map[string]any) {
	for _, e := range mistakes {
		list = append(list, map[string]any{"field": e.Field, "message": e.Message})
	}
	return list
}

// restartAsVisitor answers a member whose session was ended elsewhere. A page is asked for again without the cookie;
// for anything else they have to log in. A form leaves the cookie to the next page: when it was sent twice, the browser
// may have a new one by now.
func (a *App) restartAsVisitor(c *call) {
	if safeMethod(c.r.Method) {
		http.SetCookie(c.w, endedCookie())
		_ = c.redirect(c.r.URL.RequestURI())
		return
	}
	c.actor = nil
	a.fail(c, errSignIn)
}

var (
	errSignIn     = &data.Error{Code: data.Unauthenticated, Message: "You are logged out. Please log in again."}
	errNoPage     = &data.Error{Code: data.NotFound, Message: "There is no page at this address. It may have been moved or deleted."}
	errOrigin     = &data.Error{Code: data.Forbidden, Message: "That request came from another site, so it was not carried out."}
	errModerators = &data.Error{Code: data.Forbidden, Message: "That is for the moderators of this community."}
	errAdmins     = &data.Error{Code: data.Forbidden, Message: "That is for the administrators of this site."}
	errNoVerbs    = &data.Error{Code: data.NotFound, Message: "There is nothing here that could take this request."}
)

// notFound answers an address that the table does not have.
func (a *App) notFound(c *call) error {
	if !safeMethod(c.r.Method) {
		return errNoVerbs
	}
	if a.withoutSlash(c) {
		return nil
	}
	return errNoPage
}
