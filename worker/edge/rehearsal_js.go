//go:build js && wasm

package edge

import (
	"context"
	"embed"
	"io"
	"log/slog"
	"net/http"

	"plaza/data/wire/hrana"
	"plaza/worker"
)

// tapes has the tapes of the rehearsal, which build.sh makes before it compiles this.
//
//go:embed all:tapes
var tapes embed.FS

// rehearse makes some pages before the first event, so that the engine has compiled what
// the first request calls (worker.Rehearsal). Nobody gets their answers.
func rehearse() {
	database, name := getenv("LIBSQL_URL"), "tapes/protobuf.tape"
	if hrana.SpeaksJSON(database) {
		name = "tapes/json.tape"
	}
	tape, err := tapes.ReadFile(name)
	if err != nil {
		slog.Error("edge: no rehearsal", "error", err)
		return
	}
	rehearsal, err := worker.NewRehearsal(string(tape), database, func(tape hrana.Doer) hrana.Doer {
		return taped{transport{limit: callLimit, longest: callBytes}, tape}
	})
	if err != nil {
		slog.Error("edge: no rehearsal", "error", err)
		return
	}
	for path, cookie := rehearsal.Next(); path != ""; path, cookie = rehearsal.Next() {
		// A request gets its id from Cf-Ray. Without one the page would need a random id, and there are no random bytes yet.
		lines := "GET\nhttps://plaza.example" + path + "\n\n0\nAccept\ntext/html\nCf-Ray\nrehearsal\nCookie\n" + cookie
		e := &event{}
		handleRequest(rehearsal.App, context.WithValue(context.Background(), eventKey{}, e), e, lines, nil)
	}
}

// taped is a transport for a rehearsal. Its requests go as far as the shim, which answers them with what is on the tape.
type taped struct {
	transport
	tape hrana.Doer
}

func (t taped) Do(r *http.Request) (*http.Response, error) {
	res, err := t.tape.Do(r)
	if err != nil {
		return nil, err
	}
	body, err := io.ReadAll(res.Body)
	if err != nil {
		return nil, err
	}
	bridge.Call("play", toJS(body))
	return t.transport.Do(r)
}
