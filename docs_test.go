package plaza_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plaza/test/storetest"
)

var sentenceEnd = regexp.MustCompile(`\.[")]?(\s|$)`)

// Every package says what it is for, and at least one thing that whoever reads or changes it must know.
func TestEveryPackageSaysWhatItIsFor(t *testing.T) {
	comments := map[string][]string{}
	names := map[string]string{}
	storetest.GoFiles(t, func(file, _ string, parsed *ast.File) {
		folder := path.Dir(file)
		if strings.Contains(folder, "/testdata/") {
			return
		}
		names[folder] = parsed.Name.Name
		if parsed.Doc != nil {
			comments[folder] = append(comments[folder], parsed.Doc.Text())
		}
	})
	for folder, name := range names {
		begin := "Package " + name + " "
		if name == "main" {
			begin = "Command " + path.Base(folder) + " "
		}
		if !assert.Len(t, comments[folder], 1, "%s: one file has the comment of the package", folder) {
			continue
		}
		text := comments[folder][0]
		assert.True(t, strings.HasPrefix(text, begin), "%s: its comment begins with %q", folder, begin)
		assert.Greater(t, strings.Count(text, "\n"), 1, "%s: its comment has one line: %s", folder, text)
		assert.Greater(t, len(sentenceEnd.FindAllString(text, -1)), 1, "%s: its comment is one sentence: %s", folder, text)
	}
}

// commentMost is how many lines the comment of a package has at most.
const commentMost = 10

// A package comment says what the package is for, its one idea, and where to begin. The rest is in docs/inside.
func TestPackageComments(t *testing.T) {
	lines := func(file, text string) int {
		files := token.NewFileSet()
		parsed, err := parser.ParseFile(files, file, text, parser.PackageClauseOnly|parser.ParseComments)
		require.NoError(t, err, file)
		if parsed.Doc == nil {
			return 0
		}
		return files.Position(parsed.Doc.End()).Line - files.Position(parsed.Doc.Pos()).Line + 1
	}
	for text, want := range map[string]int{
		"package x\n":                                  0,
		"// Not of the package.\n\npackage x\n":        0,
		"// Package x is.\n//\n// It has.\npackage x":  3,
		"//go:build js\n\n// Package x is.\npackage x": 1,
		"/*\nPackage x is.\n*/\npackage x":             3,
	} {
		assert.Equal(t, want, lines("x.go", text), text)
	}
	checked := 0
	sources(t, ".go", func(file, text string) {
		if strings.HasSuffix(file, "_test.go") || strings.Contains(file, "testdata/") {
			return
		}
		checked++
		assert.LessOrEqual(t, lines(file, text), commentMost, "%s: the rest of the comment belongs into docs/inside", file)
	})
	require.Greater(t, checked, 500)
}

// The map of docs/architecture.md names every folder that has Go, and every text of docs.
func TestTheMapNamesEveryFolder(t *testing.T) {
	text, err := os.ReadFile("docs/architecture.md")
	require.NoError(t, err)
	_, places, _ := strings.Cut(string(text), "## Where things lie")
	_, places, _ = strings.Cut(places, "```\n")
	places, _, _ = strings.Cut(places, "```")
	var entries []string // an entry goes on in lines that are indented
	for line := range strings.Lines(places) {
		if strings.HasPrefix(line, " ") {
			entries[len(entries)-1] += line
		} else {
			entries = append(entries, line)
		}
	}
	folders := map[string]bool{}
	storetest.GoFiles(t, func(file, _ string, _ *ast.File) {
		if folder := path.Dir(file); folder != "." && !strings.Contains(folder, "/testdata/") {
			folders[folder] = true
		}
	})
	for folder := range folders {
		name := regexp.MustCompile(`\b` + path.Base(folder) + `\b`)
		assert.True(t, slices.ContainsFunc(entries, func(entry string) bool {
			for above := path.Dir(folder); above != "."; above = path.Dir(above) {
				if strings.HasPrefix(entry, above+"/") && name.MatchString(entry) {
					return true
				}
			}
			return strings.Contains(entry, folder+"/")
		}), "docs/architecture.md does not name %s", folder)
	}
	for _, folder := range textFolders[:2] { // docs/operations has a list of its own
		texts, err := os.ReadDir(folder)
		require.NoError(t, err)
		for _, file := range texts {
			if name, text := strings.CutSuffix(file.Name(), ".md"); text {
				assert.Regexp(t, `\b`+name+`\b`, entries[len(entries)-1], "the last line of the map lists the texts of "+folder)
			}
		}
	}
}

// textFolders are the folders with texts for maintainers and operators.
var textFolders = []string{"docs", "docs/inside", "docs/operations"}

// created are folders that are not part of the repository.
var created = []string{"node_modules", "build", "test-results"}

// The map of README.md names every folder that one sees first.
func TestTheFirstScreenNamesEveryFolder(t *testing.T) {
	text, err := os.ReadFile("README.md")
	require.NoError(t, err)
	list, err := os.ReadDir(".")
	require.NoError(t, err)
	for _, entry := range list {
		if entry.IsDir() && !strings.HasPrefix(entry.Name(), ".") && !slices.Contains(created, entry.Name()) {
			assert.Regexp(t, `(?m)^([a-z0-9]+/ )*`+entry.Name()+`/ `, string(text), "the map of README.md does not name it")
		}
	}
}

// A folder that one can still look through has at most 60 Go files, tests among them.
func TestFoldersCanBeLookedThrough(t *testing.T) {
	files := map[string]int{}
	sources(t, ".go", func(file, _ string) {
		files[path.Dir(file)]++
		top, _, below := strings.Cut(file, "/")
		assert.True(t, !below || slices.Contains(storetest.GoFolders, top), "%s: storetest.GoFolders lacks the folder", file)
	})
	require.Greater(t, files["worker"], 30)
	for folder, n := range files {
		assert.LessOrEqual(t, n, 60, folder)
	}
}

// sources calls each for the files of the repository with one of some endings.
func sources(t *testing.T, endings string, each func(file, text string)) {
	t.Helper()
	require.NoError(t, filepath.WalkDir(".", func(file string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if entry.IsDir() {
			if name := entry.Name(); name != "." && (strings.HasPrefix(name, ".") || slices.Contains(created, name) || file == "public/_") {
				return filepath.SkipDir
			}
			return nil
		}
		if !slices.Contains(strings.Fields(endings), path.Ext(file)) {
			return nil
		}
		text, err := os.ReadFile(file)
		each(filepath.ToSlash(file), string(text))
		return err
	}))
}

var (
	firstWord = regexp.MustCompile(`^([A-Za-z_][A-Za-z0-9_]*)(?: (\w+))?`)
	// notIdentifiers are words of the language that are written like identifiers.
	notIdentifiers = []string{"GitHub", "JavaScript", "OpenAPI", "OpenID", "SQLite", "WebAssembly", "WebAuthn"}
)

// wrongName returns the first word of a comment if it is a name, and of none of the declarations below it. A name has an inner capital,
// is the declared one in another case, or is its beginning and does something.
func wrongName(doc *ast.CommentGroup, declared []string) string {
	begin := firstWord.FindStringSubmatch(doc.Text())
	if begin == nil || slices.Contains(declared, begin[1]) || slices.Contains(notIdentifiers, begin[1]) {
		return ""
	}
	word, next := begin[1], begin[2]
	shaped := strings.ToUpper(word) != word && strings.IndexFunc(word[1:], unicode.IsUpper) >= 0
	for _, name := range declared {
		backOff, begins := strings.CutPrefix(name, word)
		begins = begins && unicode.IsLower(rune(word[0])) && strings.IndexFunc(backOff, unicode.IsUpper) == 0
		shaped = shaped || strings.EqualFold(word, name) || begins && (next == "are" || strings.HasSuffix(next, "s"))
	}
	if !shaped {
		return ""
	}
	return word
}

// The comment of a declaration that begins with a name begins with its name.
func TestTheDocOfADeclarationBeginsWithItsName(t *testing.T) {
	// check returns the wrong names of a file's comments.
	check := func(file, text string) (wrong []string) {
		parsed, err := parser.ParseFile(token.NewFileSet(), file, text, parser.ParseComments|parser.SkipObjectResolution)
		require.NoError(t, err)
		one := func(doc *ast.CommentGroup, declared ...string) {
			if word := wrongName(doc, declared); word != "" {
				wrong = append(wrong, word+" for "+strings.Join(declared, ", "))
			}
		}
		for _, d := range parsed.Decls {
			switch d := d.(type) {
			case *ast.FuncDecl:
				one(d.Doc, d.Name.Name)
			case *ast.GenDecl:
				var all []string
				for _, spec := range d.Specs {
					switch spec := spec.(type) {
					case *ast.TypeSpec:
						one(spec.Doc, spec.Name.Name)
						all = append(all, spec.Name.Name)
					case *ast.ValueSpec:
						var names []string
						for _, name := range spec.Names {
							names = append(names, name.Name)
						}
						one(spec.Doc, names...)
						all = append(all, names...)
					}
				}
				one(d.Doc, all...)
			}
		}
		return wrong
	}
	for text, want := range map[string][]string{
		"// Old does.\nfunc old() {}":                  {"Old for old"},
		"// oldName is one.\nvar newName = 1":          {"oldName for newName"},
		"// walk reads.\nfunc walkAll() {}":            {"walk for walkAll"},
		"const (\n// fewMost are.\nfew = 1\nmost = 2)": {"fewMost for few"},
		"// all the rest.\nfunc allOf() {}":            nil,
		"// SQLite says.\nconst says = 1":              nil,
		"// A is one.\ntype A int":                     nil,
	} {
		assert.Equal(t, want, check("test", "package x\n"+text), text)
	}
	sources(t, ".go", func(file, text string) {
		if !strings.Contains(file, "testdata/") {
			assert.Empty(t, check(file, text), file)
		}
	})
}

var (
	comment = regexp.MustCompile(`(?m)(?:^|\s)(?:--|//|/?\*)(.*)$`)
	goFile  = regexp.MustCompile(`[\w./-]+\.go\b`)
	// notFiles are what ends like the name of a file.
	notFiles = []string{"_js.go"} // the ending of the program's files
)

// A Go file that a comment names is there, in the folder that it names.
func TestCommentsNameFilesThatAreThere(t *testing.T) {
	var files []string
	sources(t, ".go", func(file, _ string) { files = append(files, "/"+file) })
	named := 0
	sources(t, ".go .sql .js .mjs .css", func(file, text string) {
		for _, line := range comment.FindAllStringSubmatch(text, -1) {
			for _, name := range goFile.FindAllString(line[1], -1) {
				named++
				assert.True(t, slices.Contains(notFiles, name) || slices.ContainsFunc(files, func(f string) bool { return strings.HasSuffix(f, "/"+name) }),
					"%s names %s, which is not there", file, name)
			}
		}
	})
	require.Greater(t, named, 20)
}

var (
	quotedCode = regexp.MustCompile("`[^`\n]+`")
	camelCase  = regexp.MustCompile(`\b([A-Z]+[a-z0-9]+([A-Z][A-Za-z0-9]*)+|[a-z0-9]+[A-Z][A-Za-z0-9]*)\b(…)?`)
	identifier = regexp.MustCompile(`\b[A-Za-z_]\w*`)
)

// A name in camel case that a text of docs quotes is in the code; one that ends in … begins others.
func TestTextsNameWhatIsInTheCode(t *testing.T) {
	known, beginnings := map[string]bool{}, map[string]bool{}
	sources(t, ".go", func(_, text string) {
		for _, name := range identifier.FindAllString(text, -1) {
			known[name] = true
			for i := range name {
				if i > 0 && name[i] >= 'A' && name[i] <= 'Z' {
					beginnings[name[:i]] = true
				}
			}
		}
	})
	named := 0
	sources(t, ".md", func(file, text string) {
		if !slices.Contains(textFolders, path.Dir(file)) && file != "README.md" {
			return
		}
		for _, code := range quotedCode.FindAllString(text, -1) {
			for _, name := range camelCase.FindAllStringSubmatch(code, -1) {
				named++
				assert.True(t, known[name[1]] || name[3] != "" && beginnings[name[1]], "%s names %s, which is not in the code", file, name[1])
			}
		}
	})
	require.Greater(t, named, 20)
}

// README.md of docs/operations lists each page by its question. A page has at most 120 lines, and a cell of a table 25 words.
func TestThePagesOfOperations(t *testing.T) {
	list, err := os.ReadFile("docs/operations/README.md")
	require.NoError(t, err)
	pages := 0
	sources(t, ".md", func(file, text string) {
		if path.Dir(file) != "docs/operations" {
			return
		}
		pages++
		assert.LessOrEqual(t, strings.Count(text, "\n"), 120, file)
		if name := path.Base(file); name != "README.md" {
			title, _, _ := strings.Cut(text, "\n")
			assert.Contains(t, string(list), "- ["+strings.TrimPrefix(title, "# ")+"]("+name+")\n", "README.md does not list %s", name)
		}
		for line := range strings.Lines(text) {
			if !strings.HasPrefix(line, "|") {
				continue
			}
			for _, cell := range strings.Split(strings.Trim(line, "|\n"), " | ") {
				assert.LessOrEqual(t, len(strings.Fields(cell)), 25, "%s: %s", file, cell)
			}
		}
	})
	require.Greater(t, pages, 20)
}

var (
	linkOfText    = regexp.MustCompile(`\]\(([^)\s:#]*)(#[^)\s]*)?\)`)
	headingOfText = regexp.MustCompile(`(?m)^#+ (.*)$`)
	notOfAnchors  = regexp.MustCompile(`[^\pL\pN_ -]`)
)

// A link from a text of docs to another text leads to a file, and to a heading, that is there.
func TestLinksBetweenTexts(t *testing.T) {
	anchors := map[string][]string{} // by file
	sources(t, ".md", func(file, text string) {
		anchors[file] = []string{""}
		for _, heading := range headingOfText.FindAllStringSubmatch(text, -1) {
			name := notOfAnchors.ReplaceAllString(strings.ToLower(heading[1]), "")
			anchors[file] = append(anchors[file], "#"+strings.ReplaceAll(name, " ", "-"))
		}
	})
	links := 0
	sources(t, ".md", func(file, text string) {
		if folder := path.Dir(file); folder != "." && folder != "docs" && folder != "docs/operations" {
			return
		}
		for _, link := range linkOfText.FindAllStringSubmatch(text, -1) {
			to := file
			if link[1] != "" {
				to = path.Join(path.Dir(file), link[1])
			}
			if path.Ext(to) != ".md" {
				continue
			}
			links++
			assert.Contains(t, anchors[to], link[2], "%s links to %s%s, which is not there", file, link[1], link[2])
		}
	})
	require.Greater(t, links, 50)
}

// The build takes the snapshot of Go's start on workerd, and tests and measurements run the worker there, as wrangler.toml deploys it.
func TestCompatibilityDates(t *testing.T) {
	date := regexp.MustCompile(`compatibility_?[dD]ate = "([^"]*)"`)
	datesOf := func(file string) [][]string {
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		dates := date.FindAllStringSubmatch(string(text), -1)
		require.NotEmpty(t, dates, file)
		return dates
	}
	want := datesOf("wrangler.toml")[0][1]
	for _, file := range []string{"wrangler.gateway.toml", "worker/edge/snapshot/snapshot.capnp", "e2e/edge/workerd.mjs", "e2e/edge/gateway.test.mjs",
		"bench/report/worker.mjs", "bench/votes.mjs"} {
		for _, found := range datesOf(file) {
			assert.Equal(t, want, found[1], file)
		}
	}
}
