package webauthn_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plaza/protocol/webauthn"
	"plaza/test/webauthntest"
)

const challenge = "a-challenge"

var (
	site       = webauthn.Site{ID: "plaza.example", Origin: "https://plaza.example"}
	algorithms = map[string]int{"ES256": webauthn.ES256, "EdDSA": webauthn.EdDSA}
)

func TestSiteOf(t *testing.T) {
	for address, want := range map[string]webauthn.Site{
		"https://plaza.example":      site,
		"https://plaza.example:8443": {ID: "plaza.example", Origin: "https://plaza.example:8443"},
		"http://localhost:8787":      {ID: "localhost", Origin: "http://localhost:8787"},
	} {
		got, err := webauthn.SiteOf(address)
		require.NoError(t, err)
		assert.Equal(t, want, got)
	}
	_, err := webauthn.SiteOf("plaza")
	assert.Error(t, err)
}

func TestAPasskeyIsRegisteredAndSigns(t *testing.T) {
	for name, algorithm := range algorithms {
		t.Run(name, func(t *testing.T) {
			p := webauthntest.New(site, algorithm)
			p.Count = 7
			p.Extension = []byte{0xa1, 0x6b, 'c', 'r', 'e', 'd', 'P', 'r', 'o', 't', 'e', 'c', 't', 2}
			created, err := site.Register(challenge, first(p.Create(challenge)), second(p.Create(challenge)))
			require.NoError(t, err)
			assert.Equal(t, webauthn.Credential{ID: p.ID, Key: p.Key, Count: 7, Verified: true}, created)

			p.Count, p.Flags = 8, webauthntest.Present
			clientData, data, signature := p.Get(challenge)
			said, err := site.Verify(challenge, created.Key, clientData, data, signature)
			require.NoError(t, err)
			assert.Equal(t, webauthn.Assertion{Count: 8}, said)
		})
	}
}

func first(a, _ []byte) []byte  { return a }
func second(_, b []byte) []byte { return b }

// refusals are the cases of both registering and logging in.
var refusals = map[string]struct {
	change func(*webauthntest.Passkey)
	want   error
}{
	"of another origin":          {func(p *webauthntest.Passkey) { p.Site.Origin = "https://plaza.example.evil.example" }, webauthn.ErrOrigin},
	"of another port":            {func(p *webauthntest.Passkey) { p.Site.Origin = "https://plaza.example:444" }, webauthn.ErrOrigin},
	"of another scheme":          {func(p *webauthntest.Passkey) { p.Site.Origin = "http://plaza.example" }, webauthn.ErrOrigin},
	"of a frame elsewhere":       {func(p *webauthntest.Passkey) { p.Crossed = true }, webauthn.ErrOrigin},
	"of another site":            {func(p *webauthntest.Passkey) { p.Site.ID = "example" }, webauthn.ErrSite},
	"where nobody was there":     {func(p *webauthntest.Passkey) { p.Flags = webauthntest.Verified }, webauthn.ErrPresence},
	"of another kind":            {func(p *webauthntest.Passkey) { p.Type = "payment.get" }, webauthn.ErrType},
	"backed up, though it can't": {func(p *webauthntest.Passkey) { p.Flags |= 1 << 4 }, webauthn.ErrMalformed},
	"with bytes behind it":       {func(p *webauthntest.Passkey) { p.Extension = []byte{0xa0, 0} }, webauthn.ErrMalformed},
	"with no map of extensions":  {func(p *webauthntest.Passkey) { p.Extension = []byte{1} }, webauthn.ErrMalformed},
}

func TestRefusals(t *testing.T) {
	for name, algorithm := range algorithms {
		for about, test := range refusals {
			t.Run(name+" "+about, func(t *testing.T) {
				p := webauthntest.New(site, algorithm)
				key := p.Key
				test.change(p)
				_, err := site.Register(challenge, first(p.Create(challenge)), second(p.Create(challenge)))
				assert.ErrorIs(t, err, test.want)
				clientData, data, signature := p.Get(challenge)
				_, err = site.Verify(challenge, key, clientData, data, signature)
				assert.ErrorIs(t, err, test.want)
			})
		}
	}
}

func TestSignaturesThatAreRefused(t *testing.T) {
	for name, algorithm := range algorithms {
		t.Run(name, func(t *testing.T) {
			p, other := webauthntest.New(site, algorithm), webauthntest.New(site, algorithm)
			clientData, data, signature := p.Get(challenge)
			verify := func(challenge string, key, clientData, data, signature []byte) error {
				_, err := site.Verify(challenge, key, clientData, data, signature)
				return err
			}
			require.NoError(t, verify(challenge, p.Key, clientData, data, signature))
			assert.ErrorIs(t, verify("another", p.Key, clientData, data, signature), webauthn.ErrChallenge)
			assert.ErrorIs(t, verify("", p.Key, clientData, data, signature), webauthn.ErrChallenge)
			assert.ErrorIs(t, verify(challenge, other.Key, clientData, data, signature), webauthn.ErrSignature)
			assert.ErrorIs(t, verify(challenge, p.Key, append([]byte(" "), clientData...), data, signature), webauthn.ErrSignature)
			assert.ErrorIs(t, verify(challenge, p.Key, clientData, data, signature[1:]), webauthn.ErrSignature)
			assert.ErrorIs(t, verify(challenge, p.Key, clientData, data, nil), webauthn.ErrSignature)
			verified := append([]byte(nil), data...)
			verified[32] ^= webauthntest.Verified
			assert.ErrorIs(t, verify(challenge, p.Key, clientData, verified, signature), webauthn.ErrSignature)
			counted := append([]byte(nil), data...)
			counted[36]++
			assert.ErrorIs(t, verify(challenge, p.Key, clientData, counted, signature), webauthn.ErrSignature)
			created, _ := p.Create(challenge)
			assert.ErrorIs(t, verify(challenge, p.Key, created, data, signature), webauthn.ErrType)
		})
	}
}

func TestKeysThatAreRefused(t *testing.T) {
	p := webauthntest.New(site, webauthn.ES256)
	good := p.Key
	for about, change := range map[string]func([]byte) []byte{
		"of another algorithm":     func(k []byte) []byte { k[4] = 0x38; return append(append(k[:5:5], 0xff), k[5:]...) },
		"of another curve":         func(k []byte) []byte { k[6] = 2; return k },
		"whose point is not on it": func(k []byte) []byte { k[12] ^= 1; return k },
		"of the kind of Ed25519":   func(k []byte) []byte { k[2] = 1; return k },
		"whose y is that of EdDSA": func(k []byte) []byte { k[4] = 0x27; return k },
	} {
		t.Run(about, func(t *testing.T) {
			p.Key = change(append([]byte(nil), good...))
			clientData, attestation := p.Create(challenge)
			_, err := site.Register(challenge, clientData, attestation)
			assert.ErrorIs(t, err, webauthn.ErrKey)
		})
	}
	p.Key, p.ID = good, make([]byte, 1024)
	clientData, attestation := p.Create(challenge)
	_, err := site.Register(challenge, clientData, attestation)
	assert.ErrorIs(t, err, webauthn.ErrCredential)
}

func TestWhatIsNoResponseAtAll(t *testing.T) {
	p := webauthntest.New(site, webauthn.EdDSA)
	clientData, attestation := p.Create(challenge)
	for _, wrong := range [][]byte{nil, {0}, {0xa0}, attestation[:len(attestation)-1], append(attestation[:len(attestation):len(attestation)],
		0)} {
		_, err := site.Register(challenge, clientData, wrong)
		assert.ErrorIs(t, err, webauthn.ErrMalformed)
	}
	for _, wrong := range [][]byte{nil, []byte("x"), []byte("[]")} {
		_, err := site.Register(challenge, wrong, attestation)
		assert.ErrorIs(t, err, webauthn.ErrMalformed)
	}
}

// TestClientDataThatCanBeReadInTwoWays: names are matched exactly, and a duplicate is refused.
func TestClientDataThatCanBeReadInTwoWays(t *testing.T) {
	p := webauthntest.New(site, webauthn.EdDSA)
	_, attestation := p.Create(challenge)
	const right = `"type":"webauthn.create","challenge":"a-challenge","origin":"https://plaza.example","crossOrigin":false`
	for about, test := range map[string]struct {
		clientData string
		want       error
	}{
		"as it should be":           {`{` + right + `}`, nil},
		"with what is not known":    {`{` + right + `,"other_keys_can_be_added_here":"x"}`, nil},
		"with Origin beside origin": {`{` + right + `,"Origin":"https://evil.example"}`, nil},
		"with Origin for origin": {strings.Replace(`{`+right+`}`, `"origin":"https://plaza.example"`,
			`"origin":"https://evil.example","Origin":"https://plaza.example"`, 1), webauthn.ErrOrigin},
		"with ORIGIN alone": {strings.Replace(`{`+right+`}`, `"origin"`, `"ORIGIN"`, 1), webauthn.ErrOrigin},
		"with Type for type": {strings.Replace(`{`+right+`}`, `"type":"webauthn.create"`,
			`"type":"webauthn.get","Type":"webauthn.create"`, 1), webauthn.ErrType},
		"with Challenge for challenge": {strings.Replace(`{`+right+`}`, `"challenge":"a-challenge"`, `"challenge":"b","Challenge":"a-challenge"`,
			1), webauthn.ErrChallenge},
		"with crossorigin behind":      {strings.Replace(`{`+right+`}`, `false`, `true,"crossorigin":false`, 1), webauthn.ErrOrigin},
		"with two origins":             {`{"origin":"https://evil.example",` + right + `}`, webauthn.ErrMalformed},
		"with two origins, one hidden": {`{"or\u0069gin":"https://evil.example",` + right + `}`, webauthn.ErrMalformed},
		"with two types":               {`{` + right + `,"type":"webauthn.create"}`, webauthn.ErrMalformed},
		"with something behind":        {`{` + right + `} {}`, webauthn.ErrMalformed},
		"with broken text":             {"{" + right + ",\"x\":\"\xff\"}", webauthn.ErrMalformed},
	} {
		t.Run(about, func(t *testing.T) {
			_, err := site.Register(challenge, []byte(test.clientData), attestation)
			assert.ErrorIs(t, err, test.want)
		})
	}
}

func FuzzRegister(f *testing.F) {
	for _, algorithm := range algorithms {
		_, attestation := webauthntest.New(site, algorithm).Create(challenge)
		f.Add(attestation)
	}
	clientData, _ := webauthntest.New(site, webauthn.ES256).Create(challenge)
	f.Fuzz(func(t *testing.T, attestation []byte) {
		created, err := site.Register(challenge, clientData, attestation)
		if err == nil && (len(created.ID) == 0 || len(created.Key) == 0) {
			t.Fatal("registered without an id or a key")
		}
	})
}
