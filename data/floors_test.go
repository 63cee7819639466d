package data_test

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

// floors are the folders of package data from the ground up. A package imports packages of its own folder and of the floors below.
var floors = [][]string{
	{"data/wire", "data/pace", "data/schema", "data/random", "data/names", "data/ascii", "data/searchwords"},
	{"data"},
	{"data/events"},
	{"data/accounts"},
	{"data/rights"},
	{"data/content"},
	{"data/lists", "data/site"},
	{"data/moderation", "data/accounts/deletion"},
}

// floorOf returns the floor of a package of data, and its entry in floors; -1 for none.
func floorOf(folder string) (floor int, entry string) {
	floor = -1
	for i, names := range floors {
		for _, name := range names {
			within := folder == name || name != "data" && strings.HasPrefix(folder, name+"/")
			if within && len(name) > len(entry) {
				floor, entry = i, name
			}
		}
	}
	return floor, entry
}

const kernel = 1 // its floor

// longestChain bounds how many packages of data stand on one another, the kernel and what is below it counted as one.
const longestChain = 9

// TestFloors holds that no package of data imports one of a floor above its own, and that no chain of imports is longer than
// longestChain.
func TestFloors(t *testing.T) {
	t.Parallel()
	imports := map[string][]string{}
	storetest.GoFiles(t, func(name, _ string, file *ast.File) {
		from := path.Dir(name)
		if from != "data" && !strings.HasPrefix(from, "data/") {
			return
		}
		floor, entry := floorOf(from)
		require.GreaterOrEqual(t, floor, 0, "%s stands on no floor", from)
		imports[from] = append(imports[from], "")
		for _, spec := range file.Imports {
			whole, err := strconv.Unquote(spec.Path.Value)
			require.NoError(t, err)
			to, ours := strings.CutPrefix(whole, "plaza/")
			if !ours || to != "data" && !strings.HasPrefix(to, "data/") {
				continue
			}
			below, of := floorOf(to)
			assert.True(t, below < floor || below == floor && (of == entry || floor < kernel), "%s imports %s, which is not below it", name, to)
			imports[from] = append(imports[from], to)
		}
	})
	for _, names := range floors {
		for _, name := range names {
			require.True(t, slices.ContainsFunc(folders(imports), func(folder string) bool {
				return folder == name || strings.HasPrefix(folder, name+"/")
			}), "%s is a floor without a package", name)
		}
	}
	for folder := range imports {
		chain := chainOf(imports, folder)
		assert.LessOrEqual(t, len(chain), longestChain, "%s", strings.Join(chain, " -> "))
	}
}

func folders(imports map[string][]string) (all []string) {
	for folder := range imports {
		all = append(all, folder)
	}
	return all
}

// chainOf returns the longest chain of imports from a package down to the kernel.
func chainOf(imports map[string][]string, folder string) []string {
	var longest []string
	if floor, _ := floorOf(folder); floor > kernel {
		for _, to := range imports[folder] {
			if floor, _ := floorOf(to); floor < kernel {
				continue
			}
			if chain := chainOf(imports, to); len(chain) > len(longest) {
				longest = chain
			}
		}
	}
	return append([]string{folder}, longest...)
}
