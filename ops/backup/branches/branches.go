// Package branches creates short-lived copies of a site's databases at Turso, for a backup. Turso ends transactions after a few seconds, so
// a backup can't read the databases of the site in one transaction each. No program writes to a copy, so its pages can be read one by
// one.
//
// Turso calls such a copy a branch: https://docs.turso.tech/features/branching
package branches

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"net/url"
	"strings"
	"time"

	"plaza/data/pace/deadline"
	"plaza/data/wire/hrana"
	"plaza/ops/setup/services"
)

const (
	// The name of a branch has the second in which its backup began, in UTC, and random letters: plaza-backup-20261126t174500-k3f.
	prefix = "plaza-backup-"
	second = "20060102t150405"

	maxAge    = 24 * time.Hour   // an older branch was left by an earlier backup, and is deleted
	tokenLife = "1d"             // of the tokens of branches
	workTime  = 10 * time.Minute // for a statement, such as one that counts the rows of a large table
)

// Maker makes branches.
type Maker struct {
	Turso *services.Turso
	// Wait is how long a branch may take until it responds. Pause is the time between two tries.
	Wait, Pause time.Duration
}

// Branches are copies of databases.
type Branches struct {
	turso     *services.Turso
	names     []string
	Clients   map[string]*hrana.Client // by the address of the copied database
	Began     time.Time                // before the first branch was created
	Undeleted []string                 // old branches that could not be deleted
}

// Make copies the databases with these addresses, one after the other. So a database that refers to others must be the last. It first
// deletes branches that earlier backups have left. The caller must call Delete on the result, also after an error.
func (m *Maker) Make(ctx context.Context, addresses []string) (*Branches, error) {
	b := &Branches{turso: m.Turso, Clients: map[string]*hrana.Client{}}
	databases, err := m.Turso.Databases(ctx)
	if err != nil {
		return b, err
	}
	b.Began = time.Now().UTC()
	byHost := map[string]services.Database{}
	for _, d := range databases {
		byHost[d.Hostname] = d
		if began, ok := beganAt(d.Name); ok && b.Began.Sub(began) > maxAge {
			// A failure does not end the backup. The branch is missing if another run has deleted it.
			if err := m.Turso.DeleteDatabase(ctx, d.Name); err != nil && !services.IsMissing(err) {
				b.Undeleted = append(b.Undeleted, d.Name)
			}
		}
	}
	for _, address := range addresses {
		if b.Clients[address] != nil {
			continue
		}
		u, err := url.Parse(address)
		if err != nil {
			return b, errors.New("the address of a database can't be read")
		}
		from, ok := byHost[u.Host]
		if !ok {
			return b, fmt.Errorf("the organization %s has no database at %s", m.Turso.Organization, u.Host)
		}
		name := prefix + b.Began.Format(second) + "-" + strings.ToLower(rand.Text()[:3])
		b.names = append(b.names, name)
		if b.Clients[address], err = m.branch(ctx, name, from, u.Scheme); err != nil {
			return b, fmt.Errorf("a copy of %s: %w", from.Name, err)
		}
	}
	return b, nil
}

// branch creates a branch and waits until it responds. Its address has the scheme of the database's address.
func (m *Maker) branch(ctx context.Context, name string, from services.Database, scheme string) (*hrana.Client, error) {
	created, err := m.Turso.CreateBranch(ctx, name, from.Group, from.Name)
	if err != nil {
		return nil, err
	}
	token, err := m.Turso.CreateReadToken(ctx, name, tokenLife)
	if err != nil {
		return nil, err
	}
	client := hrana.New(hrana.Options{URL: scheme + "://" + created.Hostname, Token: token, WorkTime: workTime})
	for until := time.Now().Add(m.Wait); ; {
		tables, err := client.Query(ctx, hrana.Stmt{SQL: "SELECT count(*) FROM sqlite_master WHERE type = 'table'"})
		if err == nil && tables[0].Rows()[0][0] == int64(0) {
			err = errors.New("it has no tables")
		}
		if err == nil {
			return client, nil
		}
		if time.Now().After(until) {
			return nil, fmt.Errorf("it can't be read: %w", err)
		}
		if err := deadline.DefaultSleep(ctx, m.Pause); err != nil {
			return nil, err
		}
	}
}

// Delete deletes all branches, also if the context has ended or one can't be deleted. A branch that does not exist is no error.
func (b *Branches) Delete(ctx context.Context) (err error) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), time.Minute)
	defer cancel()
	for _, name := range b.names {
		if failed := b.turso.DeleteDatabase(ctx, name); failed != nil && !services.IsMissing(failed) {
			err = errors.Join(err, fmt.Errorf("the copy %s is still there: %w", name, failed))
		}
	}
	return err
}

// beganAt returns the time in the name of a branch.
func beganAt(name string) (at time.Time, ok bool) {
	rest, mine := strings.CutPrefix(name, prefix)
	when, _, hasSuffix := strings.Cut(rest, "-")
	at, err := time.Parse(second, when)
	return at, mine && hasSuffix && err == nil
}
