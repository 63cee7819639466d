package links

import (
	"context"
	"net/netip"
	"net/url"
	"time"

	"plaza/protocol/strictjson"
	"plaza/protocol/unfurl"
)

// Types of DNS records and codes of responses (RFC 1035, RFC 3596).
const (
	dnsA, dnsAAAA = 1, 28
	dnsNoName     = 3
	resolverBytes = 64 << 10
)

// resolvesToPublic asks the resolver for the addresses of a name. It returns a Failure if any of them is outside the
// public internet, or there is none. Without a resolver it relies on the platform, whose fetch reaches nothing else
// (docs/operations/links.md).
func (c *Client) resolvesToPublic(ctx context.Context, address unfurl.Address, began time.Time) error {
	if c.Resolver == "" || address.IP.IsValid() {
		return nil
	}
	found := 0
	for _, kind := range []string{"A", "AAAA"} {
		ips, err := c.resolve(ctx, address.Host, kind, began)
		if err != nil {
			return err
		}
		for _, ip := range ips {
			if !unfurl.IsPublic(ip) {
				return &Failure{Reason: unfurl.NotPublic.Error(), Final: true}
			}
		}
		found += len(ips)
	}
	if found == 0 {
		return &Failure{Reason: "a name without an address"}
	}
	return nil
}

// resolve uses the JSON format of public resolvers.
// https://developers.cloudflare.com/1.1.1.1/encryption/dns-over-https/make-api-requests/dns-json/
func (c *Client) resolve(ctx context.Context, host, kind string, began time.Time) ([]netip.Addr, error) {
	res, err := c.get(ctx, c.Resolver+"?name="+url.QueryEscape(host)+"&type="+kind, "application/dns-json", began, resolverBytes)
	if err != nil {
		return nil, err
	}
	var response struct {
		Status *int `json:"Status"`
		Answer []struct {
			Type int    `json:"type"`
			Data string `json:"data"`
		} `json:"Answer"`
	}
	if err := strictjson.Unmarshal(res.body, &response); err != nil || res.status != 200 || response.Status == nil {
		return nil, &Failure{Reason: "the resolver gave no answer"}
	}
	switch *response.Status {
	case 0:
	case dnsNoName:
		return nil, &Failure{Reason: "no such name", Final: true}
	default:
		return nil, &Failure{Reason: "the name can't be resolved"}
	}
	var ips []netip.Addr
	for _, answer := range response.Answer {
		if answer.Type != dnsA && answer.Type != dnsAAAA {
			continue // a CNAME on the way
		}
		ip, err := netip.ParseAddr(answer.Data)
		if err != nil {
			return nil, &Failure{Reason: "the resolver gave no answer"}
		}
		ips = append(ips, ip)
	}
	return ips, nil
}
