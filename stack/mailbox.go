package stack

import (
	"crypto/sha256"
	"crypto/subtle"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/mail"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	g "maragu.dev/gomponents"
	h "maragu.dev/gomponents/html"
)

// Mailbox is a running server that accepts mails like Resend, at /emails, and delivers none of them. It keeps the last mailboxSize in
// memory, and shows them on a page, at /, and as JSON, at /mails.json.
type Mailbox struct {
	URL string

	server *http.Server
	token  [sha256.Size]byte
	mu     sync.Mutex
	mails  []Mail // the oldest first
	last   int
	keys   map[string]usedKey
}

// mailboxSize is how many mails a mailbox keeps.
const mailboxSize = 500

// Mail is a received mail.
type Mail struct {
	ID      int               `json:"id"`
	At      time.Time         `json:"at"`
	From    string            `json:"from"`
	To      string            `json:"to"`
	Subject string            `json:"subject"`
	Text    string            `json:"text"`
	HTML    string            `json:"html"`
	Headers map[string]string `json:"headers"`
}

// usedKey is the use of an idempotency key.
type usedKey struct {
	body [sha256.Size]byte
	id   int
}

// StartMailbox listens on a free port of the loopback. Senders need the token.
func StartMailbox(token string) (*Mailbox, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, fmt.Errorf("mailbox: %w", err)
	}
	b := &Mailbox{URL: "http://" + listener.Addr().String(), token: sha256.Sum256([]byte("Bearer " + token)), keys: map[string]usedKey{}}
	mux := http.NewServeMux()
	mux.HandleFunc("POST /emails", b.receive)
	mux.HandleFunc("GET /{$}", b.show)
	mux.HandleFunc("GET /mails.json", b.list)
	mux.HandleFunc("GET /mails/{id}", b.showHTML)
	b.server = &http.Server{Handler: mux, ReadHeaderTimeout: 10 * time.Second}
	go func() { _ = b.server.Serve(listener) }()
	return b, nil
}

// Close stops listening.
func (b *Mailbox) Close() error { return b.server.Close() }

// Mails returns the mails to an address, the oldest first; for "" all of them.
func (b *Mailbox) Mails(to string) []Mail {
	b.mu.Lock()
	defer b.mu.Unlock()
	return slices.DeleteFunc(slices.Clone(b.mails), func(m Mail) bool { return to != "" && !strings.EqualFold(m.To, to) })
}

// receive is Resend's POST /emails, as far as Plaza uses it:
// https://resend.com/docs/api-reference/emails/send-email and https://resend.com/docs/dashboard/emails/idempotency-keys.
func (b *Mailbox) receive(w http.ResponseWriter, r *http.Request) {
	refuse := func(status int, name, message string) {
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(status)
		_ = json.NewEncoder(w).Encode(map[string]any{"statusCode": status, "name": name, "message": message})
	}
	if got := sha256.Sum256([]byte(r.Header.Get("Authorization"))); subtle.ConstantTimeCompare(got[:], b.token[:]) != 1 {
		refuse(http.StatusUnauthorized, "missing_api_key", "The token in Authorization is missing or wrong.")
		return
	}
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, 40<<20))
	if err != nil {
		refuse(http.StatusBadRequest, "validation_error", err.Error())
		return
	}
	var m struct {
		From, Subject, Text, HTML string
		To                        []string
		Headers                   map[string]string
	}
	if err := json.Unmarshal(body, &m); err != nil {
		refuse(http.StatusBadRequest, "validation_error", err.Error())
		return
	}
	_, wrongFrom := mail.ParseAddress(m.From)
	switch {
	case wrongFrom != nil || len(m.To) != 1 || m.Subject == "" || m.Text == "" && m.HTML == "":
		refuse(http.StatusUnprocessableEntity, "missing_required_field", "from, to (one address), subject and text or html are required.")
		return
	}
	if a, err := mail.ParseAddress(m.To[0]); err != nil || a.Address != m.To[0] {
		refuse(http.StatusUnprocessableEntity, "validation_error", "Invalid `to` field.")
		return
	}
	key, sum := r.Header.Get("Idempotency-Key"), sha256.Sum256(body)
	b.mu.Lock()
	defer b.mu.Unlock()
	before, again := b.keys[key]
	if again && key != "" {
		if before.body != sum {
			refuse(http.StatusConflict, "invalid_idempotent_request", "This idempotency key was used with another body.")
			return
		}
	} else {
		b.last++
		before = usedKey{sum, b.last}
		b.keys[key] = before
		b.mails = append(b.mails, Mail{b.last, time.Now(), m.From, m.To[0], m.Subject, m.Text, m.HTML, m.Headers})
		if len(b.mails) > mailboxSize {
			b.mails = b.mails[len(b.mails)-mailboxSize:]
		}
	}
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(map[string]string{"id": strconv.Itoa(before.id)})
}

// list returns the mails to ?to=, or all of them.
func (b *Mailbox) list(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(b.Mails(r.URL.Query().Get("to")))
}

// show is a page of all mails, the newest first.
func (b *Mailbox) show(w http.ResponseWriter, _ *http.Request) {
	mails := b.Mails("")
	slices.Reverse(mails)
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	_ = h.Doctype(h.HTML(h.Lang("en"),
		h.Head(h.Meta(h.Charset("utf-8")), h.Meta(h.Name("viewport"), h.Content("width=device-width")),
			h.Meta(h.Name("color-scheme"), h.Content("light dark")),
			h.TitleEl(g.Text("Mailbox")), h.StyleEl(g.Raw("body{font:16px/1.5 system-ui,sans-serif;max-width:70ch;margin:2rem auto;padding:0 1rem}"+
				"article{border:1px solid #8886;border-radius:8px;padding:0 1rem 1rem;margin:1rem "+
				"0}pre{white-space:pre-wrap;overflow-wrap:anywhere;font:inherit}"))),
		h.Body(
			h.H1(g.Text("Mailbox")),
			h.P(g.Text("What the site sends by mail comes here and goes nowhere else. It is forgotten when plaza dev ends.")),
			g.If(len(mails) == 0, h.P(g.Text("There is no mail yet."))),
			g.Map(mails, func(m Mail) g.Node {
				return h.Article(
					h.H2(g.Text(m.Subject)),
					h.P(g.Text("To "+m.To+", "+m.At.Format("15:04:05")+". "), h.A(h.Href("/mails/"+strconv.Itoa(m.ID)), g.Text("As HTML"))),
					h.Pre(linked(m.Text)),
				)
			}),
		))).Render(w)
}

var address = regexp.MustCompile(`https?://[^\s<>"]+`)

// linked returns a text with its addresses as links.
func linked(text string) g.Node {
	var nodes g.Group
	for at := address.FindStringIndex(text); at != nil; at = address.FindStringIndex(text) {
		url := text[at[0]:at[1]]
		nodes = append(nodes, g.Text(text[:at[0]]), h.A(h.Href(url), g.Text(url)))
		text = text[at[1]:]
	}
	return append(nodes, g.Text(text))
}

// showHTML shows a mail's HTML. It runs no script and loads nothing, like a mail program.
func (b *Mailbox) showHTML(w http.ResponseWriter, r *http.Request) {
	for _, m := range b.Mails("") {
		if strconv.Itoa(m.ID) == r.PathValue("id") {
			w.Header().Set("Content-Type", "text/html; charset=utf-8")
			w.Header().Set("Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'")
			_, _ = io.WriteString(w, m.HTML)
			return
		}
	}
	http.NotFound(w, r)
}
