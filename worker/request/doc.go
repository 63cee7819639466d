// Package request has what the handlers of all subjects share. A handler gets a Call, and responds with the functions of this package.
//
// The idea: a request is checked in one place before its handler runs (Server.handler in middleware.go), by its row of the routes table
// (Route). Sessions and tokens are signed, so this needs no look-up; the statement that writes decides (data.LiveSession).
//
// Begin with Call (call.go), Server.handler, and Show (response.go). form.go and refuse.go read and refuse forms. Packages session and
// limit have what needs no Call: signatures and counts; session.go, token.go and limit.go ask them. docs/inside/requests.md says why.
package request
