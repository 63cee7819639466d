package totp_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plaza/protocol/totp"
)

// TestCode has the values of RFC 6238, appendix B, shortened to six digits.
func TestCode(t *testing.T) {
	secret := []byte("12345678901234567890")
	for at, want := range map[int64]string{
		59: "287082", 1111111109: "081804", 1111111111: "050471", 1234567890: "005924", 2000000000: "279037", 20000000000: "353130",
	} {
		assert.Equal(t, want, totp.Code(secret, totp.Step(time.Unix(at, 0))))
	}
}

func TestFind(t *testing.T) {
	secret := []byte("12345678901234567890")
	now := time.Unix(1111111111, 0)
	for drift, want := range map[int64]bool{-2: false, -1: true, 0: true, 1: true, 2: false} {
		step, ok := totp.Find(secret, totp.Code(secret, totp.Step(now)+drift), now)
		assert.Equal(t, want, ok, drift)
		if ok {
			assert.Equal(t, totp.Step(now)+drift, step)
			assert.True(t, totp.Ends(step).After(now))
		}
	}
	for _, code := range []string{"", "000000", "50471", " 050471", "0504711"} {
		_, ok := totp.Find(secret, code, now)
		assert.False(t, ok, code)
	}
	step := totp.Step(now)
	_, ok := totp.Find(secret, totp.Code(secret, step), totp.Ends(step).Add(-time.Second))
	assert.True(t, ok)
	_, ok = totp.Find(secret, totp.Code(secret, step), totp.Ends(step))
	assert.False(t, ok)
}

func TestSecretsAsText(t *testing.T) {
	secret := []byte("12345678901234567890")
	assert.Equal(t, "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ", totp.Text(secret))
	got, err := totp.Parse(totp.Text(secret))
	require.NoError(t, err)
	assert.Equal(t, secret, got)
	for _, wrong := range []string{"", "x", strings.ToLower(totp.Text(secret)), totp.Text(secret) + "=", totp.Text(secret[:10])} {
		_, err := totp.Parse(wrong)
		assert.Error(t, err, wrong)
	}
	assert.Equal(t, "otpauth://totp/A%20Plaza:ann?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ&issuer=A+Plaza", totp.URL("A Plaza", "ann", secret))
}

func TestRecoveryCodes(t *testing.T) {
	code := totp.RecoveryText([]byte("\x00\x01\x02\x03\x04\x05\x06\x07\x08\xff"))
	assert.Equal(t, "000g-40r4-0m30-e27z", code)
	hash := totp.RecoveryHash("ann", code)
	for _, typed := range []string{" 000G-40R4-0M30-E27Z ", "000g40r40m30e27z", "ooog 40r4 om30 e27z"} {
		assert.Equal(t, hash, totp.RecoveryHash("ann", typed))
	}
	assert.NotEqual(t, hash, totp.RecoveryHash("ben", code))
}

func TestTyped(t *testing.T) {
	for typed, code := range map[string]string{" 123 456 ": "123456", "123\u00a0456": "123456",
		"\uff11\uff12\uff13\uff14\uff15\uff16": "123456", "12-3456": "12-3456", "": ""} {
		require.Equal(t, code, totp.Typed(typed))
	}
}
