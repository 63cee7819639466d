package render_test

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	listingpages "plaza/render/listing"
	"plaza/render/ui"
	"plaza/test/fixture"
)

// TestEveryFieldShows finds fields of view models that no fixture fills, or that no page shows: each must change a page when it is
// emptied. That handlers fill them all is tested in package worker.
func TestEveryFieldShows(t *testing.T) {
	all, shown := fixture.Fields{}, fixture.Fields{}
	for _, page := range fixture.Pages() {
		all.All(page.Model())
		filled := fixture.Fields{}
		filled.Filled(page.Model())
		full := draw(t, page, false)
		for field := range filled {
			if shown[field] {
				continue
			}
			var b strings.Builder
			require.NoError(t, page.Draw(fixture.Without(page.Model(), field)).Render(&b))
			shown[field] = b.String() != full
		}
	}
	for _, field := range slices.Sorted(maps.Keys(all)) {
		if field == "InboxItem.Avatar" || field == "InboxItem.Comment" || field == "PostPicture.SmallURL" { // programs get them
			continue
		}
		assert.True(t, shown[field], "no page of a fixture shows %s: give it a value in test/fixture", field)
	}
}

func TestFieldsOfFixtures(t *testing.T) {
	p := listingpages.OwnPostsPage{Items: []listingpages.OwnPost{{Post: ui.PostItem{Title: "x"}}}}
	filled := fixture.Fields{}
	filled.Filled(p)
	assert.Equal(t, fixture.Fields{"OwnPostsPage.Items": true, "OwnPost.Post": true, "PostItem.Title": true}, filled)
	all := fixture.Fields{}
	all.All(p)
	for _, field := range []string{"OwnPostsPage.NextURL", "Frame.Title", "Viewer.Name", "PostItem.NSFW", "Votes.Target"} {
		assert.True(t, all[field], field)
	}
	assert.Empty(t, fixture.Without(p, "PostItem.Title").(listingpages.OwnPostsPage).Items[0].Post.Title)
}
