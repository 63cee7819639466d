package upstash

// In Wasm there is no default: only the edge's own client knows whose event it is in.
var defaultHTTP Doer
