package unfurl

import (
	"net/netip"
	"strings"
	"unicode/utf8"

	"golang.org/x/net/idna"
	"golang.org/x/net/publicsuffix"

	"plaza/protocol/weburl"
)

// isPublicTLD reports whether top, the last label of a name, is in ICANN's root. It is not for names of private networks, such as
// kubernetes.default.svc and a.consul.
func isPublicTLD(top string) bool {
	_, icann := publicsuffix.PublicSuffix("x." + top)
	return icann
}

// isReserved reports whether no public server has a name with these last labels: special-use domains (RFC 6761, 6762, 7686, 8375, 9476),
// ICANN's .internal, and domains of home and company networks.
func isReserved(parent, top string) bool {
	switch top {
	case "localhost", "local", "internal", "test", "invalid", "example", "onion", "alt", "localdomain", "lan", "home", "corp", "mail",
		"intranet", "private":
		return true
	}
	// A widespread brand of home routers uses fritz.box for itself, though .box is in the public internet.
	return parent == "home" && top == "arpa" || parent == "fritz" && top == "box"
}

const (
	nameMax  = 253
	labelMax = 63
)

// checkHost returns the normalized host, and its IP address if it is one.
func checkHost(host string) (string, netip.Addr, error) {
	none := netip.Addr{}
	if strings.ContainsRune(host, ':') {
		ip, err := netip.ParseAddr(host)
		if err != nil || !IsPublic(ip) {
			return "", none, NotPublic
		}
		return ip.String(), ip, nil
	}
	labels := strings.Split(strings.TrimSuffix(host, "."), ".")
	for i, label := range labels {
		ascii, ok := checkLabel(label)
		if !ok {
			return "", none, badHost
		}
		labels[i] = ascii
	}
	host = strings.Join(labels, ".")
	if weburl.EndsInNumber(host) {
		ip, ok := weburl.ParseIPv4(host)
		if !ok || !IsPublic(ip) {
			return "", none, NotPublic
		}
		return ip.String(), ip, nil
	}
	if n := len(labels); n < 2 || len(host) > nameMax || isReserved(labels[n-2], labels[n-1]) || !isPublicTLD(labels[n-1]) {
		return "", none, badHost
	}
	return host, none, nil
}

// names converts labels as they may be registered: without characters that Unicode's mapping of domain names (UTS 46) would change, so that
// no later parser can read another name. It allows underscores and hyphens in any place, because servers have them.
var names = idna.New(idna.ValidateForRegistration(), idna.CheckHyphens(false), idna.StrictDomainName(false))

// checkLabel returns a label of a name in ASCII and lower case.
func checkLabel(label string) (string, bool) {
	label = strings.ToLower(label)
	plain := !strings.HasPrefix(label, punycode)
	for _, r := range label {
		switch {
		case r >= 'a' && r <= 'z' || r >= '0' && r <= '9' || r == '-' || r == '_':
		case r < utf8.RuneSelf:
			return "", false
		default:
			plain = false
		}
	}
	if plain {
		return label, label != "" && len(label) <= labelMax
	}
	ascii, err := names.ToASCII(label)
	if err != nil || strings.HasPrefix(label, punycode) && ascii != label {
		return "", false
	}
	return ascii, true
}

// punycode begins a label that encodes other letters (RFC 3492).
const punycode = "xn--"
