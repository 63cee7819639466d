package credentials

import (
	"strings"

	"plaza/data/events/mails"
)

// tagging are domains whose providers ignore a tag after a plus in an address. Gmail is in Mailbox. Source:
// en.wikipedia.org/wiki/Email_address#Subaddressing.
var tagging = map[string]bool{"outlook.com": true, "hotmail.com": true, "live.com": true, "icloud.com": true, "me.com": true,
	"mac.com": true, "proton.me": true, "protonmail.com": true, "fastmail.com": true}

// Mailbox returns the same value for addresses that may be one mailbox: in any letter case, with any tag after a plus, and at Gmail
// with or without dots. It is for counting mails, and never for finding an account: at some providers two such addresses may belong to
// two people.
func Mailbox(address string) string {
	local, domain, ok := parts(address)
	if !ok {
		return local
	}
	return untagged(local, domain)
}

// Owner returns the same value only for addresses that belong to the same person. Unlike Mailbox, it keeps tags at providers that may not
// support them.
func Owner(address string) string {
	local, domain, ok := parts(address)
	if !ok {
		return local
	}
	if tagging[domain] || gmail(domain) {
		return untagged(local, domain)
	}
	return local + "@" + domain
}

func gmail(domain string) bool { return domain == "gmail.com" || domain == "googlemail.com" }

func parts(address string) (local, domain string, ok bool) {
	key := mails.KeyOf(address)
	at := strings.LastIndexByte(key, '@')
	if at < 0 {
		return key, "", false
	}
	return key[:at], key[at+1:], true
}

func untagged(local, domain string) string {
	if tag := strings.IndexByte(local, '+'); tag > 0 {
		local = local[:tag]
	}
	if gmail(domain) {
		local, domain = strings.ReplaceAll(local, ".", ""), "gmail.com"
	}
	return local + "@" + domain
}
