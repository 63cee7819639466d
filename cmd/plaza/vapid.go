package main

import (
	"context"
	"fmt"

	"plaza/protocol/webpush"
)

// runVapid makes the key pair that identifies a site to push services. The public key follows from the private one.
func runVapid(_ context.Context, env *environment, args []string) error {
	rest, err := parseFlags(newFlags(env, "vapid"), args)
	switch {
	case err != nil:
		return err
	case len(rest) > 0:
		return usagef("what is %q?", rest[0])
	}
	private, err := webpush.NewKeys()
	if err != nil {
		return err
	}
	fmt.Fprintln(env.out, private)
	return nil
}
