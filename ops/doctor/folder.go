package doctor

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// The limits of Cloudflare's plans. Where plans differ, these are of the free one:
// https://developers.cloudflare.com/workers/platform/limits/
const (
	mostModules = 64 << 20 // bytes of all modules together
	mostFiles   = 20_000   // static files
	mostBytes   = 25 << 20 // of one of them
)

// size compares what would be sent from here with what the platform takes.
func (e *examination) size(context.Context) finding {
	if e.Folder == "" {
		return skip("run it in the folder of the site's sources")
	}
	var modules int64
	for _, name := range []string{"app.wasm", "worker.mjs", "wasm_exec.js"} {
		info, err := os.Stat(filepath.Join(e.Folder, "build", name))
		if err != nil {
			return skip("there is no build in this folder: ./build.sh makes it")
		}
		modules += info.Size()
	}
	files, largest, of := 0, int64(0), ""
	err := filepath.WalkDir(filepath.Join(e.Folder, "public"), func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		files++
		if info.Size() > largest {
			largest, of = info.Size(), path
		}
		return nil
	})
	said := fmt.Sprintf("modules of %.1f MiB (at most %d), %d static files (at most %d)", float64(modules)/(1<<20), mostModules>>20, files,
		mostFiles)
	switch {
	case err != nil:
		return problem("./build.sh makes public/.", "public/: %v", err)
	case modules > mostModules:
		return problem("wrangler deploy would be refused: look at what grew with go tool nm on a build without -s -w.", "%s", said)
	case files > mostFiles:
		return problem("Remove files from public/.", "%s", said)
	case largest > mostBytes:
		return problem("Make it smaller.", "%s has %d bytes (at most %d)", of, largest, mostBytes)
	}
	return fine("%s; the free plan also has 10 ms of CPU a request and 100,000 requests a day", said)
}

// addressNames are the variables that say where the databases are: to the site in wrangler.toml, to commands of plaza in the environment.
var addressNames = []string{"LIBSQL_URL", "LIBSQL_SHARD_URLS"}

// addresses compares where commands such as plaza migrate reach the databases with what is deployed from here. A workflow has its own
// variables for that: it could take the steps of the schema in another database than the site's. Who develops here has a database of this
// machine, and who examines another site than that of wrangler.toml has nothing to compare.
func (e *examination) addresses(context.Context) finding {
	site, tools := databasesAt(e.Variables["LIBSQL_URL"]), databasesAt(e.Environment["LIBSQL_URL"])
	switch {
	case len(tools) == 0:
		return skip("needs LIBSQL_URL in the environment, as plaza migrate has it")
	case isLocal(tools[0]):
		return skip("LIBSQL_URL in the environment is a database of this machine")
	case len(site) == 0 || isLocal(site[0]):
		return skip("wrangler.toml in the folder names no database of a site")
	case !strings.EqualFold(strings.TrimSuffix(e.Variables["SITE_URL"], "/"), e.URL):
		return skip("wrangler.toml in the folder is of another site, %s", e.Variables["SITE_URL"])
	}
	for _, name := range addressNames {
		here, there := databasesAt(e.Environment[name]), databasesAt(e.Variables[name])
		if !slices.Equal(here, there) {
			return problem("plaza migrate and backups reach other databases than the site. Give them the addresses of wrangler.toml: in a "+
				"workflow, the repository's variable "+name+".", "%s is %q in the environment and %q in wrangler.toml", name,
				strings.Join(here, ", "), strings.Join(there, ", "))
		}
	}
	return fine("plaza migrate and the site have the same databases")
}

// databasesAt are the addresses in a variable, each in one of the ways in which it can be written.
func databasesAt(list string) []string {
	all := strings.FieldsFunc(list, func(c rune) bool { return c == ',' || c == ' ' })
	for i, address := range all {
		if host, ok := strings.CutPrefix(address, "libsql://"); ok {
			address = "https://" + host
		}
		all[i] = strings.TrimSuffix(address, "/")
	}
	return all
}

// isLocal tells whether an address is one of this machine, as in a wrangler.toml that nobody has changed.
func isLocal(address string) bool {
	return strings.HasPrefix(address, "http://127.0.0.1") || strings.HasPrefix(address, "http://localhost")
}
