package data_test

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"plaza/data"
	"plaza/data/hrana"
	"plaza/ranking"
	"plaza/stack/stacktest"
)

// planFragments begin like statements and are parts of others.
var planFragments = map[string]bool{
	"deadLetterColumns": true, "quarantineColumns": true, "itemColumns": true,
	"postSourceColumns": true, "forgetOriginal": true, "commentSourceColumns": true,
	"castVotes": true, "frontSubscribed": true, "frontGiven": true,
	"threadBegin": true, "threadSiblings": true, "threadAnswers": true, "threadList": true, "threadLevel": true, "threadFirst": true, "threadArray": true, "threadFits": true, "threadColumns": true,
}

const (
	fromItsFront = "an index in its order, that stops at LIMIT"
	ofABatch     = "the deltas of one batch, by something other than what they were found by"
)

// planExceptions are the lines of plans that would be wrong elsewhere, with the reason
// why they are right here, by statement. One that no plan has any more is an error.
var planExceptions = map[string]map[string]string{
	"hottestOfSite":    {"SCAN posts USING COVERING INDEX posts_site_hot": fromItsFront},
	"foldPostKarma":    {"USE TEMP B-TREE FOR GROUP BY": ofABatch},
	"foldCommentKarma": {"USE TEMP B-TREE FOR GROUP BY": ofABatch},
	"countVoters":      {"USE TEMP B-TREE FOR GROUP BY": ofABatch},
	"foldReplies":      {"USE TEMP B-TREE FOR GROUP BY": ofABatch},
	"passMembers":      {"USE TEMP B-TREE FOR GROUP BY": "the subscriptions of one step"},
	"passPosts":        {"USE TEMP B-TREE FOR GROUP BY": "the posts of one step"},
	"foldDescendants":  {"USE TEMP B-TREE FOR GROUP BY": ofABatch},

	"subscribedCommunities": {"USE TEMP B-TREE FOR ORDER BY": "one member's subscriptions, shuffled"},
	"frontOfMember":         {"USE TEMP B-TREE FOR ORDER BY": "one member's subscriptions, shuffled, and the next post of fifty"},
	"frontOfGiven":          {"USE TEMP B-TREE FOR ORDER BY": "the next post of each community that was given, fifty at most"},
}

// tieExceptions are the keysets that find their place by the value alone and read
// through what shares it.
var tieExceptions = map[string]string{}

// TestPlans has sqld explain every statement of the package: none scans a table, and
// none sorts what an index has in order.
func TestPlans(t *testing.T) {
	sql := stacktest.OpenHrana(t)
	stacktest.ApplySchema(t, sql)
	tables := map[string]bool{}
	results, err := sql.Query(ctx, stmtOf("SELECT name FROM sqlite_schema WHERE type = 'table'"))
	require.NoError(t, err)
	for _, row := range results[0].Rows {
		tables[row[0].(string)] = true
	}

	statements := data.AssembledStatements()
	for name, text := range sqlConstants(t) {
		if !planFragments[name] {
			require.NotContains(t, statements, name)
			statements[name] = text
		}
	}
	for name, text := range sqlConstants(t) {
		if planFragments[name] {
			part := func(s string) bool { return strings.Contains(s, text) }
			require.True(t, slices.ContainsFunc(slices.Collect(maps.Values(statements)), part), "%s is no part of an explained statement: add one to AssembledStatements", name)
		}
	}
	require.Greater(t, len(statements), 100)

	unused := map[string]bool{}
	for name, lines := range planExceptions {
		for line := range lines {
			unused[name+": "+line] = true
		}
	}
	for _, name := range slices.Sorted(maps.Keys(statements)) {
		plan := explain(t, sql, name, statements[name])
		// Where a plan has a keyset's value alone, a page deep down reads all ties.
		keysets := strings.Count(statements[name], ".id) < (")
		if seeks := strings.Count(strings.Join(plan, "\n"), ",rowid)<(?,?))"); (seeks != keysets) != (tieExceptions[name] != "") {
			t.Errorf("%s: %d of %d keysets seek to the id: the index ends in the value, ascending, and the id compares with ? COLLATE BINARY\n%s\n%s",
				name, seeks, keysets, statements[name], strings.Join(plan, "\n"))
		}
		for _, line := range plan {
			if _, ok := planExceptions[name][line]; ok {
				delete(unused, name+": "+line)
				continue
			}
			if isBadPlan(tables, statements[name], line) {
				t.Errorf("%s: %s\n%s", name, line, statements[name])
			}
		}
	}
	require.Empty(t, unused, "exceptions that no plan has")
}

func explain(t *testing.T, sql *hrana.Client, name, text string) (plan []string) {
	t.Helper()
	highest := 0
	for _, m := range regexp.MustCompile(`\?(\d+)`).FindAllStringSubmatch(text, -1) {
		n, _ := strconv.Atoi(m[1])
		highest = max(highest, n)
	}
	explained := stmtOf("EXPLAIN QUERY PLAN "+text, make([]any, highest)...)
	names := map[string]bool{}
	for _, m := range regexp.MustCompile(`:(\w+)`).FindAllStringSubmatch(regexp.MustCompile(`'[^']*'`).ReplaceAllString(text, "''"), -1) {
		if !names[m[1]] {
			names[m[1]], explained.Named = true, append(explained.Named, hrana.Named{Name: m[1]})
		}
	}
	results, err := sql.Query(ctx, explained)
	require.NoError(t, err, "%s: a part of a statement belongs into planFragments\n%s", name, text)
	for _, row := range results[0].Rows {
		plan = append(plan, row[3].(string))
	}
	return plan
}

var (
	planScan = regexp.MustCompile(`^SCAN (\w+)`)
	planFrom = regexp.MustCompile(`(?i)\b(?:FROM|JOIN|UPDATE|INTO)\s+(\w+)(?:\s+(?:AS\s+)?(\w+))?`)
)

// isBadPlan tells a scan of a table and a sort. A scan of a common table expression, a
// subquery or json_each reads what the statement itself has made.
func isBadPlan(tables map[string]bool, text, line string) bool {
	if strings.Contains(line, "USE TEMP B-TREE") {
		return true
	}
	m := planScan.FindStringSubmatch(line)
	if m == nil || strings.Contains(line, "VIRTUAL TABLE") {
		return false
	}
	for _, from := range planFrom.FindAllStringSubmatch(text, -1) {
		if tables[from[1]] && (from[1] == m[1] || from[2] == m[1]) {
			return true
		}
	}
	return false
}

var sqlVerb = regexp.MustCompile(`^\s*(SELECT|WITH|INSERT|UPDATE|DELETE|REPLACE) `)

// sqlConstants finds the package's constants and variables that are statements.
func sqlConstants(t *testing.T) map[string]string {
	t.Helper()
	names, err := filepath.Glob("*.go")
	require.NoError(t, err)
	values := map[string]ast.Expr{}
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, 0)
		require.NoError(t, err)
		for _, d := range file.Decls {
			switch d := d.(type) {
			case *ast.GenDecl:
				for _, spec := range d.Specs {
					if spec, ok := spec.(*ast.ValueSpec); ok {
						for i, v := range spec.Values {
							values[spec.Names[i].Name] = v
						}
					}
				}
			case *ast.FuncDecl:
				ast.Inspect(d, func(n ast.Node) bool {
					if lit, ok := n.(*ast.BasicLit); ok && lit.Kind == token.STRING {
						text, _ := strconv.Unquote(lit.Value)
						require.False(t, sqlVerb.MatchString(text), "a statement is a named constant: %s in %s", text, d.Name.Name)
					}
					return true
				})
			}
		}
	}
	found := map[string]string{}
	for name, v := range values {
		if text, ok := evaluate(values, v); ok && sqlVerb.MatchString(text) {
			found[name] = text
		}
	}
	return found
}

// evaluate computes texts made of literals, other constants and ranking's expressions.
func evaluate(values map[string]ast.Expr, e ast.Expr) (string, bool) {
	switch e := e.(type) {
	case *ast.BasicLit:
		text, err := strconv.Unquote(e.Value)
		return text, e.Kind == token.STRING && err == nil
	case *ast.Ident:
		v, ok := values[e.Name]
		if !ok {
			return "", false
		}
		return evaluate(values, v)
	case *ast.ParenExpr:
		return evaluate(values, e.X)
	case *ast.BinaryExpr:
		x, okX := evaluate(values, e.X)
		y, okY := evaluate(values, e.Y)
		return x + y, okX && okY && e.Op == token.ADD
	case *ast.CallExpr:
		f, ok := e.Fun.(*ast.SelectorExpr)
		if !ok {
			return "", false
		}
		var args []string
		for _, a := range e.Args {
			text, ok := evaluate(values, a)
			if !ok {
				return "", false
			}
			args = append(args, text)
		}
		switch name := fmt.Sprint(f.X, ".", f.Sel.Name); name {
		case "ranking.HotSQL":
			return ranking.HotSQL(args[0], args[1]), true
		case "ranking.ControversySQL":
			return ranking.ControversySQL(args[0], args[1]), true
		case "ranking.WilsonSQL":
			return ranking.WilsonSQL(args[0], args[1]), true
		case "ranking.TopSQL":
			return ranking.TopSQL(args[0], args[1]), true
		case "ranking.WeightSQL":
			return ranking.WeightSQL(args[0], args[1]), true
		case "ranking.QARankSQL":
			return ranking.QARankSQL(args[0], args[1], args[2], args[3]), true
		}
	}
	return "", false
}
