package hrana

// In Wasm the edge passes its transport; naming net/http's client here would link it.
var defaultHTTP Doer
