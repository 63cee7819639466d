package mail

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/mail"
	"strings"
	"time"

	"plaza/data/pace/deadline"
)

// Message is one mail to one recipient.
type Message struct {
	To string // an address
	// Key is the same when a mail is sent again, and different for every other mail. At most 256 characters.
	Key string
	Content
}

// Client sends requests to external servers. It has to respect deadline.Limit.
type Client interface {
	Do(*http.Request) (*http.Response, error)
}

// Options configure the provider.
type Options struct {
	Provider string // "resend" or "postmark"
	Token    string // the provider's secret
	From     string // an address, or a name and an address: Plaza <plaza@example.org>
	URL      string // the address of the API; "" is the provider's default
	HTTP     Client
}

// Sender sends mails by a provider's API.
type Sender struct {
	o      Options
	format format
}

// format is the part that differs between providers.
type format struct {
	url string // of the API
	// request returns the body and the headers of the request that sends a message.
	request func(o Options, m Message) (body any, header map[string]string)
	// sent reports whether the status and body of a refusal mean that the message was sent before.
	sent func(status int, body []byte) bool
}

var formats = map[string]format{"resend": resend, "postmark": postmark}

// NewSender checks the options. It sends nothing.
func NewSender(o Options) (*Sender, error) {
	f, ok := formats[o.Provider]
	if !ok {
		return nil, fmt.Errorf("MAIL_PROVIDER is %q; it has to be resend or postmark", o.Provider)
	}
	if _, err := mail.ParseAddress(o.From); err != nil {
		return nil, fmt.Errorf("MAIL_FROM is %q; it has to be an address like Plaza <plaza@example.org>", o.From)
	}
	if o.Token == "" {
		return nil, fmt.Errorf("MAIL_TOKEN is missing")
	}
	if o.URL != "" {
		f.url = strings.TrimSuffix(o.URL, "/")
	}
	return &Sender{o, f}, nil
}

// Failure is why a message was not sent.
type Failure struct {
	Reason string
	// Final means that the message itself is the cause, and would fail again. Otherwise the provider, the network or the configuration is
	// the cause, and other messages would fail as well.
	Final bool
}

func (f *Failure) Error() string { return f.Reason }

const (
	sendLimit     = 5 * time.Second
	responseBytes = 64 << 10
)

// Send returns nil once the provider has accepted the message. It makes one request. An error is a *Failure.
//
// If the provider's response is lost, the same message is sent again. Resend recognizes its Key for a day and sends it once. Postmark has
// no keys: there the mail arrives twice.
func (s *Sender) Send(ctx context.Context, m Message) error {
	fields, header := s.format.request(s.o, m)
	body, err := json.Marshal(fields)
	if err != nil {
		return &Failure{Reason: err.Error(), Final: true}
	}
	ctx, end := deadline.Within(ctx, sendLimit)
	defer end()
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, s.format.url, bytes.NewReader(body))
	if err != nil {
		return &Failure{Reason: err.Error(), Final: true}
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Accept", "application/json")
	r.Header.Set("User-Agent", "Plaza")
	for name, value := range header {
		r.Header.Set(name, value)
	}
	res, err := s.o.HTTP.Do(r)
	if err != nil {
		return &Failure{Reason: "no response: " + err.Error()}
	}
	defer res.Body.Close()
	response, _ := io.ReadAll(io.LimitReader(res.Body, responseBytes))
	if res.StatusCode >= 200 && res.StatusCode < 300 || s.format.sent(res.StatusCode, response) {
		return nil
	}
	return &Failure{Reason: fmt.Sprintf("status %d: %.300s", res.StatusCode, response), Final: final(res.StatusCode)}
}

// final reports whether a status is about this one message. A wrong token and an unknown sender (401, 403) affect all messages, as do
// limits (429) and failures of the server.
func final(status int) bool {
	switch status {
	case http.StatusUnauthorized, http.StatusForbidden, http.StatusRequestTimeout, http.StatusConflict, http.StatusTooEarly,
		http.StatusTooManyRequests:
		return false
	}
	return status < 500
}
