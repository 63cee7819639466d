package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
)

// testEvent is a line of go test -json; see go doc test2json.
type testEvent struct {
	Action, Package, ImportPath, Test, Output string
}

// runTally reads go test -json, prints what the failed tests said and which were skipped, and as the last line how many
// passed and failed. Only tests without tests of their own inside count, so that a table of ten cases is ten. A test that
// ran twice counts twice. It serves ./build.sh test.
func runTally(_ context.Context, env *environment, args []string) error {
	if len(args) != 1 {
		return usagef("give the output of go test -json")
	}
	f, err := os.Open(args[0])
	if err != nil {
		return err
	}
	defer f.Close()
	passed, failed, err := tally(f, env.out)
	fmt.Fprintln(env.out, passed, failed)
	return err
}

// maxSaid is how much of a line is shown: a whole page of HTML helps nobody.
const maxSaid = 1000

// testKey names one run of a test: round counts how often its package had run all of its tests before.
type testKey struct {
	pkg, test string
	round     int
}

func tally(r io.Reader, out io.Writer) (passed, failed int, err error) {
	status := map[testKey]string{}
	said := map[testKey]*bytes.Buffer{}
	rounds := map[string]int{}
	lines := bufio.NewReader(r)
	for {
		line, readErr := lines.ReadBytes('\n')
		var e testEvent
		if json.Unmarshal(line, &e) == nil {
			if e.Package == "" {
				e.Package = e.ImportPath // of what does not compile
			}
			k := testKey{e.Package, e.Test, rounds[e.Package]}
			if _, ran := status[k]; ran && e.Action == "run" {
				rounds[e.Package]++
				k.round++
			}
			switch e.Action {
			case "pass", "fail", "skip":
				status[k] = e.Action
			case "output", "build-output":
				if said[k] == nil {
					said[k] = &bytes.Buffer{}
				}
				said[k].WriteString(e.Output)
			case "build-fail":
				status[k] = "fail"
			}
		} else if text := strings.TrimSpace(string(line)); text != "" {
			fmt.Fprintln(out, "   ", text)
		}
		if readErr == io.EOF {
			break
		} else if readErr != nil {
			return passed, failed, readErr
		}
	}
	parents := map[testKey]bool{}
	failedInside := map[string]bool{}
	for k, s := range status {
		for i, c := range k.test {
			if c == '/' {
				parents[testKey{k.pkg, k.test[:i], k.round}] = true
			}
		}
		if k.test != "" && s == "fail" {
			failedInside[k.pkg] = true
		}
	}
	var broken, skipped []testKey
	for k, s := range status {
		switch {
		case s == "fail" && k.test == "" && failedInside[k.pkg]:
		case s == "fail" && parents[k] && childFailed(status, k):
		case s == "fail":
			failed++
			broken = append(broken, k)
		case s == "pass" && k.test != "" && !parents[k]:
			passed++
		case s == "skip" && k.test != "":
			skipped = append(skipped, k)
		}
	}
	byName(broken)
	byName(skipped)
	for _, k := range skipped { // ./build.sh test has installed what tests need
		fmt.Fprintf(out, "SKIPPED %s %s\n", k.pkg, k.test)
	}
	for _, k := range broken {
		fmt.Fprintf(out, "FAILED %s %s\n", k.pkg, k.test)
		if b := said[k]; b != nil {
			for line := range strings.Lines(strings.TrimSpace(b.String())) {
				if line = strings.TrimRight(line, "\n"); len(line) > maxSaid {
					line = line[:maxSaid/2] + " [...] " + line[len(line)-maxSaid/2:]
				}
				fmt.Fprintln(out, "    "+line)
			}
		}
	}
	return passed, failed, nil
}

func byName(keys []testKey) {
	slices.SortFunc(keys, func(a, b testKey) int { return strings.Compare(a.pkg+" "+a.test, b.pkg+" "+b.test) })
}

func childFailed(status map[testKey]string, parent testKey) bool {
	for k, s := range status {
		if s == "fail" && k.pkg == parent.pkg && k.round == parent.round && strings.HasPrefix(k.test, parent.test+"/") {
			return true
		}
	}
	return false
}
