package pictures

import (
	"context"
	"slices"
	"time"

	"plaza/data"
)

const (
	// sweepStep is how many pictures one step of the job looks at, and sweepSteps bounds the steps of a run. The next run goes on.
	sweepStep  = 100
	sweepSteps = 20
	// dropTime is how long a run has to delete the bytes that it has begun to delete. After it, the next one goes on.
	dropTime = 15 * time.Minute
	// dropMost is how many pictures a bucket deletes at once (worker/pictures.MaxList).
	dropMost = 500
)

const (
	// The trigger picture_uses_ended writes losses.
	someLosses = `SELECT l.sum FROM picture_losses l WHERE l.sum > '' ORDER BY l.sum LIMIT :step`
	noteLosses = `UPDATE pictures SET check_at = max(coalesce(check_at, 0), :until) WHERE sum IN (SELECT value FROM json_each(:sums))
  AND state <> 'going'`
	endLosses = `DELETE FROM picture_losses WHERE sum IN (SELECT value FROM json_each(:sums))`
	// Index pictures_check, from its front.
	toCheck = `SELECT p.sum, p.state FROM pictures p WHERE p.check_at IS NOT NULL AND p.check_at <= :now ORDER BY p.check_at LIMIT :step`
	// Primary key.
	usedHere = `SELECT j.value FROM json_each(:sums) j WHERE EXISTS (SELECT 1 FROM picture_uses u WHERE u.sum = j.value)`
	areUsed  = `UPDATE pictures SET check_at = NULL WHERE sum IN (SELECT value FROM json_each(:sums)) AND check_at <= :now
  AND state <> 'going'`
	// Pictures that were claimed meanwhile stay. Another run leaves the others alone until :lease, because they may be uploaded again as soon
	// as their rows are gone, and a late deletion would take the new bytes.
	begin = `UPDATE pictures SET state = 'going', check_at = :lease WHERE sum IN (SELECT value FROM json_each(:sums))
  AND check_at <= :now RETURNING sum`
	// The trigger pictures_gone counts them no more.
	end = `DELETE FROM pictures WHERE sum IN (SELECT value FROM json_each(:sums)) AND state = 'going'`
)

// Dropper deletes the bytes of pictures, at most dropMost at once.
type Dropper interface {
	Drop(ctx context.Context, sums ...string) error
}

// Sweep deletes pictures that nothing has used for a day. It may run any number of times, at the same time too. If a database can't be
// asked whether it uses them, nothing is deleted.
func (s *Store) Sweep(ctx context.Context, bucket Dropper) error {
	err := s.DB.OnEverywhere(func(where data.Where) error {
		for range sweepSteps {
			if n, err := s.noteLosses(ctx, where); err != nil || n < sweepStep {
				return err
			}
		}
		return nil
	})
	for range sweepSteps {
		if n, failed := s.sweepStep(ctx, bucket); failed != nil || n < sweepStep {
			if err == nil {
				err = failed
			}
			return err
		}
	}
	return err
}

// noteLosses has the directory check pictures that lost a use in a database, and returns how many.
func (s *Store) noteLosses(ctx context.Context, where data.Where) (int, error) {
	var sums []string
	r := s.DB.Read()
	r.FindAt(where, someLosses, data.Args{"step": sweepStep}, func(row *data.Row) { sums = append(sums, row.Text()) })
	if err := r.Run(ctx); err != nil || len(sums) == 0 {
		return 0, err
	}
	w := s.DB.Write()
	w.Do(noteLosses, data.Args{"sums": sums, "until": s.Source.Now().Add(UsedAfter)})
	if err := w.Run(ctx); err != nil {
		return 0, err
	}
	w = s.DB.WriteAt(where)
	w.Do(endLosses, data.Args{"sums": sums})
	return len(sums), w.Run(ctx)
}

// sweepStep looks at the pictures whose check is longest due, and returns how many.
func (s *Store) sweepStep(ctx context.Context, bucket Dropper) (int, error) {
	now := s.Source.Now()
	var sums, going []string
	r := s.DB.Read()
	r.Find(toCheck, data.Args{"now": now, "step": sweepStep}, func(row *data.Row) {
		if sum, state := row.Text(), row.Text(); state == "going" { // the last run ended before it was done
			going = append(going, sum)
		} else {
			sums = append(sums, sum)
		}
	})
	if err := r.Run(ctx); err != nil || len(sums)+len(going) == 0 {
		return 0, err
	}
	found := len(sums) + len(going)
	used, err := s.used(ctx, sums)
	if err != nil {
		return 0, err
	}
	var unused, stay []string
	for _, sum := range sums {
		if used[sum] {
			stay = append(stay, sum)
		} else {
			unused = append(unused, sum)
		}
	}
	w := s.DB.Write()
	w.Do(areUsed, data.Args{"sums": stay, "now": now})
	due := append(unused, going...)
	going = nil
	w.Find(begin, data.Args{"sums": due, "now": now, "lease": now.Add(dropTime)}, func(row *data.Row) { going = append(going, row.Text()) })
	if err := w.Run(ctx); err != nil || len(going) == 0 {
		return found, err
	}
	return found, s.drop(ctx, bucket, going)
}

// used tells which pictures something uses, in any database.
func (s *Store) used(ctx context.Context, sums []string) (map[string]bool, error) {
	used := map[string]bool{}
	r := s.DB.Read()
	r.FindEverywhere(usedHere, data.Args{"sums": sums}, func(row *data.Row) { used[row.Text()] = true })
	return used, r.Run(ctx)
}

// drop deletes the bytes of pictures that are going, and then their rows.
func (s *Store) drop(ctx context.Context, bucket Dropper, sums []string) error {
	for some := range slices.Chunk(sums, dropMost) {
		if err := bucket.Drop(ctx, some...); err != nil {
			return err
		}
		w := s.DB.Write()
		w.Do(end, data.Args{"sums": some})
		if err := w.Run(ctx); err != nil {
			return err
		}
	}
	return nil
}

const (
	// What a member's posts may have left, the newest first: what was claimed once, and what an earlier try did not delete. A picture that
	// was only uploaded is for a form that is open, and one that a block has taken from somebody may be given back. Index pictures_user.
	leftBy = `SELECT p.sum FROM pictures p WHERE p.user_id = :author AND p.user_id IS NOT NULL
  AND (p.state = 'going' OR p.state = 'kept' AND p.taken IS NULL AND (p.check_at IS NULL OR p.check_at > p.created_at + :after))
ORDER BY p.created_at DESC LIMIT 1000`
	// The job leaves them alone until :lease, as in begin. Primary key.
	goNow = `UPDATE pictures SET state = 'going', check_at = :lease WHERE sum IN (SELECT value FROM json_each(:sums)) RETURNING sum`
)

// Erase deletes pictures at once that nothing uses any more: those of a post that was erased, and what other posts of its author have left.
// The author may have deleted the post before, and nothing says then which pictures it had. Those that another post shows stay. It may be
// repeated.
func (s *Store) Erase(ctx context.Context, bucket Dropper, author data.ID, sums []string) error {
	r := s.DB.Read()
	r.Find(leftBy, data.Args{"author": author, "after": UsedAfter.Milliseconds()}, func(row *data.Row) {
		sums = append(sums, row.Text())
	})
	if err := r.Run(ctx); err != nil || len(sums) == 0 {
		return err
	}
	used, err := s.used(ctx, sums)
	if err != nil {
		return err
	}
	var unused, going []string
	for _, sum := range sums {
		if !used[sum] {
			unused = append(unused, sum)
		}
	}
	if len(unused) == 0 {
		return nil
	}
	w := s.DB.Write()
	w.Find(goNow, data.Args{"sums": unused, "lease": s.Source.Now().Add(dropTime)}, func(row *data.Row) { going = append(going, row.Text()) })
	if err := w.Run(ctx); err != nil || len(going) == 0 {
		return err
	}
	if err := s.drop(ctx, bucket, going); err != nil {
		return err // Erase may be called again at once, and the job does it after the lease
	}
	// Without this, a backup made within the next hour would still have the sums of what was erased.
	return s.DB.OnEverywhere(func(where data.Where) error {
		w := s.DB.WriteAt(where)
		w.Do(endLosses, data.Args{"sums": going})
		return w.Run(ctx)
	})
}

// sumsOf reads index picture_uses_subject.
const sumsOf = `SELECT u.sum FROM picture_uses u WHERE u.subject_id = :id AND u.kind IN ('post', 'comment')`

// FindSums reads which pictures a post or comment shows.
func (s *Store) FindSums(r *data.Read, id data.ID) *[]string {
	sums := &[]string{}
	r.FindAt(id, sumsOf, data.Args{"id": id}, func(row *data.Row) { *sums = append(*sums, row.Text()) })
	return sums
}
