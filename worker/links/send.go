package links

import (
	"bytes"
	"context"
	"net/http"

	"plaza/data/pace/deadline"
	"plaza/protocol/unfurl"
)

// Response is what came of sending something to another server.
type Response struct {
	Status     int
	RetryAfter string // the header of that name
}

// responseBytes is how much of an answer's body is read. Nothing is done with it.
const responseBytes = 4 << 10

// CheckReceiver gives the address of a server to which something is to be sent in its one form. It has to be https and no page of this
// site. Its error is a Failure.
func (c *Client) CheckReceiver(raw string) (unfurl.Address, error) {
	address, err := unfurl.Parse(raw)
	switch {
	case err != nil:
		return address, &Failure{Reason: err.Error(), Final: true}
	case address.Scheme() != "https":
		return address, &Failure{Reason: "not https", Final: true}
	case address.Host == c.OwnHost:
		return address, &Failure{Reason: "a page of this site", Final: true}
	}
	return address, nil
}

// Post sends something to another server, after the same checks as for links. It follows no redirects. It returns a Failure where no
// answer came.
func (c *Client) Post(ctx context.Context, raw string, header map[string]string, body []byte) (Response, error) {
	address, err := c.CheckReceiver(raw)
	if err != nil {
		return Response{}, err
	}
	began := c.Now()
	if err := c.resolvesToPublic(ctx, address, began); err != nil {
		return Response{}, err
	}
	remaining := fetchTime - c.Now().Sub(began)
	if remaining <= 0 {
		return Response{}, &Failure{Reason: "it took too long"}
	}
	ctx = WithReplyLimit(deadline.WithLimit(ctx, remaining), responseBytes)
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, address.URL, bytes.NewReader(body))
	if err != nil {
		return Response{}, &Failure{Reason: err.Error(), Final: true}
	}
	for name, value := range header {
		r.Header.Set(name, value)
	}
	r.Header.Set("User-Agent", "Plaza (+"+c.SiteURL+")")
	res, err := c.Web.Do(r)
	if err != nil {
		return Response{}, &Failure{Reason: "no answer: " + err.Error()}
	}
	res.Body.Close()
	return Response{res.StatusCode, res.Header.Get("Retry-After")}, nil
}
