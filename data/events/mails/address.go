package mails

import (
	"net/mail"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/net/idna"
	"golang.org/x/text/unicode/norm"
)

// The longest domain and the longest label of one, in ASCII.
const (
	domainMax = 253
	labelMax  = 63
)

// addressMax is the maximum length of an address to convert, in bytes. Longer ones are not converted, because any visitor may type one,
// and the time for Punycode grows with the square of the length.
const addressMax = AddressMax * utf8.UTFMax

// plainDomain returns a domain as mail servers look it up: in lower-case ASCII, with Punycode for other letters (UTS 46). ok is false if it
// can't be a domain.
func plainDomain(domain string) (plain string, ok bool) {
	plain, err := idna.Lookup.ToASCII(domain)
	plain = strings.TrimSuffix(plain, ".")
	long := slices.ContainsFunc(strings.Split(plain, "."), func(label string) bool { return label == "" || len(label) > labelMax })
	return plain, err == nil && !long && len(plain) <= domainMax
}

// AddressMax is the maximum length of an address in a form, in bytes.
const AddressMax = 254

// Valid reports whether a text is the address of one mailbox, as forms accept it.
func Valid(address string) bool {
	if len(address) > AddressMax {
		return false
	}
	a, err := mail.ParseAddress(address)
	plain, ok := WithASCIIDomain(address)
	_, domain := cut(plain)
	return err == nil && a.Address == address && ok && len(plain) <= AddressMax && strings.Contains(domain, ".") &&
		// Bidi characters reverse the text beside them; wide spaces look like an end.
		!strings.ContainsFunc(address, func(r rune) bool { return !unicode.IsPrint(r) || r == utf8.RuneError })
}

// cut returns the parts of an address before and after its last @.
func cut(address string) (local, domain string) {
	at := strings.LastIndexByte(address, '@')
	return address[:max(at, 0)], address[at+1:]
}

// WithASCIIDomain returns an address with its domain in ASCII, which every provider accepts. If it has no valid domain, it returns the
// address unchanged, and false. The part before the @ keeps its letter case.
func WithASCIIDomain(address string) (string, bool) {
	if len(address) > addressMax {
		return address, false
	}
	local, domain := cut(address)
	plain, ok := plainDomain(domain)
	if !ok || local == "" {
		return address, false
	}
	return norm.NFC.String(local) + "@" + plain, true
}

// KeyOf returns the same key for all spellings of one address: in any letter case, with the domain in Unicode or in Punycode, and with
// accents in one character or in two. A letter outside ASCII stays if its lower case is in ASCII, such as İ: these are addresses of
// different people.
func KeyOf(address string) string {
	local, domain := cut(address)
	if local == "" || len(address) > addressMax {
		return lowerCase(address)
	}
	plain, ok := plainDomain(domain)
	if !ok {
		plain = lowerCase(domain)
	}
	return lowerCase(norm.NFC.String(local)) + "@" + plain
}

func lowerCase(text string) string {
	return strings.Map(func(r rune) rune {
		if lower := unicode.ToLower(r); r < utf8.RuneSelf || lower >= utf8.RuneSelf {
			return lower
		}
		return r
	}, text)
}
