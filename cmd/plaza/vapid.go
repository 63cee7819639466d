package main

import (
	"context"
	"fmt"

	"plaza/protocol/webpush"
)

// runVapid prints a new private key, which identifies a site to push services. The public key follows from it.
func runVapid(_ context.Context, env *environment, args []string) error {
	rest, err := parseFlags(newFlags(env, "vapid"), args)
	switch {
	case err != nil:
		return err
	case len(rest) > 0:
		return usagef("unexpected argument %q", rest[0])
	}
	private, err := webpush.NewKeys()
	if err != nil {
		return err
	}
	fmt.Fprintln(env.out, private)
	return nil
}
