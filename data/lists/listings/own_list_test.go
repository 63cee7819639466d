package listings_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"plaza/test/stacktest"
	"plaza/test/storetest"
)

func TestOwnPostsAreReadFromTheCursorOn(t *testing.T) {
	sql := stacktest.OpenSchema(t)
	for name, begin := range map[string]string{
		"unpublishedOfAuthor": "SEARCH p USING INDEX posts_own (author_id=? AND status=? AND <expr><?)",
		"publishedOfAuthor":   "SEARCH p USING INDEX posts_by (author_id=? AND created_at>? AND (created_at,rowid)<(?,?))",
	} {
		plan := storetest.Explain(t, sql, name, storetest.StatementsIn(t, ".")[name])
		require.Equal(t, begin, plan[0])
		require.NotContains(t, plan, "USE TEMP B-TREE FOR ORDER BY")
	}
}
