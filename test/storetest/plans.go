package storetest

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"plaza/data/wire/hrana"
	"plaza/ranking"
	"plaza/stack"
	"plaza/test/stacktest"
)

// Plans is what CheckPlans needs to know about a package's statements.
type Plans struct {
	// Assembled has statements by name that code builds when it sends them. CheckPlans finds constant statements in the sources. A constant
	// that it can't evaluate there is needed here, under its name.
	Assembled map[string]string
	// Fragments names constants that begin like statements but are parts of others. A name that no constant has is an error.
	Fragments []string
	// Exceptions has lines of plans that are allowed, by statement, with the reason. A line that no plan has is an error.
	Exceptions map[string]map[string]string
}

// Reasons of exceptions, for several packages.
const (
	FromItsFront = "an index in its order, that stops at LIMIT"
	FewRows      = "as many rows as the LIMIT of what it sorts"
	OfABatch     = "the deltas of one batch, by something other than what they were found by"
)

// CheckPlans is CheckPlansIn for the package in the working directory.
func CheckPlans(t *testing.T, p Plans) { CheckPlansIn(t, ".", p) }

// CheckPlansIn reads the query plan of each statement of the package in a folder from sqld. It refuses table scans, and sorting where an
// index has the order.
func CheckPlansIn(t *testing.T, folder string, p Plans) {
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
	constants := StatementsIn(t, folder)
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
		// A plan that seeks only to the value of a keyset, and not to the id, reads all ties on a late page.
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

// Explain returns the query plan of a statement, one line for each step.
func Explain(t *testing.T, sql *hrana.Client, name, text string) (plan []string) {
	t.Helper()
	results, err := sql.Query(t.Context(), hrana.Stmt{SQL: "EXPLAIN QUERY PLAN " + text})
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

// isBadPlan reports whether a line of a plan is a sort or the scan of a table. Scans of a common table expression, a subquery or json_each
// are allowed: they read rows that the statement itself has made.
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

// unknown is the text of a statement that can't be evaluated from the sources.
const unknown = ""

// StatementsIn returns the SQL statements among the constants and variables of a package, by name. The text is "" if it begins like a
// statement and can't be evaluated. A statement inside a function fails the test.
func StatementsIn(t *testing.T, folder string) map[string]string {
	t.Helper()
	return textsIn(t, folder, func(text string, whole bool) (string, bool) {
		if !whole {
			return unknown, sqlVerb.MatchString(text)
		}
		return text, sqlVerb.MatchString(text)
	})
}

// TextsIn returns the texts of a package's constants and variables that can be evaluated, by name.
func TextsIn(t *testing.T, folder string) map[string]string {
	t.Helper()
	return textsIn(t, folder, func(text string, whole bool) (string, bool) { return text, whole })
}

// textsIn evaluates the constants and variables of a package. They may use those of all packages below data.
func textsIn(t *testing.T, folder string, take func(text string, whole bool) (string, bool)) map[string]string {
	t.Helper()
	root, err := stack.Root()
	require.NoError(t, err)
	all := constants{}
	own := all.read(t, folder, true)
	require.NoError(t, filepath.WalkDir(filepath.Join(root, "data"), func(path string, entry fs.DirEntry, err error) error {
		if err == nil && entry.IsDir() {
			all.read(t, path, false)
		}
		return err
	}))
	found := map[string]string{}
	for name, v := range all[own] {
		if _, function := v.(*ast.FuncLit); function {
			continue
		}
		if text, ok := take(all.evaluate(own, v)); ok {
			found[name] = text
		}
	}
	return found
}

// constants has the expressions of constants and variables, by package name and name.
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

// functions are the functions that evaluate can call. It also evaluates one-line functions of the packages.
var functions = map[string]any{
	"string": func(text string) string { return text }, "strings.ReplaceAll": strings.ReplaceAll, "ranking.HotSQL": ranking.HotSQL,
	"ranking.ActiveSQL": ranking.ActiveSQL, "ranking.ControversySQL": ranking.ControversySQL, "ranking.WilsonSQL": ranking.WilsonSQL,
	"ranking.TopSQL": ranking.TopSQL, "ranking.WeightSQL": ranking.WeightSQL, "ranking.QARankSQL": ranking.QARankSQL,
}

// evaluate returns the text of an expression, or the known beginning of it; whole is false then. If a call can't be evaluated, the text is
// that of an argument or result that begins like a statement. within are the enclosing expressions, to end a recursion.
func (c constants) evaluate(own string, e ast.Expr, within ...ast.Expr) (text string, whole bool) {
	if slices.Contains(within, e) {
		return "", false
	}
	within = append(within, e)
	switch e := e.(type) {
	case *ast.BasicLit:
		text, err := strconv.Unquote(e.Value)
		return text, e.Kind == token.STRING && err == nil
	case *ast.Ident:
		return c.evaluate(own, c[own][e.Name], within...)
	case *ast.SelectorExpr:
		return c.evaluate(fmt.Sprint(e.X), c[fmt.Sprint(e.X)][e.Sel.Name], within...)
	case *ast.ParenExpr:
		return c.evaluate(own, e.X, within...)
	case *ast.BinaryExpr:
		x, whole := c.evaluate(own, e.X, within...)
		if !whole || e.Op != token.ADD {
			return x, false
		}
		y, whole := c.evaluate(own, e.Y, within...)
		return x + y, whole
	case *ast.FuncLit:
		ast.Inspect(e.Body, func(n ast.Node) bool {
			if r, ok := n.(*ast.ReturnStmt); ok && len(r.Results) == 1 && !sqlVerb.MatchString(text) {
				text, _ = c.evaluate(own, r.Results[0], within...)
			}
			return true
		})
	case *ast.CallExpr:
		if text, ok := c.call(own, e, within); ok {
			return text, true
		}
		for _, part := range append([]ast.Expr{e.Fun}, e.Args...) {
			if text, _ = c.evaluate(own, part, within...); sqlVerb.MatchString(text) {
				break
			}
		}
	}
	return text, false
}

// call evaluates a call of one of functions, or of a function whose body is one return statement.
func (c constants) call(own string, e *ast.CallExpr, within []ast.Expr) (string, bool) {
	var args []reflect.Value
	for _, a := range e.Args {
		text, whole := c.evaluate(own, a, within...)
		if !whole {
			return "", false
		}
		args = append(args, reflect.ValueOf(text))
	}
	name := ""
	switch f := e.Fun.(type) {
	case *ast.Ident:
		name = f.Name
		if f := functions[name]; f != nil {
			return reflect.ValueOf(f).Call(args)[0].String(), true
		}
	case *ast.SelectorExpr:
		own, name = fmt.Sprint(f.X), f.Sel.Name
		if f := functions[own+"."+name]; f != nil {
			return reflect.ValueOf(f).Call(args)[0].String(), true
		}
	}
	function, ok := c[own][name].(*ast.FuncLit)
	if !ok || len(function.Body.List) != 1 {
		return "", false
	}
	result, ok := function.Body.List[0].(*ast.ReturnStmt)
	if !ok || len(result.Results) != 1 {
		return "", false
	}
	all := maps.Clone(c)
	all[own] = maps.Clone(c[own])
	for _, field := range function.Type.Params.List {
		for _, name := range field.Names {
			if len(args) == 0 {
				return "", false
			}
			all[own][name.Name], args = &ast.BasicLit{Kind: token.STRING, Value: strconv.Quote(args[0].String())}, args[1:]
		}
	}
	text, whole := all.evaluate(own, result.Results[0], within...)
	return text, whole && len(args) == 0
}
