package links

import (
	"bytes"
	"context"
	"net/http"

	"plaza/data/pace/deadline"
	"plaza/protocol/unfurl"
)

// Response is another server's response to Post.
type Response struct {
	Status     int
	RetryAfter string // the header of that name
}

// responseBytes bounds how much of a response's body is read. It is not used.
const responseBytes = 4 << 10

// CheckReceiver returns the normalised address of a server to which something is to be sent. It must be https and no page of this
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

// Post sends a body to another server, after the same checks as for links. It follows no redirects. It returns a Failure if there was no
// response.
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
