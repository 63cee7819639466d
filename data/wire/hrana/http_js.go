package hrana

// In Wasm the edge passes its transport; a reference to net/http's client here would link it.
var defaultHTTP Doer
