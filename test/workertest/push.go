package workertest

import (
	"sync"

	"plaza/protocol/webpush"
)

// DeviceFields are the fields of a form that adds a device, with the keys of RFC 8291, appendix A. There is no such device.
var DeviceFields = []string{"endpoint", "https://push.service.org/nobody", "secret", "BTBZMqHH6r4Tts7J_aSIgg",
	"key", "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4"}

// PushKeys are the keys of all sites of the tests.
var PushKeys = sync.OnceValue(func() *webpush.Keys {
	private, err := webpush.NewKeys()
	if err != nil {
		panic(err)
	}
	keys, err := webpush.ParseKeys(private)
	if err != nil {
		panic(err)
	}
	return keys
})
