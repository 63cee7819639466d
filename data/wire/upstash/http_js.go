package upstash

// In Wasm there is no default: only the edge's own client knows the event of a call.
var defaultHTTP Doer
