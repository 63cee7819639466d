package mail

import (
	"encoding/json"
	"net/http"
)

// resend is the format of https://resend.com/docs/api-reference/emails/send-email.
var resend = format{
	url: "https://api.resend.com/emails",
	request: func(o Options, m Message) (any, map[string]string) {
		return resendMail{From: o.From, To: []string{m.To}, Subject: m.Subject, Text: m.Text(), HTML: m.HTML(), Headers: m.headers()},
			map[string]string{"Authorization": "Bearer " + o.Token, "Idempotency-Key": m.Key}
	},
	// A 409 with this name says that the key was used with another body, for example before the member's name changed. So that mail was sent.
	sent: func(status int, body []byte) bool {
		var e struct{ Name string }
		return status == http.StatusConflict && json.Unmarshal(body, &e) == nil && e.Name == "invalid_idempotent_request"
	},
}

type resendMail struct {
	From    string            `json:"from"`
	To      []string          `json:"to"`
	Subject string            `json:"subject"`
	Text    string            `json:"text"`
	HTML    string            `json:"html"`
	Headers map[string]string `json:"headers,omitempty"`
}
