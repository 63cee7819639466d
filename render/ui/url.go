package ui

import (
	"net/url"
	"strings"

	"plaza/locale"
)

func CommunityURL(name string) string { return "/c/" + url.PathEscape(name) }

// IsProfile reports whether a name belongs to a member's profile, which is a place for posts like a community, and not to a community.
func IsProfile(place string) bool { return strings.HasPrefix(place, "u-") }

// PlaceName is how a place for posts is named.
func PlaceName(place string) locale.Text {
	if IsProfile(place) {
		return "profile"
	}
	return locale.Verbatim("c/" + place)
}

func ProfileURL(name string) string { return "/u/" + url.PathEscape(name) }

// WithReturn gives an address of the login pages that leads back to path.
func WithReturn(address, path string) string {
	if path == "" || path == "/" {
		return address
	}
	return address + "?next=" + url.QueryEscape(path)
}

// addressLen is how many characters of an address are shown where it stands for a title.
const addressLen = 100

// PlainAddress is an address as people read it: without https:// and www., and cut.
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
