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
	maxModuleBytes = 64 << 20 // of all modules together
	maxFiles       = 20_000   // static files
	maxFileBytes   = 25 << 20 // of one of them
)

// size compares the build in this folder with the limits of the platform.
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
	files, largest, largestPath := 0, int64(0), ""
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
			largest, largestPath = info.Size(), path
		}
		return nil
	})
	summary := fmt.Sprintf("modules of %.1f MiB (at most %d), %d static files (at most %d)", float64(modules)/(1<<20), maxModuleBytes>>20,
		files, maxFiles)
	switch {
	case err != nil:
		return problem("./build.sh makes public/.", "public/: %v", err)
	case modules > maxModuleBytes:
		return problem("wrangler deploy would be refused. To see what grew: go tool nm -size on a native build without -s -w.", "%s", summary)
	case files > maxFiles:
		return problem("Remove files from public/.", "%s", summary)
	case largest > maxFileBytes:
		return problem("Make it smaller.", "%s has %d bytes (at most %d)", largestPath, largest, maxFileBytes)
	}
	return fine("%s; the free plan also has 10 ms of CPU a request and 100,000 requests a day", summary)
}

// addressNames are the variables with the addresses of the databases. The site has them from wrangler.toml, plaza from its environment.
var addressNames = []string{"LIBSQL_URL", "LIBSQL_SHARD_URLS"}

// addresses compares the database addresses of commands such as plaza migrate (from the environment) with those of the site (from
// wrangler.toml). A workflow has its own variables, so it could migrate another database than the site's. The check is skipped for a local
// database, as developers have, and if wrangler.toml is of another site than the one examined.
func (e *examination) addresses(context.Context) finding {
	site, tools := parseAddresses(e.Variables["LIBSQL_URL"]), parseAddresses(e.Environment["LIBSQL_URL"])
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
		here, there := parseAddresses(e.Environment[name]), parseAddresses(e.Variables[name])
		if !slices.Equal(here, there) {
			return problem("plaza migrate and backups reach other databases than the site. Give them the addresses of wrangler.toml: in a "+
				"workflow, the repository's variable "+name+".", "%s is %q in the environment and %q in wrangler.toml", name,
				strings.Join(here, ", "), strings.Join(there, ", "))
		}
	}
	return fine("plaza migrate and the site have the same databases")
}

// parseAddresses returns the addresses in a variable, in one spelling: with https:// for libsql://, and without a slash at the end.
func parseAddresses(list string) []string {
	all := strings.FieldsFunc(list, func(c rune) bool { return c == ',' || c == ' ' })
	for i, address := range all {
		if host, ok := strings.CutPrefix(address, "libsql://"); ok {
			address = "https://" + host
		}
		all[i] = strings.TrimSuffix(address, "/")
	}
	return all
}

// isLocal reports whether an address is of this machine, as in an unchanged wrangler.toml.
func isLocal(address string) bool {
	return strings.HasPrefix(address, "http://127.0.0.1") || strings.HasPrefix(address, "http://localhost")
}
