package main

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"

	"plaza/tools/backup"
	"plaza/tools/backup/branches"
	"plaza/tools/setup/services"
)

// branchesOf makes copies of a site's databases at Turso for a backup. The second result deletes them.
func branchesOf(ctx context.Context, env *environment, a *addresses, organization string) (site backup.Site, end func() error, err error) {
	token := env.getenv("TURSO_API_TOKEN")
	if token == "" {
		return site, nil, errors.New("--branch needs TURSO_API_TOKEN: turso auth api-tokens mint NAME makes one")
	}
	turso := services.NewTurso(env.turso, token, http.DefaultClient)
	if turso.Organization = organization; organization == "" {
		slugs, err := turso.Organizations(ctx)
		if err != nil {
			return site, nil, err
		}
		if len(slugs) == 0 {
			return site, nil, errors.New("TURSO_API_TOKEN reaches no organization")
		}
		if len(slugs) > 1 {
			return site, nil, fmt.Errorf("the token reaches several organizations: name one of %s with --organization", strings.Join(slugs, ", "))
		}
		turso.Organization = slugs[0]
	}
	directory, shards := a.all()
	inOrder := append(slices.DeleteFunc(slices.Clone(shards), func(url string) bool { return url == directory }), directory)
	maker := &branches.Maker{Turso: turso, HTTP: http.DefaultClient, Wait: 2 * time.Minute, Pause: time.Second, WorkTime: 10 * time.Minute}
	if env.still {
		maker.Pause = 10 * time.Millisecond
	}
	created, err := maker.Make(ctx, inOrder)
	end = func() error { return created.Delete(ctx) }
	if err != nil {
		return site, nil, errors.Join(err, end())
	}
	for _, name := range created.Undeleted {
		fmt.Fprintf(env.err, "The copy %s of an earlier backup can't be deleted: delete it by hand.\n", name)
	}
	site = backup.Site{Directory: created.Clients[directory], Copied: created.Began}
	for _, url := range shards {
		site.Shards = append(site.Shards, created.Clients[url])
	}
	return site, end, nil
}
