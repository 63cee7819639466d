// Command plaza is the operator's tool: it sets up and migrates sites, imports and creates content, and runs the whole site locally. It is
// native code, which may use the disk and child processes; nothing of it runs at the edge.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"

	"plaza/ops/setup/services"
)

// command is a subcommand of plaza. run gets the arguments after its name.
type command struct {
	name, args, about string
	run               func(ctx context.Context, env *environment, args []string) error
}

// environment is what a command uses of its process.
type environment struct {
	out, err  io.Writer
	getenv    func(string) string
	turso     string // address of Turso's API
	exclusive bool   // no other program uses the databases, so commands don't wait (tests)
}

func commands() []command {
	return []command{
		{"dev", "[--port 8787] [--data DIR] [--fresh] [--empty] [--verbose] [--faults]", "run the whole site on this machine", runDev},
		{"setup", "[--dry-run] [--site-url URL] [--site-name NAME] [--admin NAME] [--community NAME] [--mail-provider resend|postmark ...] ...",
			"deploy a site with accounts at Cloudflare, Turso and Upstash, or continue an earlier run", runSetup},
		{"doctor", "[--folder DIR] [URL]", "check a running site, and print what to do about each problem", runDoctor},
		{"migrate", "[--url URL]... [--token TOKEN]", "create the tables, or migrate them to this build's step, in every database", runMigrate},
		{"import", "--format plaza|reddit|reddit-csv [--shift] [--long] [--url URL]... FILE...",
			"import communities, posts and comments of another site", runImport},
		{"export", "--site NAME [--community NAME]... [--url URL]... FILE", "write communities into a file that any Plaza can import", runExport},
		{"convert", "--from lobsters|discourse --site NAME [--community NAME] --into FILE FILE...",
			"convert the JSON of another site into a file that can be imported", runConvert},
		{"seed", "[--users N] [--posts N] [--votes N] [--thread N] [--seed S] [--url URL] [--shard URL]...",
			"create demo members, comments and votes, or a thread of any size", runSeed},
		{"verify", "[--repair] [--pictures list|bytes|no] [--url URL] [--shard URL]... [--redis URL]",
			"recompute counters, karma, ranks, copies and hot sets, compare pictures with the bucket; report or repair differences", runVerify},
		{"shards", "[--count] [--url URL] [--shard URL]... | move COMMUNITY SHARD [--yes] ...",
			"show how content is distributed over the shards, and where new communities go; or move a community to another shard", runShards},
		{"backup", "DIR [--check] [--changed] [--sha256 SUM] [--url URL] [--shard URL]...",
			"write all databases and pictures into a folder, or check an existing backup", runBackup},
		{"restore", "DIR [--overwrite] [--changed] [--only-pictures] [--sha256 SUM] [--url URL] [--shard URL]...",
			"restore a backup into empty databases and the bucket of pictures",
			runRestore},
		{"admin", "NAME [--revoke] [--url URL]...", "make a member an administrator of the site", runAdmin},
		{"suspend", "NAME [--restore] [--url URL]...", "keep a member from logging in and writing, or end the suspension", runSuspend},
		{"vapid", "", "create a key for Web Push: the secret VAPID_PRIVATE_KEY", runVapid},
	}
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	env := &environment{out: os.Stdout, err: os.Stderr, getenv: os.Getenv, turso: services.TursoURL}
	code := run(ctx, env, os.Args[1:])
	stop()
	os.Exit(code)
}

// usageError is the error of an invalid command line: exit code 2.
type usageError struct{ error }

func usagef(format string, args ...any) error { return usageError{fmt.Errorf(format, args...)} }

func run(ctx context.Context, env *environment, args []string) int {
	if len(args) == 0 || args[0] == "help" || args[0] == "-h" || args[0] == "--help" {
		usage(env.out)
		return 0
	}
	for _, c := range commands() {
		if c.name != args[0] {
			continue
		}
		err := c.run(ctx, env, args[1:])
		var u usageError
		switch {
		case err == nil, errors.Is(err, flag.ErrHelp):
			return 0
		case errors.As(err, &u):
			fmt.Fprintf(env.err, "plaza %s: %v\nusage: plaza %s %s\n", c.name, err, c.name, c.args)
			return 2
		case errors.Is(err, context.Canceled) && ctx.Err() != nil:
			fmt.Fprintf(env.err, "plaza %s: interrupted\n", c.name)
			return 130
		}
		fmt.Fprintf(env.err, "plaza %s: %v\n", c.name, err)
		return 1
	}
	fmt.Fprintf(env.err, "plaza: there is no command %q\n", args[0])
	usage(env.err)
	return 2
}

func usage(w io.Writer) {
	fmt.Fprintln(w, "usage: plaza COMMAND [FLAGS]")
	fmt.Fprintln(w)
	for _, c := range commands() {
		fmt.Fprintf(w, "  plaza %s %s\n        %s\n", c.name, c.args, c.about)
	}
	fmt.Fprintln(w, "\n--url and --token default to $LIBSQL_URL and $LIBSQL_AUTH_TOKEN. plaza COMMAND -h shows its flags.")
}

// newFlags returns a command's flag set; parse it with parseFlags.
func newFlags(env *environment, name string) *flag.FlagSet {
	f := flag.NewFlagSet("plaza "+name, flag.ContinueOnError)
	f.SetOutput(env.out)
	return f
}

// parseFlags accepts flags before and after the arguments, and returns the arguments.
func parseFlags(f *flag.FlagSet, args []string) ([]string, error) {
	out := f.Output()
	var rest []string
	for {
		f.SetOutput(io.Discard)
		err := f.Parse(args)
		f.SetOutput(out)
		if errors.Is(err, flag.ErrHelp) {
			fmt.Fprintf(out, "usage: %s\n", f.Name())
			f.PrintDefaults()
			return nil, err
		}
		if err != nil {
			return nil, usageError{err}
		}
		if f.NArg() == 0 {
			return rest, nil
		}
		rest = append(rest, f.Arg(0))
		args = f.Args()[1:]
	}
}
