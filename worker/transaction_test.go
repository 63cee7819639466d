package worker_test

import (
	"go/ast"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plaza/data/storetest"
)

// TestNoHandlerOpensATransaction holds that statements that write are gathered by stores alone.
func TestNoHandlerOpensATransaction(t *testing.T) {
	opened := 0
	storetest.GoFiles(t, func(path, _ string, file *ast.File) {
		ast.Inspect(file, func(n ast.Node) bool {
			opens, ok := n.(*ast.SelectorExpr)
			if !ok || opens.Sel.Name != "Write" && opens.Sel.Name != "WriteEach" {
				return true
			}
			if db, ok := opens.X.(*ast.SelectorExpr); ok && db.Sel.Name == "DB" {
				opened++
				kit := strings.HasPrefix(path, "worker/workertest/")
				assert.False(t, strings.HasPrefix(path, "worker/") && !kit, "%s opens a transaction; a store of package data should", path)
			}
			return true
		})
	})
	require.Greater(t, opened, 100, "the transactions of stores are seen")
}
