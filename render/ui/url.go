package ui

import (
	"net/url"
	"strings"

	"plaza/locale"
)

func CommunityURL(name string) string { return "/c/" + url.PathEscape(name) }

// IsProfile reports whether a name of a community is that of a member's profile.
func IsProfile(name string) bool { return strings.HasPrefix(name, "u-") }

// CommunityLabel is the label of a community or profile.
func CommunityLabel(name string) locale.Text {
	if IsProfile(name) {
		return "profile"
	}
	return locale.Verbatim("c/" + name)
}

func ProfileURL(name string) string { return "/u/" + url.PathEscape(name) }

// WithReturn returns an address of the login pages that returns to path.
func WithReturn(address, path string) string {
	if path == "" || path == "/" {
		return address
	}
	return address + "?next=" + url.QueryEscape(path)
}

// addressLen is how many characters are shown of an address that replaces a title.
const addressLen = 100

// PlainAddress is an address as people read it: without https:// and www., and shortened.
func PlainAddress(link string) string {
	if _, rest, ok := strings.Cut(link, "://"); ok {
		link = strings.TrimSuffix(strings.TrimPrefix(rest, "www."), "/")
	}
	if runes := []rune(link); len(runes) > addressLen {
		return string(runes[:addressLen]) + "…"
	}
	return link
}

const InvitesURL = "/settings/invites"
