// Package webpush makes requests to push services: messages that only the browser can read (RFC 8291), and tokens that identify the site
// (RFC 8292). It sends nothing: package worker does.
//
// webpush-go does the same, but has its own client of net/http, which the worker's module must not link.
package webpush

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/ecdh"
	"crypto/hkdf"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"errors"
)

const (
	saltLen   = 16
	secretLen = 16
	pointLen  = 65 // of an uncompressed point of P-256
	recordLen = 4096
	headerLen = saltLen + 4 + 1 + pointLen
	tagLen    = 16
	// MessageMax is the length of the longest message, in bytes. Push services accept bodies of 4,096 bytes (RFC 8291, 4).
	MessageMax = 4096 - headerLen - tagLen - 1
)

// ErrReceiver is returned for keys that no browser has made.
var ErrReceiver = errors.New("not the keys of a subscription")

// A Receiver has the keys of the browser that reads messages.
type Receiver struct {
	key    *ecdh.PublicKey
	secret []byte
}

// ParseReceiver parses the keys of a subscription, p256dh and auth, in base64url with or without padding. ErrReceiver.
func ParseReceiver(key, secret string) (Receiver, error) {
	point, err := decode(key)
	if err != nil {
		return Receiver{}, ErrReceiver
	}
	public, err := ecdh.P256().NewPublicKey(point)
	if err != nil {
		return Receiver{}, ErrReceiver
	}
	auth, err := decode(secret)
	if err != nil || len(auth) != secretLen {
		return Receiver{}, ErrReceiver
	}
	return Receiver{public, auth}, nil
}

// Encrypt returns the body of the request for a message, whose Content-Encoding is aes128gcm. The message has at most MessageMax bytes.
func (r Receiver) Encrypt(message []byte) ([]byte, error) {
	sender, err := ecdh.P256().GenerateKey(rand.Reader)
	if err != nil {
		return nil, err
	}
	salt := make([]byte, saltLen)
	_, _ = rand.Read(salt) // never fails, by its documentation
	return r.encrypt(message, sender, salt)
}

// encrypt follows RFC 8291, 3.4. The body is one record by RFC 8188, 2.
func (r Receiver) encrypt(message []byte, sender *ecdh.PrivateKey, salt []byte) ([]byte, error) {
	if len(message) > MessageMax {
		return nil, errors.New("the message is too long")
	}
	shared, err := sender.ECDH(r.key)
	if err != nil {
		return nil, err
	}
	point := sender.PublicKey().Bytes()
	info := "WebPush: info\x00" + string(r.key.Bytes()) + string(point)
	ikm, err := hkdf.Key(sha256.New, shared, r.secret, info, 32)
	if err != nil {
		return nil, err
	}
	key, err := hkdf.Key(sha256.New, ikm, salt, "Content-Encoding: aes128gcm\x00", 16)
	if err != nil {
		return nil, err
	}
	nonce, err := hkdf.Key(sha256.New, ikm, salt, "Content-Encoding: nonce\x00", 12)
	if err != nil {
		return nil, err
	}
	block, err := aes.NewCipher(key)
	if err != nil {
		return nil, err
	}
	seal, err := cipher.NewGCM(block)
	if err != nil {
		return nil, err
	}
	body := make([]byte, 0, headerLen+len(message)+1+tagLen)
	body = append(body, salt...)
	body = binary.BigEndian.AppendUint32(body, recordLen)
	body = append(body, pointLen)
	body = append(body, point...)
	last := append(append(make([]byte, 0, len(message)+1), message...), 2) // 2 ends the last record
	return seal.Seal(body, nonce, last, nil), nil
}

// decode decodes base64url, with or without padding.
func decode(text string) ([]byte, error) {
	for len(text) > 0 && text[len(text)-1] == '=' {
		text = text[:len(text)-1]
	}
	return base64.RawURLEncoding.DecodeString(text)
}

func encode(b []byte) string { return base64.RawURLEncoding.EncodeToString(b) }
