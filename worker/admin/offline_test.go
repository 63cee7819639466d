package admin_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"plaza/test/workertest"
)

// The service worker keeps this page. What it puts into pages that it shows without the network must not show with it.
func TestTheOfflinePageHasTheNoteOfKeptPages(t *testing.T) {
	s := workertest.MustOpen(t)
	res := s.Visitor().Get("/offline")
	require.Contains(t, res.Header().Get("Cache-Control"), "public", "it is the same for all visitors")
	page := res.Body.String()
	require.Regexp(t, `<template><p class="notice" role="status"><span>You are offline\.[^<]*</span> <a href="/offline">Kept pages</a></p></template>`,
		page)
	require.NotContains(t, page, "/settings#offline")
	require.Contains(t, page, "noindex")

	ann := s.Member("ann")
	require.Contains(t, ann.Page("/offline"), `href="/settings#offline"`)
	require.Regexp(t, `<section class="[^"]*" id="offline">(?s:.*)<input type="checkbox" disabled`, ann.Page("/settings"))
	require.NotContains(t, ann.Page("/settings/profile"), `id="offline"`)
}
