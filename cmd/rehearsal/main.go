// Command rehearsal makes the tapes of the rehearsal (worker/rehearsal.go), which become a part of app.wasm. It runs a small site on a real
// sqld and an embedded Redis and writes down what they answer while it makes the pages. The same sources make the same tapes.
package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"

	"plaza/data/wire/hrana"
	"plaza/data/wire/upstash"
	"plaza/stack"
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: rehearsal FOLDER")
		os.Exit(2)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := run(ctx, os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, "rehearsal:", err)
		os.Exit(1)
	}
}

// run writes the tapes into a folder, and removes others from there. It changes no file that is right already, and leaves none half
// written.
func run(ctx context.Context, folder string) error {
	tapes, err := record(ctx)
	if err != nil {
		return err
	}
	// app.wasm embeds all that is in the folder.
	there, err := filepath.Glob(filepath.Join(folder, "*.tape"))
	if err != nil {
		return err
	}
	for _, file := range there {
		if _, known := tapes[strings.TrimSuffix(filepath.Base(file), ".tape")]; !known {
			if err := os.Remove(file); err != nil && !errors.Is(err, fs.ErrNotExist) {
				return err
			}
		}
	}
	for name, tape := range tapes {
		if err := perform(tape, name == "json"); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		file := filepath.Join(folder, name+".tape")
		if old, err := os.ReadFile(file); err == nil && string(old) == tape {
			continue
		}
		// Not in the folder, because whoever is killed leaves it behind.
		partial := filepath.Join(filepath.Dir(folder), fmt.Sprintf(".%s-%d.tape", name, os.Getpid()))
		if err := errors.Join(os.WriteFile(partial, []byte(tape), 0o644), os.Rename(partial, file)); err != nil {
			return errors.Join(err, os.Remove(partial))
		}
	}
	return nil
}

// record makes a small site and the tapes of its pages, by the encoding of the database's answers.
func record(ctx context.Context) (tapes map[string]string, err error) {
	dir, err := os.MkdirTemp("", "plaza-rehearsal-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	sqld, err := stack.StartSQLD(ctx, stack.SQLDOptions{Dir: dir})
	if err != nil {
		return nil, err
	}
	defer sqld.Kill() // there is nothing to save
	redis, err := stack.StartRedis(ctx, stack.RedisOptions{Kind: stack.KindMini})
	if err != nil {
		return nil, err
	}
	defer redis.Close()
	const token = "known to nobody else"
	rest, err := stack.StartUpstash(ctx, stack.UpstashOptions{RedisAddr: redis.Addr, Token: token})
	if err != nil {
		return nil, err
	}
	defer rest.Close()
	return recordOn(ctx, hrana.Options{URL: sqld.URL, Token: sqld.Token}, upstash.Options{URL: rest.URL, Token: token})
}
