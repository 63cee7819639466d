package outbox_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"plaza/data/events/outbox"
)

// TestKinds finds every constant Job… of the package in the table.
func TestKinds(t *testing.T) {
	files, err := filepath.Glob("*.go")
	require.NoError(t, err)
	found := map[string]bool{}
	for _, path := range files {
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
		require.NoError(t, err)
		ast.Inspect(file, func(n ast.Node) bool {
			if v, is := n.(*ast.ValueSpec); is && strings.HasPrefix(v.Names[0].Name, "Job") && len(v.Values) == 1 {
				job, err := strconv.Unquote(v.Values[0].(*ast.BasicLit).Value)
				require.NoError(t, err)
				found[job] = true
			}
			return true
		})
	}
	for _, kind := range outbox.Kinds {
		require.True(t, found[string(kind.Job)], kind.Job)
		require.NotEmpty(t, kind.About, kind.Job)
		delete(found, string(kind.Job))
	}
	require.Empty(t, found, "a job that outbox.Kinds lacks")
}
