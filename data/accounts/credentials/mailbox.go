package credentials

import (
	"strings"

	"plaza/data/delivery/mails"
)

// Mailbox is the same for addresses that lead to one mailbox: in any case of letters, with any tag behind a plus, and at Gmail with or
// without dots. It is for counting mails, and never for finding an account: elsewhere two such addresses may be those of two people.
func Mailbox(address string) string {
	key := mails.KeyOf(address)
	at := strings.LastIndexByte(key, '@')
	if at < 0 {
		return key
	}
	local, domain := key[:at], key[at+1:]
	if tag := strings.IndexByte(local, '+'); tag > 0 {
		local = local[:tag]
	}
	if domain == "gmail.com" || domain == "googlemail.com" {
		local, domain = strings.ReplaceAll(local, ".", ""), "gmail.com"
	}
	return local + "@" + domain
}
