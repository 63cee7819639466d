package main

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"
	"time"

	"plaza/data"
	"plaza/data/pace/deadline"
	"plaza/data/wire/hrana"
	"plaza/ops/shards/mover"
)

// runMove moves a community to another shard, or continues its move.
func runMove(ctx context.Context, env *environment, args []string) error {
	f := newFlags(env, "shards move")
	yes := f.Bool("yes", false, "begin without asking")
	replicas := f.Bool("replicas", env.getenv("LIBSQL_REPLICA_URL") != "" || env.getenv("LIBSQL_SHARD_REPLICA_URLS") != "",
		"pages are read from replicas, for which the move waits while nobody can write (default whether $LIBSQL_REPLICA_URL or "+
			"$LIBSQL_SHARD_REPLICA_URLS is set)")
	var addresses addresses
	addresses.flags(env, f)
	rest, err := parseFlags(f, args)
	if err != nil {
		return err
	}
	if len(rest) != 2 {
		return usagef("which community, and to which shard? plaza shards move COMMUNITY SHARD")
	}
	to, err := strconv.Atoi(rest[1])
	if err != nil {
		return usagef("%q is not the number of a shard, which plaza shards shows", rest[1])
	}
	databases, err := openUpToDate(ctx, &addresses)
	if err != nil {
		return err
	}
	m := &mover.Move{Directory: databases.Directory, Shards: databases.Shards, Replicas: *replicas, Sleep: deadline.DefaultSleep}
	return move(ctx, env, m, rest[0], to, *yes)
}

func move(ctx context.Context, env *environment, m *mover.Move, name string, to int, yes bool) error {
	c, err := inSlotOf(ctx, m.Directory, name)
	if err != nil {
		return err
	}
	if c.profile {
		return fmt.Errorf("%s is a profile: profiles stay on their shard", name)
	}
	switch err := m.Check(ctx, c.slot, to); {
	case errors.Is(err, mover.ErrOther):
		other, failed := underWay(ctx, m.Directory)
		return errors.Join(fmt.Errorf("one community moves at a time, and another move is not finished: %s", other), failed)
	case errors.Is(err, mover.ErrShard) && len(m.Shards) == 1:
		return errors.New("this site has one shard. Put the address of another database at the end of LIBSQL_SHARD_URLS first " +
			"(docs/operations/shards.md)")
	case errors.Is(err, mover.ErrShard):
		return fmt.Errorf("there is no shard %d: this site has shards 0 to %d", to, len(m.Shards)-1)
	case err != nil:
		return fmt.Errorf("%s can't move to shard %d: %w", c.name, to, err)
	}
	if !m.Begun.IsZero() {
		fmt.Fprintf(env.out, "%s is moving. Going on to shard %d.\n", c.all(), m.To)
	} else if err := c.confirm(ctx, env, m, yes); err != nil {
		return err
	}
	return c.run(ctx, env, m, to)
}

// inSlot is a community, and the other communities of its slot, which move with it.
type inSlot struct {
	name, others string
	profile      bool
	slot         int
}

// all returns the names of these communities.
func (c *inSlot) all() string {
	if c.others != "" {
		return c.name + ", " + c.others
	}
	return c.name
}

const inItsSlot = `SELECT c.id, c.name, c.kind, coalesce((SELECT group_concat(o.name, ', ') FROM communities o WHERE o.kind = 'community'
  AND o.id <> c.id AND ((o.id >> 12) & 1023) = ((c.id >> 12) & 1023)), '') FROM communities c WHERE c.name_key = ?1`

func inSlotOf(ctx context.Context, directory *hrana.Client, name string) (*inSlot, error) {
	results, err := directory.Query(ctx, hrana.Stmt{SQL: inItsSlot, Args: []any{strings.ToLower(name)}})
	if err != nil {
		return nil, err
	}
	if len(results[0].Rows()) == 0 {
		return nil, fmt.Errorf("there is no community %q", name)
	}
	row := results[0].Rows()[0]
	return &inSlot{name: row[1].(string), others: row[3].(string), profile: row[2] == "profile", slot: data.ID(row[0].(int64)).Slot()}, nil
}

// confirm prints what a move does, and asks for confirmation unless yes is set.
func (c *inSlot) confirm(ctx context.Context, env *environment, m *mover.Move, yes bool) error {
	fmt.Fprintf(env.out, "%s moves from shard %d to shard %d, with posts, comments and votes. Addresses stay as they are.\n", c.name,
		m.From, m.To)
	if c.others != "" {
		fmt.Fprintf(env.out, "What is in the same slot moves along: %s.\n", c.others)
	}
	fmt.Fprintln(env.out, "Its pages can be read all the time. Nobody can write in it until the move is done, which takes some minutes. "+
		"Members are told to try again then.")
	if yes {
		return nil
	}
	if !isTerminal(os.Stdin) || !isTerminal(env.err) {
		return usagef("give --yes to begin")
	}
	confirmation, err := ask(ctx, bufio.NewReader(os.Stdin), env.err, "Begin? yes or no", "no", false)
	if err == nil && !strings.EqualFold(confirmation, "yes") && !strings.EqualFold(confirmation, "y") {
		return errors.New("nothing was changed")
	}
	return err
}

// run moves, and prints its progress.
func (c *inSlot) run(ctx context.Context, env *environment, m *mover.Move, to int) error {
	bar := newBar(env.err, "Moving")
	defer bar.close()
	begun := time.Now()
	m.Progress = func(p mover.Progress) {
		if p.Table != "" {
			bar.update(int64(p.Done), int64(p.Of), fmt.Sprintf("%s: %s, %s rows", p.Step, p.Table, thousands(p.Rows)))
			return
		}
		switch p.Step {
		case mover.StepFreeze:
			bar.print(fmt.Sprintf("Freezing %s.", c.name))
		case mover.StepCopy:
			bar.print(fmt.Sprintf("Copying to shard %d.", m.To))
		case mover.StepWait:
			bar.print(fmt.Sprintf("%s is read from shard %d now. Waiting for a minute, until nothing reads shard %d any more.", c.name, m.To,
				m.From))
		case mover.StepRemove:
			bar.print(fmt.Sprintf("Deleting on shard %d.", m.From))
		}
	}
	switch err := m.Run(ctx, c.slot, to); {
	case errors.Is(err, mover.ErrTaken):
		return err
	case err != nil:
		return fmt.Errorf("%w\nNobody can write in %s until the move is done. Go on with: plaza shards move %s %d\nOr go back with: "+
			"plaza shards move %s %d", err, c.name, c.name, m.To, c.name, m.From)
	}
	bar.close()
	fmt.Fprintf(env.out, "%s is on shard %d. Nobody could write in it for %s.\n", c.name, m.To, time.Since(begun).Round(time.Second))
	return nil
}

// underWay describes the move that is not finished; "" if there is none.
func underWay(ctx context.Context, directory *hrana.Client) (string, error) {
	s, err := mover.Current(ctx, directory)
	if err != nil || s.Begun.IsZero() {
		return "", err
	}
	name := cmp.Or(s.Community, fmt.Sprintf("the slot %d", s.Slot))
	return fmt.Sprintf("%s has been moving from shard %d to shard %d since %s, and nobody can write in it meanwhile. If the command was "+
		"ended, go on with: plaza shards move %s %d", name, s.From, s.To, s.Begun.Format(time.DateTime), name, s.To), nil
}

const movesNow = `SELECT count(*) FILTER (WHERE ended_at IS NULL), coalesce(max(id), 0) FROM slot_moves`

// notMoving returns an error while a community moves: commands that read or write whole databases would find rows twice, or write rows that
// nothing reads any more. still returns an error, too, and also if a community has moved since.
func notMoving(ctx context.Context, directory *hrana.Client) (still func(context.Context) error, err error) {
	lastMove := func(ctx context.Context) (last int64, err error) {
		row, err := numbers(ctx, directory, movesNow)
		if err != nil {
			return 0, err
		}
		if row[0] > 0 {
			return 0, errMoves
		}
		return row[1], nil
	}
	began, err := lastMove(ctx)
	return func(ctx context.Context) error {
		last, err := lastMove(ctx)
		if err == nil && last != began {
			err = errMoved
		}
		return err
	}, err
}

// notMovedMeanwhile calls read, and returns an error if a community moves or has moved meanwhile: what was read may lack rows.
func notMovedMeanwhile(ctx context.Context, directory *hrana.Client, read func() error) error {
	still, err := notMoving(ctx, directory)
	if err == nil {
		err = read()
	}
	if err == nil {
		err = still(ctx)
	}
	return err
}

var (
	errMoves = errors.New("a community is moving to another shard: plaza shards tells which. Wait until that is done")
	errMoved = errors.New("a community has moved to another shard meanwhile: run the command again")
)
