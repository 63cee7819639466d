package worker_test

import (
	"go/ast"
	"path"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plaza/test/storetest"
)

// subjects are the packages of handlers. None of them imports another.
var subjects = []string{"account", "admin", "community", "inbox", "listing", "moderation", "post"}

// TestFloors holds who may import whom: edge and what starts it, worker, a subject, view, request, and below them data and what is pure. What two subjects
// need goes down: to view if it shows, to request if it concerns the request, to data if it is a rule. Pages have floors of their own: the
// pages of a subject, ui with what they share, Markdown.
func TestFloors(t *testing.T) {
	t.Parallel()
	const handlers, views, requests = 3, 2, 1
	floor := func(folder string) int {
		switch below, ok := strings.CutPrefix(folder, "worker/"); {
		case folder == "worker":
			return 4
		case !ok:
			return 0
		case below == "edge/app":
			return 7
		case below == "edge":
			return 6
		case below == "edge/setup":
			return 5
		case slices.Contains(subjects, below):
			return handlers
		case below == "view":
			return views
		case below == "request":
			return requests
		}
		return 0 // links, oidc, api, queue, request/limit, request/session: they know nothing of calls
	}
	pages := func(folder string) int {
		switch below, _ := strings.CutPrefix(folder, "render/"); {
		case below == "markdown", below == "card":
			return 1
		case below == "ui":
			return 2
		case slices.Contains(subjects, below), below == "feeds":
			return 3
		case below == "markdown/testdata/steps": // for tests
			return 4
		}
		return 0
	}
	imports := map[string]int{}
	storetest.GoFiles(t, func(name, _ string, file *ast.File) {
		from := path.Dir(name)
		for _, spec := range file.Imports {
			whole, _ := strconv.Unquote(spec.Path.Value) // the parser has accepted it
			to, ours := strings.CutPrefix(whole, "plaza/")
			if !ours || from == to {
				continue
			}
			imports[from]++
			top := topOf(from)
			assert.False(t, topOf(to) == "test" && top != "test", "%s imports what only tests may", name)
			switch {
			case top == "locale":
				assert.Equal(t, "locale", topOf(to), "%s imports %s: the words are below all", name, to)
			case topOf(to) == "locale" && top != "ranking": // texts are everywhere
			case top == "test": // its kits open whole sites
			case top == "worker":
				assert.True(t, floor(from) > floor(to) || floor(from) == 0 && floor(to) == 0, "%s imports %s", name, to)
			case top == "data":
				assert.False(t, slices.Contains([]string{"worker", "render", "ops", "cmd"}, topOf(to)), "%s imports %s: data is below it", name, to)
			case from == "render/markdown" && to == "data/names": // what can be mentioned is what can be registered; it imports nothing itself
			case top == "render":
				assert.NotZero(t, pages(from), "%s stands on no floor", name)
				assert.True(t, strings.HasPrefix(to, "render/") && pages(from) > pages(to), "%s imports %s", name, to)
			case top == "ranking":
				assert.Fail(t, "ranking is pure", "%s imports %s", name, to)
			case from == "protocol/mail" && to == "data/pace/deadline": // how much time the request has left, which imports nothing itself
			case top == "protocol":
				assert.Equal(t, "protocol", topOf(to), "%s imports %s", name, to)
			case top == "ops":
				assert.False(t, strings.HasPrefix(to, "worker"), "%s imports %s: ops keeps to data and render", name, to)
			}
		}
	})
	for _, subject := range subjects {
		require.NotZero(t, imports["worker/"+subject], subject)
		require.NotZero(t, imports["render/"+subject], subject)
	}
}

// topOf is the first folder of a path.
func topOf(folder string) string {
	top, _, _ := strings.Cut(folder, "/")
	return top
}

// ways are the methods of data.DB that open a transaction.
var ways = []string{"Write", "WriteAt", "WriteEach", "WriteAll", "WriteEverywhere", "WriteElsewhere", "Steps", "StepsAll", "StepsEverywhere"}

// TestNoHandlerOpensATransaction holds that statements that write are gathered by stores alone.
func TestNoHandlerOpensATransaction(t *testing.T) {
	t.Parallel()
	opened := map[string]int{}
	storetest.GoFiles(t, func(path, _ string, file *ast.File) {
		ast.Inspect(file, func(n ast.Node) bool {
			opens, ok := n.(*ast.SelectorExpr)
			if !ok || !slices.Contains(ways, opens.Sel.Name) {
				return true
			}
			if db, ok := opens.X.(*ast.SelectorExpr); ok && db.Sel.Name == "DB" {
				opened[opens.Sel.Name]++
				kit := strings.HasPrefix(path, "test/workertest/")
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
