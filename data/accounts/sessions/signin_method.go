package sessions

import "plaza/data"

// AnotherMethod is the condition that the actor can still log in without a RemovedMethod. Its Args fills the parameters. A passkey that
// was copied does not count. Primary keys, and the indexes passkeys_user and identities_user.
const AnotherMethod = `(SELECT (u.password_hash <> '' AND NOT :password) + (u.email_confirmed_at IS NOT NULL) FROM users u
  WHERE u.id = :actor)
  + (SELECT count(*) FROM passkeys k WHERE k.user_id = :actor AND k.id <> :passkey AND k.copied_at IS NULL)
  + (SELECT count(*) FROM identities i WHERE i.user_id = :actor AND i.id <> :identity) > 0`

// RemovedMethod is the sign-in method to remove.
type RemovedMethod struct {
	Password bool
	Passkey  string
	Identity data.ID
}

// Args adds :password, :passkey and :identity, the parameters of AnotherMethod, to args and returns it.
func (g RemovedMethod) Args(args data.Args) data.Args {
	args["password"], args["passkey"], args["identity"] = g.Password, g.Passkey, g.Identity
	return args
}

// ErrLastMethod is returned when a member tries to remove their only sign-in method.
var ErrLastMethod = &data.Error{Code: data.Conflict, Message: "That is the only way in which you can log in. Please add another one first."}
