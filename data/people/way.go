package people

import "plaza/data"

// AnotherWay is a condition: the actor can sign in by something else than what is about to go, which :passkey and :identity
// name ("" and 0 for none). A passkey that was copied counts for nothing. Primary keys, and the indexes passkeys_user and
// identities_user.
const AnotherWay = `(SELECT u.password_hash <> '' FROM users u WHERE u.id = :actor)
  + (SELECT count(*) FROM passkeys k WHERE k.user_id = :actor AND k.id <> :passkey AND k.copied_at IS NULL)
  + (SELECT count(*) FROM identities i WHERE i.user_id = :actor AND i.id <> :identity) > 0`

// ErrLastWay is returned when somebody is about to give up the only way to sign in.
var ErrLastWay = &data.Error{Code: data.Conflict, Message: "That is the only way in which you can sign in. Please add another one first."}
