package unfurl

import (
	"net/netip"
	"net/url"
	"unicode/utf8"
)

// Refusal is why an address must not be fetched.
type Refusal string

func (r Refusal) Error() string { return string(r) }

// The reasons, as they are stored.
const (
	notAnAddress = Refusal("not an address")
	notWeb       = Refusal("not http or https")
	hasPassword  = Refusal("a name or password in the address")
	otherPort    = Refusal("a port of its own")
	badHost      = Refusal("not a public host")
	// NotPublic is also for names that resolve to such an address.
	NotPublic = Refusal("not a public address")
)

// Address is an address that may be fetched, in a form that every URL parser reads alike: the host is ASCII, lower case, and either a
// name of two labels or more or an IP address in its usual form. Only Parse and Follow return one.
type Address struct {
	URL  string
	Host string     // without brackets
	IP   netip.Addr // the IP address of Host, if it is no name
	u    *url.URL
}

// Scheme is http or https.
func (a Address) Scheme() string { return a.u.Scheme }

// Origin returns the address's origin, as browsers write it.
func (a Address) Origin() string { return a.u.Scheme + "://" + a.u.Host }

// Parse checks an address and normalizes it. Its error is a Refusal.
func Parse(raw string) (Address, error) {
	u, err := parse(raw)
	if err != nil {
		return Address{}, err
	}
	return check(u)
}

// Follow checks and resolves the address of a Location, a base or a picture, relative to this one.
func (a Address) Follow(reference string) (Address, error) {
	u, err := parse(reference)
	if err != nil {
		return Address{}, err
	}
	if a.u == nil {
		return Address{}, notAnAddress
	}
	return check(a.u.ResolveReference(u))
}

// parse refuses addresses that browsers repair, because parsers differ in how.
func parse(raw string) (*url.URL, error) {
	if len(raw) > addressMax || !utf8.ValidString(raw) {
		return nil, notAnAddress
	}
	for _, r := range raw {
		if r <= ' ' || r == 0x7f || r == '\\' {
			return nil, notAnAddress
		}
	}
	u, err := url.Parse(raw)
	if err != nil || u.Opaque != "" {
		return nil, notAnAddress
	}
	return u, nil
}

func check(u *url.URL) (Address, error) {
	if u.Scheme != "http" && u.Scheme != "https" {
		return Address{}, notWeb
	}
	if u.User != nil {
		return Address{}, hasPassword
	}
	// An empty port, as in "host:", is the default.
	if port := u.Port(); port != "" && (u.Scheme != "http" || port != "80") && (u.Scheme != "https" || port != "443") {
		return Address{}, otherPort
	}
	host, ip, err := checkHost(u.Hostname())
	if err != nil {
		return Address{}, err
	}
	plain := &url.URL{Scheme: u.Scheme, Host: host, Path: u.Path, RawPath: u.RawPath, RawQuery: u.RawQuery}
	if ip.Is6() {
		plain.Host = "[" + host + "]"
	}
	if plain.Path == "" {
		plain.Path = "/"
	}
	text := plain.String()
	if len(text) > addressMax {
		return Address{}, notAnAddress
	}
	return Address{URL: text, Host: host, IP: ip, u: plain}, nil
}
