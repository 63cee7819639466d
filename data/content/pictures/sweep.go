package pictures

import (
	"context"
	"slices"
	"time"

	"plaza/data"
)

const (
	// sweepStep is how many pictures one step of the job checks, and sweepSteps limits the steps of a run. The next run continues.
	sweepStep  = 100
	sweepSteps = 20
	// dropTime is the time limit of a run for deleting bytes. After it, the next run may continue.
	dropTime = 15 * time.Minute
	// maxDrop is how many pictures a bucket deletes at once (worker/pictures.MaxList).
	maxDrop = 500
)

const (
	// The trigger picture_uses_ended writes picture_losses: pictures that have lost a use.
	someLosses = `SELECT l.sum FROM picture_losses l WHERE l.sum > '' ORDER BY l.sum LIMIT :step`
	noteLosses = `UPDATE pictures SET check_at = max(coalesce(check_at, 0), :until) WHERE sum IN (SELECT value FROM json_each(:sums))
  AND state <> 'deleting'`
	endLosses = `DELETE FROM picture_losses WHERE sum IN (SELECT value FROM json_each(:sums))`
	// Index pictures_check, from its front.
	toCheck = `SELECT p.sum, p.state FROM pictures p WHERE p.check_at IS NOT NULL AND p.check_at <= :now ORDER BY p.check_at LIMIT :step`
	// Primary key.
	usedHere = `SELECT j.value FROM json_each(:sums) j WHERE EXISTS (SELECT 1 FROM picture_uses u WHERE u.sum = j.value)`
	areUsed  = `UPDATE pictures SET check_at = NULL WHERE sum IN (SELECT value FROM json_each(:sums)) AND check_at <= :now
  AND state <> 'deleting'`
	// Pictures that were claimed meanwhile stay. Another run skips the others until :lease, because they may be uploaded again once their
	// rows are deleted, and a late deletion would delete the new bytes.
	begin = `UPDATE pictures SET state = 'deleting', check_at = :lease WHERE sum IN (SELECT value FROM json_each(:sums))
  AND check_at <= :now RETURNING sum`
	// The trigger pictures_gone subtracts them from the counts.
	end = `DELETE FROM pictures WHERE sum IN (SELECT value FROM json_each(:sums)) AND state = 'deleting'`
)

// Dropper deletes the bytes of pictures, at most maxDrop at once.
type Dropper interface {
	Drop(ctx context.Context, sums ...string) error
}

// Sweep deletes pictures that have been unused for a day. It may run any number of times, at the same time too. If a database can't be
// read for uses, it deletes nothing.
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

// noteLosses makes pictures due for a check in the directory if they lost a use in a database, and returns their number.
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

// sweepStep checks the pictures that have been due the longest, and returns their number.
func (s *Store) sweepStep(ctx context.Context, bucket Dropper) (int, error) {
	now := s.Source.Now()
	var sums, deleting []string
	r := s.DB.Read()
	r.Find(toCheck, data.Args{"now": now, "step": sweepStep}, func(row *data.Row) {
		if sum, state := row.Text(), row.Text(); state == "deleting" { // the last run was stopped before it was done
			deleting = append(deleting, sum)
		} else {
			sums = append(sums, sum)
		}
	})
	if err := r.Run(ctx); err != nil || len(sums)+len(deleting) == 0 {
		return 0, err
	}
	found := len(sums) + len(deleting)
	used, err := s.used(ctx, sums)
	if err != nil {
		return 0, err
	}
	var unused, inUse []string
	for _, sum := range sums {
		if used[sum] {
			inUse = append(inUse, sum)
		} else {
			unused = append(unused, sum)
		}
	}
	w := s.DB.Write()
	w.Do(areUsed, data.Args{"sums": inUse, "now": now})
	due := append(unused, deleting...)
	deleting = nil
	w.Find(begin, data.Args{"sums": due, "now": now, "lease": now.Add(dropTime)},
		func(row *data.Row) { deleting = append(deleting, row.Text()) })
	if err := w.Run(ctx); err != nil || len(deleting) == 0 {
		return found, err
	}
	return found, s.drop(ctx, bucket, deleting)
}

// used returns which pictures are in use, in any database.
func (s *Store) used(ctx context.Context, sums []string) (map[string]bool, error) {
	used := map[string]bool{}
	r := s.DB.Read()
	r.FindEverywhere(usedHere, data.Args{"sums": sums}, func(row *data.Row) { used[row.Text()] = true })
	return used, r.Run(ctx)
}

// drop deletes the bytes of pictures whose deletion has begun, and then their rows.
func (s *Store) drop(ctx context.Context, bucket Dropper, sums []string) error {
	for chunk := range slices.Chunk(sums, maxDrop) {
		if err := bucket.Drop(ctx, chunk...); err != nil {
			return err
		}
		w := s.DB.Write()
		w.Do(end, data.Args{"sums": chunk})
		if err := w.Run(ctx); err != nil {
			return err
		}
	}
	return nil
}

const (
	// Pictures that a member's posts may have left unused, the newest first: pictures that were claimed once, and pictures that an earlier
	// attempt did not delete. A picture that was only uploaded belongs to an open form, and one that a block has removed may be restored.
	// Index pictures_user.
	remainingOf = `SELECT p.sum FROM pictures p WHERE p.user_id = :author AND p.user_id IS NOT NULL
  AND (p.state = 'deleting' OR p.state = 'stored' AND p.taken IS NULL AND (p.check_at IS NULL OR p.check_at > p.created_at + :after))
ORDER BY p.created_at DESC LIMIT 1000`
	// The job skips them until :lease, as in begin. Primary key.
	startDeleting = `UPDATE pictures SET state = 'deleting', check_at = :lease WHERE sum IN (SELECT value FROM json_each(:sums)) RETURNING sum`
)

// Erase deletes at once the unused pictures of an erased post, and others that its author left unused: the author may have deleted the post
// before, and then its pictures are not known. Pictures that another post shows stay. It may be repeated.
func (s *Store) Erase(ctx context.Context, bucket Dropper, author data.ID, sums []string) error {
	r := s.DB.Read()
	r.Find(remainingOf, data.Args{"author": author, "after": UsedAfter.Milliseconds()}, func(row *data.Row) {
		sums = append(sums, row.Text())
	})
	if err := r.Run(ctx); err != nil || len(sums) == 0 {
		return err
	}
	used, err := s.used(ctx, sums)
	if err != nil {
		return err
	}
	var unused, deleting []string
	for _, sum := range sums {
		if !used[sum] {
			unused = append(unused, sum)
		}
	}
	if len(unused) == 0 {
		return nil
	}
	w := s.DB.Write()
	w.Find(startDeleting, data.Args{"sums": unused, "lease": s.Source.Now().Add(dropTime)},
		func(row *data.Row) { deleting = append(deleting, row.Text()) })
	if err := w.Run(ctx); err != nil || len(deleting) == 0 {
		return err
	}
	if err := s.drop(ctx, bucket, deleting); err != nil {
		return err // Erase may be repeated at once, and the job repeats it after the lease
	}
	// Otherwise a backup within the next hour would still have the sums of the erased pictures.
	return s.DB.OnEverywhere(func(where data.Where) error {
		w := s.DB.WriteAt(where)
		w.Do(endLosses, data.Args{"sums": deleting})
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
