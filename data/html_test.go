package data_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"plaza/data"
	"plaza/data/communities"
	"plaza/data/posts"
	"plaza/data/storetest"
	"plaza/data/threads"
)

// The limits that writers hold are those that reading cuts at.
func TestHTMLIsReadUpToWhatMayBeWritten(t *testing.T) {
	ofComments, ofPosts, ofCommunities := storetest.StatementsIn(t, "threads"), storetest.StatementsIn(t, "posts"), storetest.StatementsIn(t, "communities")
	require.Contains(t, ofComments["commentByID"], fmt.Sprintf("octet_length(c.body_html) <= %d,", data.CommentHTMLMax))
	require.Contains(t, ofComments["commentByID"], fmt.Sprintf("substr(c.body, 1, %d)", threads.CommentMax))
	require.Contains(t, ofPosts["postBySlug"], fmt.Sprintf("octet_length(t.html) <= %d,", data.PostHTMLMax))
	require.Contains(t, ofPosts["postBySlug"], fmt.Sprintf("substr(t.text, 1, %d)", posts.TextMax))
	require.Contains(t, ofCommunities["communityByName"], fmt.Sprintf("octet_length(c.sidebar_html) <= %d,", data.SidebarHTMLMax))
	require.Contains(t, ofCommunities["communityByName"], fmt.Sprintf("substr(c.sidebar, 1, %d)", communities.SidebarMax))
}
