package storetest

import (
	"context"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"plaza/data/wire/hrana"
	"plaza/ranking"
	"plaza/test/stacktest"
)

// Plans says what CheckPlans needs to know of a package's statements.
type Plans struct {
	// Assembled are the statements that are put together when they are sent. The constants are found in the sources. One that cannot be
	// evaluated there stands here under its name.
	Assembled map[string]string
	// Fragments begin like statements and are parts of others. One that is not there any more is an error.
	Fragments []string
	// Exceptions are the lines of plans that would be wrong elsewhere, with the reason why they are right here, by
	// statement. One that no plan has any more is an error.
	Exceptions map[string]map[string]string
}

// Reasons of exceptions that several packages have.
const (
	FromItsFront = "an index in its order, that stops at LIMIT"
	FewRows      = "as many rows as the LIMIT of what it sorts"
	OfABatch     = "the deltas of one batch, by something other than what they were found by"
)

// CheckPlans has sqld explain every statement of the package in the working directory: none scans a table, and none
// sorts what an index has in order.
func CheckPlans(t *testing.T, p Plans) {
	sql := stacktest.OpenSchema(t)
	tables := map[string]bool{}
	results, err := sql.Query(t.Context(), hrana.Stmt{SQL: "SELECT name FROM sqlite_schema WHERE type = 'table'"})
	require.NoError(t, err)
	for _, row := range results[0].Rows() {
		tables[row[0].(string)] = true
	}

	statements := maps.Clone(p.Assembled)
	if statements == nil {
		statements = map[string]string{}
	}
	constants := Statements(t)
	for name, text := range constants {
		switch {
		case slices.Contains(p.Fragments, name):
		case text == unknown:
			_, ok := statements[name]
			require.True(t, ok, "%s begins like a statement and cannot be evaluated: it belongs into Assembled", name)
		default:
			require.NotContains(t, statements, name)
			statements[name] = text
		}
	}
	require.NotEmpty(t, statements)

	unused := map[string]bool{}
	for _, name := range p.Fragments {
		if _, ok := constants[name]; !ok {
			unused[name+", a fragment"] = true
		}
	}
	for name, lines := range p.Exceptions {
		for line := range lines {
			unused[name+": "+line] = true
		}
	}
	for _, name := range slices.Sorted(maps.Keys(statements)) {
		plan := Explain(t, sql, name, statements[name])
		// Where a plan has a keyset's value alone, a page deep down reads all ties.
		// of queue_items, whose id is that
		keysets := strings.Count(statements[name], ".id) < (") + strings.Count(statements[name], "q.target_id) < (")
		if seeks := strings.Count(strings.Join(plan, "\n"), ",rowid)<(?,?))"); seeks != keysets {
			t.Errorf("%s: %d of %d keysets seek to the id: the index ends in the value, ascending, and the id compares with a parameter "+
				"COLLATE BINARY\n%s\n%s",
				name, seeks, keysets, statements[name], strings.Join(plan, "\n"))
		}
		keysets = strings.Count(statements[name], ".post_id) < (") // of tables whose indexes name it
		if seeks := strings.Count(strings.Join(plan, "\n"), ",post_id)<(?,?))"); seeks != keysets {
			t.Errorf("%s: %d of %d keysets seek to the post\n%s\n%s", name, seeks, keysets, statements[name], strings.Join(plan, "\n"))
		}
		for _, line := range plan {
			if _, ok := p.Exceptions[name][line]; ok {
				delete(unused, name+": "+line)
				continue
			}
			if isBadPlan(tables, statements[name], line) {
				t.Errorf("%s: %s\n%s", name, line, statements[name])
			}
		}
	}
	require.Empty(t, unused, "exceptions that no plan has, and fragments that do not begin like a statement")
}

var (
	parameterPlace = regexp.MustCompile(`\?(\d+)`)
	parameterName  = regexp.MustCompile(`:(\w+)`)
	quotedText     = regexp.MustCompile(`'[^']*'`)
)

// Explain is the plan of a statement, a line a step. All its parameters are NULL.
func Explain(t *testing.T, sql *hrana.Client, name, text string) (plan []string) {
	t.Helper()
	stmt := hrana.Stmt{SQL: "EXPLAIN QUERY PLAN " + text}
	highest := 0
	for _, m := range parameterPlace.FindAllStringSubmatch(text, -1) {
		n, _ := strconv.Atoi(m[1])
		highest = max(highest, n)
	}
	stmt.Args = make([]any, highest)
	seen := map[string]bool{}
	for _, m := range parameterName.FindAllStringSubmatch(quotedText.ReplaceAllString(text, "''"), -1) {
		if !seen[m[1]] {
			seen[m[1]] = true
			stmt.Named = append(stmt.Named, hrana.Named{Name: m[1]})
		}
	}
	results, err := sql.Query(context.Background(), stmt)
	require.NoError(t, err, "%s: a part of a statement belongs into Fragments\n%s", name, text)
	for _, row := range results[0].Rows() {
		plan = append(plan, row[3].(string))
	}
	return plan
}

var (
	planScan = regexp.MustCompile(`^SCAN (\w+)`)
	planFrom = regexp.MustCompile(`(?i)\b(?:FROM|JOIN|UPDATE|INTO)\s+(\w+)(?:\s+(?:AS\s+)?(\w+))?`)
)

// isBadPlan tells a scan of a table and a sort. A scan of a common table expression, a subquery or json_each reads what
// the statement itself has made.
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

// Statements are StatementsIn the working directory.
func Statements(t *testing.T) map[string]string {
	t.Helper()
	return StatementsIn(t, ".")
}

// unknown is the text of a statement that a test cannot evaluate.
const unknown = ""

// StatementsIn finds the constants and variables of a package of data that are statements, by their names. Where one begins like a
// statement and cannot be evaluated, its text is "". A statement that is written inside of a function fails the test.
func StatementsIn(t *testing.T, folder string) map[string]string {
	t.Helper()
	texts, own := constantsOf(t, folder)
	found := map[string]string{}
	for name, v := range texts[own] {
		if _, function := v.(*ast.FuncLit); function || !texts.begins(own, v, map[ast.Expr]bool{}) {
			continue
		}
		if text, ok := texts.evaluate(own, v); ok {
			found[name] = text
		} else {
			found[name] = unknown
		}
	}
	return found
}

// TextsIn are the texts of all constants and variables of a package of data, as far as they can be evaluated.
func TextsIn(t *testing.T, folder string) map[string]string {
	t.Helper()
	texts, own := constantsOf(t, folder)
	found := map[string]string{}
	for name, v := range texts[own] {
		if text, ok := texts.evaluate(own, v); ok {
			found[name] = text
		}
	}
	return found
}

// constantsOf reads the package of a folder and all others of data, and returns the name of the first.
func constantsOf(t *testing.T, folder string) (texts constants, own string) {
	t.Helper()
	dir, err := filepath.Abs(folder)
	require.NoError(t, err)
	root := dir
	for filepath.Base(root) != "data" {
		require.NotEqual(t, "/", root, "not a package of data")
		root = filepath.Dir(root)
	}
	texts = constants{"ranking": {}}
	own = texts.read(t, dir, true)
	texts.read(t, root, false)
	require.NoError(t, filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		if err == nil && entry.IsDir() && path != root {
			texts.read(t, path, false)
		}
		return err
	}))
	return texts, own
}

// constants are the values of packages' constants and variables, by the name of the package and their own.
type constants map[string]map[string]ast.Expr

// read adds the sources of a folder and returns the package's name.
func (c constants) read(t *testing.T, dir string, strict bool) (own string) {
	names, err := filepath.Glob(filepath.Join(dir, "*.go"))
	require.NoError(t, err)
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, 0)
		require.NoError(t, err)
		own = file.Name.Name
		if c[own] == nil {
			c[own] = map[string]ast.Expr{}
		}
		for _, d := range file.Decls {
			switch d := d.(type) {
			case *ast.GenDecl:
				for _, spec := range d.Specs {
					if spec, ok := spec.(*ast.ValueSpec); ok {
						for i, v := range spec.Values {
							c[own][spec.Names[i].Name] = v
						}
					}
				}
			case *ast.FuncDecl:
				if d.Recv == nil {
					c[own][d.Name.Name] = &ast.FuncLit{Type: d.Type, Body: d.Body}
				}
				ast.Inspect(d, func(n ast.Node) bool {
					if lit, ok := n.(*ast.BasicLit); ok && strict && lit.Kind == token.STRING {
						text, _ := strconv.Unquote(lit.Value)
						require.False(t, sqlVerb.MatchString(text), "a statement is a named constant or variable: %s in %s", text, d.Name.Name)
					}
					return true
				})
			}
		}
	}
	return own
}

// begins tells whether a text begins like a statement, as far as its beginning can be evaluated. What a function makes begins like one
// if an argument or something that it returns does. seen is what was looked at, because a function may return what has the name of one
// that calls it.
func (c constants) begins(own string, e ast.Expr, seen map[ast.Expr]bool) (found bool) {
	if text, ok := c.evaluate(own, e); ok {
		return sqlVerb.MatchString(text)
	}
	if seen[e] {
		return false
	}
	seen[e] = true
	switch e := e.(type) {
	case *ast.Ident:
		v, ok := c[own][e.Name]
		return ok && c.begins(own, v, seen)
	case *ast.SelectorExpr:
		v, ok := c[fmt.Sprint(e.X)][e.Sel.Name]
		return ok && c.begins(fmt.Sprint(e.X), v, seen)
	case *ast.ParenExpr:
		return c.begins(own, e.X, seen)
	case *ast.BinaryExpr:
		return c.begins(own, e.X, seen)
	case *ast.FuncLit:
		ast.Inspect(e.Body, func(n ast.Node) bool {
			if r, ok := n.(*ast.ReturnStmt); ok && len(r.Results) == 1 {
				found = found || c.begins(own, r.Results[0], seen)
			}
			return !found
		})
		return found
	case *ast.CallExpr:
		return c.begins(own, e.Fun, seen) || slices.ContainsFunc(e.Args, func(a ast.Expr) bool { return c.begins(own, a, seen) })
	}
	return false
}

// call computes the text that a function returns whose only statement is that, for some arguments.
func (c constants) call(own string, f ast.Expr, args []string) (string, bool) {
	function, ok := f.(*ast.FuncLit)
	if !ok || len(function.Body.List) != 1 {
		return "", false
	}
	result, ok := function.Body.List[0].(*ast.ReturnStmt)
	if !ok || len(result.Results) != 1 {
		return "", false
	}
	within := maps.Clone(c[own])
	n := 0
	for _, field := range function.Type.Params.List {
		for _, name := range field.Names {
			if n < len(args) {
				within[name.Name] = &ast.BasicLit{Kind: token.STRING, Value: strconv.Quote(args[n])}
			}
			n++
		}
	}
	if n != len(args) {
		return "", false
	}
	all := maps.Clone(c)
	all[own] = within
	return all.evaluate(own, result.Results[0])
}

// evaluate computes texts made of literals, other constants, functions that put texts together, and ranking's expressions.
func (c constants) evaluate(own string, e ast.Expr) (string, bool) {
	switch e := e.(type) {
	case *ast.BasicLit:
		text, err := strconv.Unquote(e.Value)
		return text, e.Kind == token.STRING && err == nil
	case *ast.Ident:
		v, ok := c[own][e.Name]
		if !ok {
			return "", false
		}
		return c.evaluate(own, v)
	case *ast.SelectorExpr:
		other := fmt.Sprint(e.X)
		v, ok := c[other][e.Sel.Name]
		if !ok {
			return "", false
		}
		return c.evaluate(other, v)
	case *ast.ParenExpr:
		return c.evaluate(own, e.X)
	case *ast.BinaryExpr:
		x, okX := c.evaluate(own, e.X)
		y, okY := c.evaluate(own, e.Y)
		return x + y, okX && okY && e.Op == token.ADD
	case *ast.CallExpr:
		var args []string
		for _, a := range e.Args {
			text, ok := c.evaluate(own, a)
			if !ok {
				return "", false
			}
			args = append(args, text)
		}
		if f, ok := e.Fun.(*ast.Ident); ok {
			if f.Name == "string" && len(args) == 1 {
				return args[0], true
			}
			return c.call(own, c[own][f.Name], args)
		}
		f, ok := e.Fun.(*ast.SelectorExpr)
		if !ok {
			return "", false
		}
		switch name := fmt.Sprint(f.X, ".", f.Sel.Name); name {
		case "strings.ReplaceAll":
			return strings.ReplaceAll(args[0], args[1], args[2]), true
		case "ranking.HotSQL":
			return ranking.HotSQL(args[0], args[1]), true
		case "ranking.ActiveSQL":
			return ranking.ActiveSQL(args[0], args[1]), true
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
		return c.call(fmt.Sprint(f.X), c[fmt.Sprint(f.X)][f.Sel.Name], args)
	}
	return "", false
}
