package oidc

import (
	"cmp"
	"fmt"
	"regexp"
	"strings"
)

var providerName = regexp.MustCompile(`^[a-z0-9]{1,20}$`)

// Configure reads the providers of a site from its variables: AUTH_PROVIDERS lists their names, and for each NAME there are AUTH_NAME_ID,
// AUTH_NAME_SECRET, AUTH_NAME_ISSUER and AUTH_NAME_LABEL. google and github need no issuer.
func Configure(getenv func(string) string) (list []*Provider, err error) {
	for _, name := range strings.FieldsFunc(getenv("AUTH_PROVIDERS"), func(r rune) bool { return r == ',' || r == ' ' }) {
		if !providerName.MatchString(name) || name == "new" {
			return nil, fmt.Errorf("AUTH_PROVIDERS: %q is not a name of 1 to 20 lowercase letters and digits other than new", name)
		}
		variable := "AUTH_" + strings.ToUpper(name) + "_"
		p := &Provider{Name: name, ID: getenv(variable + "ID"), Secret: getenv(variable + "SECRET"), Label: getenv(variable + "LABEL"),
			Issuer: getenv(variable + "ISSUER")}
		switch name {
		case "google":
			p.Issuer, p.Label = cmp.Or(p.Issuer, "https://accounts.google.com"), cmp.Or(p.Label, "Google")
		case "github":
			p.Issuer, p.Label = githubIssuer, cmp.Or(p.Label, "GitHub")
		}
		p.Label = cmp.Or(p.Label, name)
		if p.ID == "" {
			return nil, fmt.Errorf("%sID is missing", variable)
		}
		if !secure(p.Issuer) {
			return nil, fmt.Errorf("%sISSUER is not an address like https://id.example.org", variable)
		}
		list = append(list, p)
	}
	return list, nil
}
