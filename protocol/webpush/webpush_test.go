package webpush

import (
	"bytes"
	"crypto/ecdh"
	"encoding/json"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"plaza/stack"
)

// TestVector is the example of RFC 8291, 5, with the keys of its appendix A.
func TestVector(t *testing.T) {
	private, err := decode("yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw")
	require.NoError(t, err)
	sender, err := ecdh.P256().NewPrivateKey(private)
	require.NoError(t, err)
	salt, err := decode("DGv6ra1nlYgDCS1FRnbzlw")
	require.NoError(t, err)
	r, err := ParseReceiver("BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4",
		"BTBZMqHH6r4Tts7J_aSIgg")
	require.NoError(t, err)
	body, err := r.encrypt([]byte("When I grow up, I want to be a watermelon"), sender, salt)
	require.NoError(t, err)
	require.Equal(t, "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_"+
		"yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN", encode(body))
}

// browser is what npm's http_ece and jose decode from messages and tokens: e2e/push_browser.mjs.
func browser(t *testing.T, ask map[string]any) (result map[string]any) {
	t.Helper()
	root, err := stack.Root()
	require.NoError(t, err)
	question, err := json.Marshal(ask)
	require.NoError(t, err)
	cmd := exec.Command(filepath.Join(root, "node_modules", ".bin", "node"), filepath.Join(root, "e2e", "push_browser.mjs"))
	cmd.Stdin = bytes.NewReader(question)
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, "%s", out)
	require.NoError(t, json.Unmarshal(out, &result), "%s", out)
	return result
}

func TestOthersReadIt(t *testing.T) {
	private, err := NewKeys()
	require.NoError(t, err)
	keys, err := ParseKeys(private)
	require.NoError(t, err)
	now := time.Now()
	header, err := keys.Authorization("https://push.example", "https://plaza.example", now)
	require.NoError(t, err)
	device := browser(t, map[string]any{})
	r, err := ParseReceiver(device["p256dh"].(string), device["auth"].(string))
	require.NoError(t, err)

	for _, text := range []string{"", "x", "Grüße, “bob” answered you", strings.Repeat("m", MessageMax)} {
		body, err := r.Encrypt([]byte(text))
		require.NoError(t, err)
		require.LessOrEqual(t, len(body), 4096)
		again, err := r.Encrypt([]byte(text))
		require.NoError(t, err)
		require.NotEqual(t, body, again, "salt and key are new each time")
		said := browser(t, map[string]any{"device": device, "body": body, "authorization": header})
		require.Equal(t, text, said["text"])
		require.Equal(t, keys.Public, said["key"])
		claims := said["claims"].(map[string]any)
		require.Equal(t, "https://push.example", claims["aud"])
		require.Equal(t, "https://plaza.example", claims["sub"])
		require.InDelta(t, now.Add(12*time.Hour).Unix(), claims["exp"], 1)
	}
	_, err = r.Encrypt(make([]byte, MessageMax+1))
	require.ErrorContains(t, err, "too long")
}

func TestWrongKeys(t *testing.T) {
	good, secret := "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4", "BTBZMqHH6r4Tts7J_aSIgg"
	_, err := ParseReceiver(good+"=", secret+"==")
	require.NoError(t, err, "some programs write the padding")
	for name, keys := range map[string][2]string{
		"nothing": {"", ""}, "no base64": {"!", secret}, "a short secret": {good, "BTBZ"}, "a short key": {good[:80], secret},
		"a point that is not on the curve": {good[:len(good)-4] + "AAAA", secret},
	} {
		_, err := ParseReceiver(keys[0], keys[1])
		require.ErrorIs(t, err, ErrReceiver, name)
	}
	for _, private := range []string{"", "!", "AAAA", strings.Repeat("A", 43), strings.Repeat("_", 43)} {
		_, err := ParseKeys(private)
		require.Error(t, err, private)
	}
}
