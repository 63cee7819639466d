package worker_test

import (
	"go/ast"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plaza/data/storetest"
)

// ways are the methods of data.DB that open a transaction.
var ways = []string{"Write", "WriteEach", "InSteps"}

// TestNoHandlerOpensATransaction holds that statements that write are gathered by stores alone.
func TestNoHandlerOpensATransaction(t *testing.T) {
	opened := map[string]int{}
	storetest.GoFiles(t, func(path, _ string, file *ast.File) {
		ast.Inspect(file, func(n ast.Node) bool {
			opens, ok := n.(*ast.SelectorExpr)
			if !ok || !slices.Contains(ways, opens.Sel.Name) {
				return true
			}
			if db, ok := opens.X.(*ast.SelectorExpr); ok && db.Sel.Name == "DB" {
				opened[opens.Sel.Name]++
				kit := strings.HasPrefix(path, "worker/workertest/")
				assert.False(t, strings.HasPrefix(path, "worker/") && !kit, "%s opens a transaction; a store of package data should", path)
			}
			return true
		})
	})
	require.Greater(t, opened["Write"], 100, "the transactions of stores are seen")
	for _, way := range ways {
		require.NotZero(t, opened[way], way)
	}
}
