package listings_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"plaza/data/storetest"
	"plaza/stack/stacktest"
)

func TestDraftsAreReadFromTheCursorOn(t *testing.T) {
	sql := stacktest.OpenHrana(t)
	stacktest.ApplySchema(t, sql)
	require.Equal(t, []string{"SEARCH p USING INDEX posts_unpublished (author_id=? AND <expr><?)", "CORRELATED SCALAR SUBQUERY 1", "SEARCH f USING INTEGER PRIMARY KEY (rowid=?)"}, storetest.Explain(t, sql, "unpublishedPosts", storetest.Statements(t)["unpublishedPosts"]))
}
