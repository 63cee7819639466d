package account

import (
	"context"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"net/http"

	"plaza/data"
	"plaza/data/accounts/onetime"
	"plaza/data/accounts/passkeys"
	"plaza/data/accounts/signup"
	"plaza/locale"
	"plaza/protocol/webauthn"
	"plaza/worker/request"
)

// PasskeyChallenge sends the page's script the options for navigator.credentials: a new challenge, and what else the purpose needs.
// Bytes are encoded as base64url.
func (h *Handlers) PasskeyChallenge(c *request.Call) error {
	switch purpose := c.Value("for"); purpose {
	case forSignIn:
		return c.JSON(http.StatusOK, h.signInOptions(h.newChallenge(c, purpose, ""), nil))
	case forSignUp:
		name := c.RawValue("username")
		if err := h.Signup.CheckName(c.R.Context(), name, c.Value("invite")); err != nil {
			return err
		}
		id := h.Source.NewID(0, data.KindOther)
		options := h.newOptions(h.newChallenge(c, purpose, id.Text()), id, name, nil)
		options["account"] = id.Text()
		return c.JSON(http.StatusOK, options)
	case forAdding, forProof:
		switch {
		case c.Actor == nil:
			return request.ErrSignIn
		case purpose == forAdding && !h.Reauthenticated(c): // before the device creates a passkey that the site refuses
			return request.ErrReauth
		}
		r := c.Read()
		list := h.Passkeys.Find(r, c.Actor.UserID)
		if err := c.Run(r); err != nil {
			return err
		}
		challenge := h.newChallenge(c, purpose, c.Actor.SessionID.Text())
		if purpose == forProof {
			return c.JSON(http.StatusOK, h.signInOptions(challenge, *list))
		}
		return c.JSON(http.StatusOK, h.newOptions(challenge, c.Actor.UserID, c.Actor.Name, *list))
	}
	return data.Mistake("for", "for is login, sign-up, add or prove.")
}

// credentialDescriptor names a passkey (PublicKeyCredentialDescriptor).
type credentialDescriptor struct {
	Type string `json:"type"`
	ID   string `json:"id"`
}

func describe(list []passkeys.Passkey) []credentialDescriptor {
	all := []credentialDescriptor{}
	for _, p := range list {
		all = append(all, credentialDescriptor{"public-key", p.ID})
	}
	return all
}

// signInOptions are PublicKeyCredentialRequestOptions. Without a list the browser offers all passkeys that it has for this site.
func (h *Handlers) signInOptions(challenge string, list []passkeys.Passkey) map[string]any {
	return map[string]any{
		"challenge": challenge, "rpId": h.Site.ID, "userVerification": "preferred", "timeout": challengeLife.Milliseconds(),
		"allowCredentials": describe(list),
	}
}

// newOptions are PublicKeyCredentialCreationOptions for a passkey that is not in the list.
func (h *Handlers) newOptions(challenge string, id data.ID, name string, list []passkeys.Passkey) map[string]any {
	return map[string]any{
		"challenge": challenge, "timeout": challengeLife.Milliseconds(), "attestation": "none",
		"rp":                 map[string]any{"id": h.Site.ID, "name": h.SiteName()},
		"user":               map[string]any{"id": base64url(userHandle(id)), "name": name, "displayName": name},
		"pubKeyCredParams":   []any{algorithm(webauthn.EdDSA), algorithm(webauthn.ES256)},
		"excludeCredentials": describe(list),
		"authenticatorSelection": map[string]any{
			"residentKey": "required", "requireResidentKey": true, "userVerification": "preferred",
		},
	}
}

func algorithm(number int) map[string]any { return map[string]any{"type": "public-key", "alg": number} }

// userHandle is the id of an account in its passkeys.
func userHandle(id data.ID) []byte { return binary.BigEndian.AppendUint64(nil, uint64(id)) }

func base64url(b []byte) string { return base64.RawURLEncoding.EncodeToString(b) }

// decodeFields returns fields of a passkey's response. Invalid.
func decodeFields(c *request.Call, fields ...string) (list [][]byte, err error) {
	for _, name := range fields {
		b, err := base64.RawURLEncoding.DecodeString(c.Value(name))
		if err != nil || len(b) == 0 {
			return nil, refused(webauthn.ErrMalformed)
		}
		list = append(list, b)
	}
	return list, nil
}

// refused is the error for a response of a passkey that is not accepted.
func refused(err error) error {
	message := locale.Text("That passkey did not answer as it should. Please try again.")
	if errors.Is(err, webauthn.ErrKey) {
		message = "This site can't use that kind of passkey. Please try another device."
	}
	return &data.Error{Code: data.Invalid, Message: message, Err: err}
}

// sentPasskey checks the new passkey in a form. The form's challenge must be for this purpose, and about the same id.
func (h *Handlers) sentPasskey(c *request.Call, purpose, about string) (onetime.Token, passkeys.New, error) {
	token, err := h.checkChallenge(c, c.Value("challenge"), purpose, about)
	if err != nil {
		return token, passkeys.New{}, err
	}
	list, err := decodeFields(c, "client_data", "attestation")
	if err != nil {
		return token, passkeys.New{}, err
	}
	created, err := h.Site.Register(c.Value("challenge"), list[0], list[1])
	if err != nil {
		return token, passkeys.New{}, refused(err)
	}
	return token, passkeys.New{ID: base64url(created.ID), Key: base64url(created.Key), Name: c.Value("name"), Count: created.Count}, nil
}

// withPasskey adds the passkey of the form to a sign-up. After the sign-up, unused returns Conflict if the passkey's challenge was
// used before.
func (h *Handlers) withPasskey(c *request.Call, f *signup.Form) (unused func() error, err error) {
	id, err := data.ParseID(c.Value("account"))
	if err != nil {
		return nil, errChallenge
	}
	token, created, err := h.sentPasskey(c, forSignUp, id.Text())
	if err != nil {
		return nil, err
	}
	var unusedBefore *bool
	f.ID = id
	f.Method = func(w *data.Write, user data.ID) { unusedBefore = h.Passkeys.AddFirst(w, token, user, created) }
	f.MethodTaken = func(ctx context.Context) error { return h.Passkeys.Taken(ctx, created) }
	return func() error {
		if unusedBefore == nil || !*unusedBefore {
			return passkeys.ErrUsedBefore
		}
		return nil
	}, nil
}

// signature is a checked signature of a passkey.
type signature struct {
	owner    passkeys.Owner
	verified bool // the device has verified its user, by a PIN, a finger or a face
}

// sentSignature checks the passkey's signature in a form, and uses up its challenge, so that the same response is refused from then
// on.
func (h *Handlers) sentSignature(c *request.Call, purpose, about string) (signature, error) {
	var s signature
	token, err := h.checkChallenge(c, c.Value("challenge"), purpose, about)
	if err != nil {
		return s, err
	}
	list, err := decodeFields(c, "client_data", "authenticator_data", "signature", "credential")
	if err != nil {
		return s, err
	}
	id := base64url(list[3])
	if s.owner, err = h.Passkeys.FindOwner(c.R.Context(), id); err != nil {
		return s, err
	}
	key, err := base64.RawURLEncoding.DecodeString(s.owner.Key)
	if err != nil {
		return s, err
	}
	result, err := h.Site.Verify(c.Value("challenge"), key, list[0], list[1], list[2])
	if err != nil {
		return s, refused(err)
	}
	if handle := c.Value("user_handle"); handle != "" && handle != base64url(userHandle(s.owner.ID)) {
		return s, refused(webauthn.ErrCredential)
	}
	s.verified = result.Verified
	var actor data.Actor
	if purpose == forProof {
		actor = *c.Actor
	}
	return s, h.Passkeys.Use(c.R.Context(), actor, token, id, result.Count)
}

// LogInByPasskey logs in the owner of a passkey.
func (h *Handlers) LogInByPasskey(c *request.Call) error {
	s, err := h.sentSignature(c, forSignIn, "")
	if err == nil {
		next := h.signedIn
		if s.verified { // the device, and a PIN or a finger: two factors
			next = h.enter
		}
		err = next(c, h.Sessions.Begin(s.owner.ID, s.owner.Name), "passkey")
	}
	if err != nil {
		return h.RefusePasskey(c, err)
	}
	return nil
}

// AddPasskey gives the member another passkey.
func (h *Handlers) AddPasskey(c *request.Call) error {
	token, created, err := h.sentPasskey(c, forAdding, c.Actor.SessionID.Text())
	if err == nil {
		err = h.Passkeys.Add(c.R.Context(), *c.Actor, token, created)
	}
	if err != nil {
		return h.RefuseSecurity(c, err)
	}
	return securityDone(c, "passkey")
}

func (h *Handlers) RenamePasskey(c *request.Call) error {
	if err := h.Passkeys.Rename(c.R.Context(), *c.Actor, c.Value("id"), c.Value("name")); err != nil {
		return h.RefuseSecurity(c, err)
	}
	return securityDone(c, "named")
}

func (h *Handlers) RemovePasskey(c *request.Call) error {
	if err := h.Passkeys.Remove(c.R.Context(), *c.Actor, c.Value("id")); err != nil {
		return h.RefuseSecurity(c, err)
	}
	return securityDone(c, "removed")
}

// ReauthByPasskey reauthenticates a member by a passkey's signature.
func (h *Handlers) ReauthByPasskey(c *request.Call) error {
	secret, err := h.TwoFactor.FindOwnSecret(c.R.Context(), *c.Actor)
	if err != nil {
		return err
	}
	s, err := h.sentSignature(c, forProof, c.Actor.SessionID.Text())
	if err == nil && s.owner.ID != c.Actor.UserID {
		err = refused(webauthn.ErrCredential)
	}
	if err != nil {
		return h.RefuseReauth(c, err)
	}
	if s.verified { // two factors, as at log-in
		return h.endReauth(c, c.Value("next"))
	}
	return h.firstReauthStep(c, secret, c.Value("next"))
}
