package setup

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"plaza/ops/setup/services"
)

// findDeployed reads the script at Cloudflare with the name in wrangler.toml. It refuses another site's script, or one that is not
// Plaza's, because the deployment would replace it and the run would use its secrets and database. If wrangler.toml is unchanged, the
// site's file was lost or not committed. Then it copies all variables of the site to it, because a deployment would blank them.
func (r *run) findDeployed(ctx context.Context) error {
	bindings, exists, err := r.cloudflare.Bindings(ctx, r.script)
	if err != nil {
		return err
	}
	r.deployed = services.VariablesOf(bindings)
	site := r.deployed["SITE_URL"]
	switch {
	case !exists:
		return nil
	case site == "":
		if r.deployed[services.DraftVariable] == "" { // drafts have this variable (setSecrets)
			return fmt.Errorf("the account has a Worker %[1]s that is no Plaza: it has no SITE_URL. Change name in wrangler.toml. If it is a draft "+
				"with secrets of this site, delete it (npx wrangler delete --name %[1]s) and run this again", r.script)
		}
		return nil
	case isLocal(site):
		return nil
	case r.config.remote("SITE_URL") == "":
		if r.SiteURL != "" && !strings.EqualFold(strings.TrimSuffix(r.SiteURL, "/"), site) {
			return r.anotherSite(r.SiteURL)
		}
		for _, name := range slices.Sorted(maps.Keys(r.deployed)) {
			if err := r.change(name, r.deployed[name]); err != nil {
				return err
			}
		}
	case r.config.value("vars", "SITE_URL") != site && r.config.value("vars", "LIBSQL_URL") != r.deployed["LIBSQL_URL"]:
		return r.anotherSite(r.config.value("vars", "SITE_URL"))
	}
	return nil
}

func (r *run) anotherSite(wanted string) error {
	return fmt.Errorf("the Worker %s of the account is the site %s, and this one is to be %s. For a second site, change name in "+
		"wrangler.toml, and the names of the queues and of the bucket. If it is the same site, take the wrangler.toml that was committed "+
		"with it; passkeys belong to its name and stop working when that changes. If that is meant, change SITE_URL there", r.script,
		r.deployed["SITE_URL"], wanted)
}

// isLocal reports whether an address is on this machine, as in an unchanged wrangler.toml.
func isLocal(address string) bool {
	return strings.HasPrefix(address, "http://127.0.0.1") || strings.HasPrefix(address, "http://localhost")
}
