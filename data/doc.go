// Package data is Plaza's truth and its hot copies: a store per aggregate over libSQL
// (data/hrana) and Redis (data/upstash), and the errors they return. It renders
// nothing, serves nothing and knows no platform; clocks and randomness are passed in.
package data
