package doctor

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// The limits of Cloudflare's plans. If plans differ, these are for the free one:
// https://developers.cloudflare.com/workers/platform/limits/
const (
	mostModules = 64 << 20 // bytes of all modules together
	mostFiles   = 20_000   // static files
	mostBytes   = 25 << 20 // of one file
)

// size compares the size of a deployment from here with the platform's limits.
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
