package mail_test

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"plaza/data/pace/deadline"
	"plaza/protocol/mail"
)

var content = mail.Content{
	Subject: "Ann <b>answered</b> you",
	Parts: []mail.Part{mail.Paragraph("Ann & Ben wrote:"), mail.Quote("First <i>line</i>\nsecond"),
		mail.Button{Label: "Read it", URL: "https://plaza.example/x?a=1&b=2"}},
	Why: "You get this because you have an account at Plaza.",
}

func TestContent(t *testing.T) {
	require.Equal(t, `Ann & Ben wrote:

> First <i>line</i>
> second

Read it:
https://plaza.example/x?a=1&b=2

-- 
You get this because you have an account at Plaza.
`, content.Text())
	html := content.HTML()
	require.Contains(t, html, `<title>Ann &lt;b&gt;answered&lt;/b&gt; you</title>`)
	require.Contains(t, html, "First &lt;i&gt;line&lt;/i&gt;\nsecond</blockquote>")
	require.Contains(t, html, `<a href="https://plaza.example/x?a=1&amp;b=2"`)
	require.NotContains(t, html, "<b>")
	require.NotRegexp(t, `src=|url\(|<link|<script|<style`, html, "a mail loads nothing")
}

// provider is a server whose responses a test sets, and which records the requests.
type provider struct {
	*httptest.Server
	status   int
	response string
	header   http.Header
	body     []byte
}

func startProvider(t *testing.T) *provider {
	p := &provider{status: http.StatusOK, response: "{}"}
	p.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		p.header = r.Header
		p.body, _ = io.ReadAll(r.Body)
		w.WriteHeader(p.status)
		_, _ = io.WriteString(w, p.response)
	}))
	t.Cleanup(p.Close)
	return p
}

func (p *provider) sender(t *testing.T, name string) *mail.Sender {
	t.Helper()
	s, err := mail.NewSender(mail.Options{Provider: name, Token: "secret", From: "Plaza <plaza@plaza.example>", URL: p.URL,
		HTTP: http.DefaultClient})
	require.NoError(t, err)
	return s
}

func TestFormats(t *testing.T) {
	p := startProvider(t)
	m := mail.Message{To: "ann@example.org", Key: "plaza.example/1", Content: content}
	text, _ := json.Marshal(content.Text())
	html, _ := json.Marshal(content.HTML())
	t.Run("Resend", func(t *testing.T) {
		require.NoError(t, p.sender(t, "resend").Send(t.Context(), m))
		require.Equal(t, "Bearer secret", p.header.Get("Authorization"))
		require.Equal(t, "plaza.example/1", p.header.Get("Idempotency-Key"))
		require.Equal(t, "application/json", p.header.Get("Content-Type"))
		require.NotEmpty(t, p.header.Get("User-Agent"))
		require.JSONEq(t, `{"from": "Plaza <plaza@plaza.example>", "to": ["ann@example.org"], "subject": "Ann <b>answered</b> you",
			"text": `+string(text)+`, "html": `+string(html)+`}`, string(p.body))
	})
	t.Run("Postmark", func(t *testing.T) {
		require.NoError(t, p.sender(t, "postmark").Send(t.Context(), m))
		require.Equal(t, "secret", p.header.Get("X-Postmark-Server-Token"))
		require.Equal(t, "application/json", p.header.Get("Accept"))
		require.JSONEq(t, `{"From": "Plaza <plaza@plaza.example>", "To": "ann@example.org", "Subject": "Ann <b>answered</b> you",
			"TextBody": `+string(text)+`, "HtmlBody": `+string(html)+`, "MessageStream": "outbound"}`, string(p.body))
	})
}

func TestResponses(t *testing.T) {
	p := startProvider(t)
	for name, tt := range map[string]struct {
		provider string
		status   int
		response string
		sent     bool
		final    bool
	}{
		"a mail that the provider can't read":       {"resend", 422, `{"name":"validation_error"}`, false, true},
		"an address that gets no mail":              {"postmark", 422, `{"ErrorCode":406}`, false, true},
		"a wrong token":                             {"resend", 401, `{"name":"missing_api_key"}`, false, false},
		"a sender that is not verified":             {"resend", 403, `{"name":"validation_error"}`, false, false},
		"too many":                                  {"postmark", 429, ``, false, false},
		"a server that fails":                       {"resend", 503, `<html>`, false, false},
		"a mail that was sent with other words":     {"resend", 409, `{"name":"invalid_idempotent_request"}`, true, false},
		"a mail that is being sent at this moment":  {"resend", 409, `{"name":"concurrent_idempotent_requests"}`, false, false},
		"Postmark knows no keys, so 409 is no mail": {"postmark", 409, `{"name":"invalid_idempotent_request"}`, false, false},
	} {
		t.Run(name, func(t *testing.T) {
			p.status, p.response = tt.status, tt.response
			err := p.sender(t, tt.provider).Send(t.Context(), mail.Message{To: "ann@example.org", Content: content})
			if tt.sent {
				require.NoError(t, err)
				return
			}
			var f *mail.Failure
			require.ErrorAs(t, err, &f)
			require.Equal(t, tt.final, f.Final)
		})
	}
	t.Run("nobody answers", func(t *testing.T) {
		s := p.sender(t, "resend")
		p.Close()
		var f *mail.Failure
		require.ErrorAs(t, s.Send(t.Context(), mail.Message{To: "ann@example.org", Content: content}), &f)
		require.False(t, f.Final)
	})
}

// patient is a client that records the time limit of a call.
type patient struct{ limit time.Duration }

func (p *patient) Do(r *http.Request) (*http.Response, error) {
	p.limit = deadline.Limit(r.Context())
	return nil, io.ErrUnexpectedEOF
}

func TestAProviderThatHangs(t *testing.T) {
	p := &patient{}
	s, err := mail.NewSender(mail.Options{Provider: "resend", Token: "x", From: "a@b.example", HTTP: p})
	require.NoError(t, err)
	require.Error(t, s.Send(t.Context(), mail.Message{To: "ann@example.org"}))
	require.Equal(t, 5*time.Second, p.limit)
}

func TestOptions(t *testing.T) {
	for name, tt := range map[string]struct {
		o    mail.Options
		says string
	}{
		"an unknown provider": {mail.Options{Provider: "smtp", Token: "x", From: "a@b.example"}, "MAIL_PROVIDER"},
		"no sender":           {mail.Options{Provider: "resend", Token: "x"}, "MAIL_FROM"},
		"no token":            {mail.Options{Provider: "resend", From: "a@b.example"}, "MAIL_TOKEN"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := mail.NewSender(tt.o)
			require.ErrorContains(t, err, tt.says)
		})
	}
}
