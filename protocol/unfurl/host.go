package unfurl

import (
	"net/netip"
	"strings"
	"unicode"

	"golang.org/x/net/publicsuffix"
)

// inInternet tells whether a name ends in a domain of the public internet: ICANN's root has its last label. So it is false for names that
// private networks make up, such as kubernetes.default.svc and a.consul.
func inInternet(top string) bool {
	_, icann := publicsuffix.PublicSuffix("x." + top)
	return icann
}

// isReserved tells whether a name ends as no public server's does: special-use domains (RFC 6761, 6762, 7686, 8375,
// 9476), ICANN's .internal, and what home and company networks call their own.
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

// checkHost gives the host in its one form, and the address if it is one.
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
	if endsInNumber(host) {
		ip, ok := parseIPv4(host)
		if !ok || !IsPublic(ip) {
			return "", none, NotPublic
		}
		return ip.String(), ip, nil
	}
	if n := len(labels); n < 2 || len(host) > nameMax || isReserved(labels[n-2], labels[n-1]) || !inInternet(labels[n-1]) {
		return "", none, badHost
	}
	return host, none, nil
}

// checkLabel gives a label of a name in ASCII and lower case. What Unicode's mapping for
// domain names (UTS 46) would turn into other characters is refused instead of mapped, so
// that no parser behind this one can read another name.
func checkLabel(label string) (string, bool) {
	label = strings.Map(unicode.ToLower, label)
	plain := true
	for _, r := range label {
		switch {
		case r >= 'a' && r <= 'z' || r >= '0' && r <= '9' || r == '-' || r == '_':
		case r < 0x80 || !isStable(r):
			return "", false
		default:
			plain = false
		}
	}
	if !plain {
		if strings.HasPrefix(label, "xn--") {
			return "", false
		}
		label = "xn--" + encodePunycode(label)
	} else if code, is := strings.CutPrefix(label, "xn--"); is && (code == "" || code[len(code)-1] == '-') {
		return "", false // it stands for plain ASCII, which some parsers put in its place
	}
	return label, label != "" && len(label) <= labelMax
}

// isStable tells letters, digits and marks that have no compatibility mapping: not those of
// full or half width, in circles, in mathematical type, ligatures or presentation forms.
func isStable(r rune) bool {
	if !unicode.In(r, unicode.L, unicode.M, unicode.Nd) {
		return false
	}
	for _, block := range [][2]rune{
		{0xaa, 0xba}, {0x132, 0x133}, {0x13f, 0x140}, {0x149, 0x149}, {0x17f, 0x17f}, {0x1c4, 0x1cc}, {0x1f1, 0x1f3}, {0x2b0, 0x2b8},
		{0x2e0, 0x2e4},
		{0x1d2c, 0x1d6a}, {0x1d78, 0x1d78}, {0x1d9b, 0x1dbf}, // modifier letters
		{0x2000, 0x2bff},   // punctuation, superscripts, letter-like symbols, circled letters
		{0x3130, 0x318f},   // compatibility jamo
		{0x3200, 0x33ff},   // enclosed and squared
		{0xf900, 0xfaff},   // compatibility ideographs
		{0xfb00, 0xfdff},   // ligatures, presentation forms
		{0xfe00, 0xfe0f},   // variation selectors, which are dropped
		{0xfe20, 0xffff},   // half marks, forms of full and half width
		{0x1d400, 0x1d7ff}, // mathematical letters
		{0x1ee00, 0x1f9ff}, {0x1fb00, 0x1fbff}, {0x2f800, 0x2fa1f}, {0xe0000, 0xfffff},
	} {
		if r >= block[0] && r <= block[1] {
			return false
		}
	}
	return true
}
