package doctor

import (
	"context"
	"slices"
	"strings"
)

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
