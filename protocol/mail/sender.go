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

// Message is one letter to one person.
type Message struct {
	To string // an address
	// Key is the same when a mail is sent again, and different for every other mail. At most 256 characters.
	Key string
	Letter
}

// Client sends requests to other people's servers. It has to keep to deadline.Limit.
type Client interface {
	Do(*http.Request) (*http.Response, error)
}

// Options name the provider.
type Options struct {
	Provider string // "resend" or "postmark"
	Token    string // the provider's secret
	From     string // an address, or a name and an address: Plaza <plaza@example.org>
	URL      string // where the API is; "" is the provider's own address
	HTTP     Client
}

// Sender sends mails by a provider's API.
type Sender struct {
	o      Options
	format format
}

// format is what differs between providers.
type format struct {
	url string // of the API
	// request returns the body and the headers that ask for a message to be sent.
	request func(o Options, m Message) (body any, header map[string]string)
	// sent tells whether a refusal, of that status and body, is because the message was sent before.
	sent func(status int, body []byte) bool
}

var formats = map[string]format{"resend": resend, "postmark": postmark}

// NewSender checks the options. Nothing is sent.
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
	// Final is set when the message itself is at fault, and sending it again would fail again. Otherwise the provider, the network or
	// the configuration is at fault, and other messages would fail as well.
	Final bool
}

func (f *Failure) Error() string { return f.Reason }

const (
	sendLimit  = 5 * time.Second
	replyBytes = 64 << 10
)

// Send returns nil once the provider has taken the message. It makes one request. An error is a *Failure.
//
// When the provider has taken it and its answer was lost, the same message is sent again. Resend knows it by its Key for a day and
// sends it once. Postmark recognises no keys: there the mail arrives twice.
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
		return &Failure{Reason: "no answer: " + err.Error()}
	}
	defer res.Body.Close()
	said, _ := io.ReadAll(io.LimitReader(res.Body, replyBytes))
	if res.StatusCode >= 200 && res.StatusCode < 300 || s.format.sent(res.StatusCode, said) {
		return nil
	}
	return &Failure{Reason: fmt.Sprintf("status %d: %.300s", res.StatusCode, said), Final: final(res.StatusCode)}
}

// final tells whether a status is about this one message. A wrong token and a sender that the provider does not know (401, 403) are
// about all messages, as are limits (429) and failures of the server.
func final(status int) bool {
	switch status {
	case http.StatusUnauthorized, http.StatusForbidden, http.StatusRequestTimeout, http.StatusConflict, http.StatusTooEarly,
		http.StatusTooManyRequests:
		return false
	}
	return status < 500
}
