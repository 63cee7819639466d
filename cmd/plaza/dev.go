package main

import "context"

func runDev(ctx context.Context, env *environment, args []string) error  { return nil }
func runSeed(ctx context.Context, env *environment, args []string) error { return nil }
