package main

import (
	"context"
	"database/sql"
)

type seedOptions struct{ users, posts, comments, votes int }

func defaultSeed() seedOptions { return seedOptions{} }
func runSeed(ctx context.Context, env *environment, args []string) error { return nil }
func seed(ctx context.Context, env *environment, db *sql.DB, o seedOptions) error { return nil }
