package main

import (
	"context"
	"errors"
	"fmt"

	"plaza/data"
	"plaza/data/accounts"
	"plaza/data/accounts/sessions"
	"plaza/data/accounts/suspensions"
	"plaza/data/wire/hrana"
)

// runSuspend keeps a member from logging in and writing, in every database.
func runSuspend(ctx context.Context, env *environment, args []string) error {
	db, name, restore, err := memberCommand(env, args, "suspend", "restore", "end the suspension; the member logs in again")
	if err != nil {
		return err
	}
	store := suspensions.Store{Base: data.Base{DB: db, Source: data.SystemSource()}}
	did := "suspended: nothing is written for " + name + " any more"
	if restore {
		err, did = store.Restore(ctx, name), "not suspended, and may log in"
	} else {
		err = store.Suspend(ctx, name)
	}
	if errors.Is(err, sessions.ErrLater) {
		fmt.Fprintf(env.out, "%s is %s. Not every database knows it yet (%v). The site tells the others within a minute after they answer.\n",
			name, did, err)
		return nil
	}
	if data.ErrorCode(err) == data.Unavailable {
		return fmt.Errorf("%w\nrun the same again when every database answers", err)
	}
	if err != nil {
		return err
	}
	fmt.Fprintf(env.out, "%s is %s.\n", name, did)
	return nil
}

// runAdmin makes a member an administrator of the site.
func runAdmin(ctx context.Context, env *environment, args []string) error {
	db, name, revoke, err := memberCommand(env, args, "admin", "revoke", "make the administrator a plain member")
	if err != nil {
		return err
	}
	store := accounts.Store{Base: data.Base{DB: db, Source: data.SystemSource()}}
	if err := store.SetAdmin(ctx, name, !revoke); err != nil {
		return err
	}
	is := "an administrator now"
	if revoke {
		is = "no administrator any more"
	}
	fmt.Fprintf(env.out, "%s is %s.\n", name, is)
	return nil
}

// memberCommand reads the command line of a command about one member: the name, and a flag that reverts the command.
func memberCommand(env *environment, args []string, command, undo, about string) (*data.DB, string, bool, error) {
	f := newFlags(env, command)
	off := f.Bool(undo, false, about)
	var urls list
	f.Var(&urls, "url", "a database's `URL`, the directory first; once for each (default $LIBSQL_URL and $LIBSQL_SHARD_URLS)")
	token := f.String("token", env.getenv("LIBSQL_AUTH_TOKEN"), "auth token of the databases")
	rest, err := parseFlags(f, args)
	if err != nil {
		return nil, "", false, err
	}
	if len(rest) != 1 {
		return nil, "", false, usagef("give the name of one member")
	}
	if len(urls) == 0 {
		urls = databases(env)
	}
	if len(urls) == 0 {
		return nil, "", false, usagef("which database? give --url or set LIBSQL_URL")
	}
	var clients []*hrana.Client
	for _, u := range urls {
		if err := checkURL(u); err != nil {
			return nil, "", false, err
		}
		clients = append(clients, hrana.New(hrana.Options{URL: u, Token: *token}))
	}
	return data.NewDB(clients[0], clients[1:]...), rest[0], *off, nil
}
