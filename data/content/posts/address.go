package posts

import (
	"net/url"
	"strings"
)

// Domain is the host that a listing names beside a link, without "www.".
func Domain(link string) string {
	u, err := url.Parse(link)
	if err != nil {
		return ""
	}
	return strings.TrimPrefix(strings.ToLower(u.Hostname()), "www.")
}
