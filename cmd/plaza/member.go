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

// memberCommand parses the command line of a command about one member: the name, and a flag, undo, that reverses the command.
func memberCommand(env *environment, args []string, command, undo, about string) (db *data.DB, name string, off bool, err error) {
	f := newFlags(env, command)
	f.BoolVar(&off, undo, false, about)
	parsed := databaseFlags(env, f)
	rest, err := parseFlags(f, args)
	if err != nil {
		return nil, "", off, err
	}
	if len(rest) != 1 {
		return nil, "", off, usagef("give the name of one member")
	}
	urls, token, err := parsed()
	if err != nil {
		return nil, "", off, err
	}
	var clients []*hrana.Client
	for _, u := range urls {
		if err := checkURL(u); err != nil {
			return nil, "", off, err
		}
		clients = append(clients, hrana.New(hrana.Options{URL: u, Token: token}))
	}
	return data.NewDB(clients[0], clients[1:]...), rest[0], off, nil
}
