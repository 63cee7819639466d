package mail

// postmark is the format of https://postmarkapp.com/developer/api/email-api.
var postmark = format{
	url: "https://api.postmarkapp.com/email",
	request: func(o Options, m Message) (any, map[string]string) {
		var headers []postmarkHeader
		for name, value := range m.headers() {
			headers = append(headers, postmarkHeader{name, value})
		}
		return postmarkMail{From: o.From, To: m.To, Subject: m.Subject, TextBody: m.Text(), HTMLBody: m.HTML(), MessageStream: "outbound",
				Headers: headers},
			map[string]string{"X-Postmark-Server-Token": o.Token}
	},
	sent: func(int, []byte) bool { return false },
}

type postmarkMail struct {
	From, To, Subject, TextBody string
	HTMLBody                    string `json:"HtmlBody"`
	MessageStream               string
	Headers                     []postmarkHeader `json:",omitempty"`
}

type postmarkHeader struct{ Name, Value string }
