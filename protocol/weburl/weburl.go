// Package weburl compares web addresses as browsers read them: which host an address leads to (Domain, Host), and which addresses lead to
// one page (Key). It fetches nothing and refuses nothing: package unfurl says which addresses may be fetched.
//
// Rules of single sites are data: pages.tsv has other addresses of the same page, parameters.tsv the parameters without an effect on a
// page.
package weburl

import (
	"net/url"
	"strconv"
	"strings"
)

// PortMax is the highest port.
const PortMax = 65535

// PortOf returns the port in an address. It is 0 for none, and above PortMax for one that is too large.
func PortOf(u *url.URL) int {
	port, err := strconv.Atoi(u.Port())
	if err != nil && u.Port() != "" {
		return PortMax + 1 // Parse accepts digits only
	}
	return port
}

// Parse is url.Parse for a typed address. A percent sign without a valid escape, which browsers accept, is a plain character.
func Parse(address string) (*url.URL, error) {
	return url.Parse(wholeEscapes(strings.TrimSpace(address)))
}

// wholeEscapes escapes the percent signs that begin no escape.
func wholeEscapes(s string) string {
	at := strings.IndexByte(s, '%')
	if at < 0 {
		return s
	}
	var b strings.Builder
	b.WriteString(s[:at])
	for ; at < len(s); at++ {
		b.WriteByte(s[at])
		if _, ok := escaped(s[at:]); s[at] == '%' && !ok {
			b.WriteString("25")
		}
	}
	return b.String()
}

// escaped decodes the escape at the beginning of a text.
func escaped(s string) (c byte, ok bool) {
	if len(s) < 3 || s[0] != '%' {
		return 0, false
	}
	n, err := strconv.ParseUint(s[1:3], 16, 8)
	return byte(n), err == nil
}

// Domain returns the host of a web address without "www.", or "" for an invalid one.
func Domain(address string) string {
	u, err := Parse(address)
	if err != nil {
		return ""
	}
	return domainOf(u)
}

// Typed is Domain for a typed domain: a host, or an address with or without http:// before it.
func Typed(domain string) string {
	if isPlain(domain) && !strings.HasPrefix(domain, "www.") && strings.Trim(domain, ".") == domain {
		return domain // in its stored form
	}
	if domain = strings.TrimSpace(domain); !strings.Contains(domain, "://") {
		domain = "http://" + domain
	}
	return Domain(domain)
}

// IsDomain reports whether a host that Host returned can be registered: names of letters, digits, "-" and "_", with single dots between
// them. Browsers accept more than that.
func IsDomain(host string) bool {
	for name := range strings.SplitSeq(host, ".") {
		if strings.Trim(name, "-") == "" || strings.Trim(name, "abcdefghijklmnopqrstuvwxyz0123456789-_") != "" {
			return false
		}
	}
	return true
}

// Within reports whether a host is a domain or its subdomain. Both are results of Host.
func Within(host, domain string) bool {
	below, ok := strings.CutSuffix(host, domain)
	return ok && (below == "" || strings.HasSuffix(below, "."))
}

func domainOf(u *url.URL) string {
	if u.Scheme != "http" && u.Scheme != "https" {
		return ""
	}
	host := Host(u.Hostname())
	for {
		plain, ok := strings.CutPrefix(host, "www.")
		if !ok || !strings.Contains(plain, ".") {
			return host
		}
		host = plain
	}
}
