package doctor

import (
	"context"
	"slices"
	"strings"
)

// addressNames are the variables with the addresses of the databases: for the site in wrangler.toml, for commands of plaza in the
// environment.
var addressNames = []string{"LIBSQL_URL", "LIBSQL_SHARD_URLS"}

// addresses compares the databases of commands such as plaza migrate with those of the deployment from here. A workflow has its own
// variables for them: it could run the schema steps in another database than the site's. It compares nothing with a local database, or if
// the site is not the one of wrangler.toml.
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

// databasesAt returns the addresses in a variable, each in one canonical form.
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

// isLocal reports whether an address is on this machine, as in an unchanged wrangler.toml.
func isLocal(address string) bool {
	return strings.HasPrefix(address, "http://127.0.0.1") || strings.HasPrefix(address, "http://localhost")
}
