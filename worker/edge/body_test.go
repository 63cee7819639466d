package edge

import (
	"context"
	"io"
	"net/http"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"

	"plaza/data/wire/hrana"
)

// one answers each request with the same text.
type one string

func (text one) Do(*http.Request) (*http.Response, error) {
	return &http.Response{StatusCode: http.StatusOK, Header: http.Header{}, Body: newReplyBody(string(text))}, nil
}

func TestReplyBody(t *testing.T) {
	const title = "A title"
	response := `{"baton":null,"base_url":null,"results":[{"type":"ok","response":{"type":"batch","result":{"step_results":[{"cols":[{"name":"t"}],` +
		`"rows":[[{"type":"text","value":"` + title + `"}]],"affected_row_count":0,"last_insert_rowid":null}],"step_errors":[null]}}},` +
		`{"type":"ok","response":{"type":"close"}}]}`
	client := hrana.New(hrana.Options{URL: "libsql://some.turso.io", HTTP: one(response)})
	found, err := client.Query(context.Background(), hrana.Stmt{SQL: "SELECT 1"})
	require.NoError(t, err)
	text := found[0].Rows()[0][0].(string)
	require.Equal(t, title, text)
	at := uintptr(unsafe.Pointer(unsafe.StringData(text)))
	begin := uintptr(unsafe.Pointer(unsafe.StringData(response)))
	require.True(t, at > begin && at < begin+uintptr(len(response)), "a text is a part of the answer, which is not copied")

	body := newReplyBody("words")
	read, err := io.ReadAll(body)
	require.NoError(t, err)
	require.Equal(t, "words", string(read))
	require.NoError(t, body.Close())
}
