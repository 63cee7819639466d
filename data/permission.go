package data

// Permission is whether an actor may do something and whether their session stands. It is known after Run.
type Permission struct {
	May, Live bool
	Refused   error // what Err returns for an actor who may not
}

// Scan reads the columns May and Live.
func (p *Permission) Scan(r *Row) { p.May, p.Live = r.Bool(), r.Bool() }

// Err returns nil for an actor who may, ErrSessionEnded if the session was ended, and else Refused.
func (p *Permission) Err() error {
	switch {
	case !p.Live:
		return ErrSessionEnded
	case !p.May:
		return p.Refused
	}
	return nil
}
