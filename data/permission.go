package data

// Permission is what a statement has found of an actor: whether they may do something, and whether their session stands.
// Read it after Run.
type Permission struct {
	May, Live bool
	Refused   error // of those who may not
}

// Scan reads a row of these two.
func (p *Permission) Scan(r *Row) { p.May, p.Live = r.Bool(), r.Bool() }

// Err is nil for an actor who may, ErrSessionEnded for one whose session does not stand, else Refused.
func (p *Permission) Err() error {
	switch {
	case !p.Live:
		return ErrSessionEnded
	case !p.May:
		return p.Refused
	}
	return nil
}
