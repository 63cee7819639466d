package credentials

import (
	"strings"

	"plaza/data/delivery/mails"
)

// tagging are domains whose providers deliver what has a tag behind a plus to the address without it. Gmail is in Mailbox.
// Source: en.wikipedia.org/wiki/Email_address#Subaddressing.
var tagging = map[string]bool{"outlook.com": true, "hotmail.com": true, "live.com": true, "icloud.com": true, "me.com": true,
	"mac.com": true, "proton.me": true, "protonmail.com": true, "fastmail.com": true}

// Mailbox is the same for addresses that may lead to one mailbox: in any case of letters, with any tag behind a plus, and at Gmail with or
// without dots. It is for counting mails, and never for finding an account: elsewhere two such addresses may be those of two people.
func Mailbox(address string) string {
	local, domain, ok := parts(address)
	if !ok {
		return local
	}
	return untagged(local, domain)
}

// Owner is the same only for addresses that belong to the same person. It is Mailbox, but for tags at providers that may not know them.
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
