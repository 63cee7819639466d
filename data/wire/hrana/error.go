package hrana

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"strconv"
	"strings"
)

// Error is any failure of a call.
type Error struct {
	// Step is the index of the failing statement, -1 if there is none.
	Step int
	// Code is the server's name for it, as sent: "SQLITE_CONSTRAINT", "SQLITE_BUSY", "SQL_PARSE_ERROR", "ARGS_INVALID".
	// sqld 0.24 sends primary result codes, others may send extended ones: use IsUnique and IsBusy. Empty when the
	// server gave none.
	Code    string
	Message string
	// Status is the HTTP status when it was not 200 or the response could not be parsed; 0 when there was no response.
	Status int
	// Err is the cause when the request got no response.
	Err error

	foreign bool // a page in HTML, not from a database
}

func (e *Error) Error() string {
	var b strings.Builder
	b.WriteString("hrana: ")
	if e.Step >= 0 {
		b.WriteString("statement " + strconv.Itoa(e.Step) + ": ")
	}
	if e.Status != 0 && e.Status != http.StatusOK {
		b.WriteString("HTTP " + strconv.Itoa(e.Status) + ": ")
	}
	b.WriteString(e.Message)
	if e.Code != "" {
		b.WriteString(" (" + e.Code + ")")
	}
	return b.String()
}

func (e *Error) Unwrap() error { return e.Err }

// retryable reports whether a retry may help. For time-outs the call decides (mayHelp). A proxy in front of a database that restarts may
// return 404, or a page of its own.
func (e *Error) retryable() bool {
	if IsBusy(e) || e.foreign {
		return true
	}
	switch e.Status {
	case http.StatusNotFound, http.StatusTooManyRequests, http.StatusBadGateway, http.StatusServiceUnavailable, http.StatusGatewayTimeout:
		return true
	case 0:
		return e.Err != nil && !errors.Is(e.Err, context.Canceled) && !e.timedOut()
	}
	return false
}

// timedOut reports whether no response came in time.
func (e *Error) timedOut() bool {
	var timeout interface{ Timeout() bool }
	return e.Status == 0 && errors.As(e.Err, &timeout) && timeout.Timeout()
}

// IsUnique reports whether a UNIQUE or PRIMARY KEY constraint refused a row.
func IsUnique(err error) bool {
	var e *Error
	if !errors.As(err, &e) {
		return false
	}
	switch e.Code {
	case "SQLITE_CONSTRAINT_UNIQUE", "SQLITE_CONSTRAINT_PRIMARYKEY", "SQLITE_CONSTRAINT_ROWID":
		return true
	case "SQLITE_CONSTRAINT":
		return strings.HasPrefix(strings.TrimPrefix(e.Message, sqlitePrefix), "UNIQUE constraint failed")
	}
	return false
}

// IsBusy reports whether the database was locked by another client; the statement changed nothing. sqld lets a writer wait 5 seconds,
// then takes the lock from its holder: that transaction is rolled back and gets TRANSACTION_TIMEOUT.
func IsBusy(err error) bool {
	var e *Error
	if !errors.As(err, &e) {
		return false
	}
	switch e.Code {
	case "SQLITE_BUSY", "SQLITE_LOCKED", "TRANSACTION_TIMEOUT", "TRANSACTION_BUSY":
		return true
	}
	return strings.HasPrefix(e.Code, "SQLITE_BUSY_") || strings.HasPrefix(e.Code, "SQLITE_LOCKED_")
}

// lacksTable reports whether a statement found no such table. sqld 0.24 sometimes returns that for an existing table, while another
// connection makes or drops triggers: the move of a community does, and a step of the schema. A new connection finds the table.
func lacksTable(e *Error) bool {
	return strings.HasPrefix(strings.TrimPrefix(e.Message, sqlitePrefix), "no such table: ")
}

// IsRefused reports whether SQLite ran a statement and refused it for its content or the state of the database: a constraint, a trigger's
// RAISE, an overflow, a corrupt row. It would be refused again; other rows may be accepted. It is false when the database was down,
// busy, full or read-only, which affects every statement.
func IsRefused(err error) bool {
	var e *Error
	if !errors.As(err, &e) || e.Step < 0 {
		return false
	}
	// sqld 0.24 returns SQLITE_UNKNOWN for SQLITE_ERROR.
	for _, code := range [...]string{"SQLITE_CONSTRAINT", "SQLITE_MISMATCH", "SQLITE_TOOBIG", "SQLITE_CORRUPT", "SQLITE_ERROR",
		"SQLITE_UNKNOWN"} {
		if e.Code == code || strings.HasPrefix(e.Code, code+"_") {
			return true
		}
	}
	return false
}

// IsFaulty reports whether the server could not understand a statement: its syntax, a table or column that it names, or its arguments.
// Nothing was changed. It would be refused again.
func IsFaulty(err error) bool {
	var e *Error
	return errors.As(err, &e) && (strings.HasPrefix(e.Code, "SQL_") || strings.HasPrefix(e.Code, "ARGS_"))
}

// IsUnavailable reports whether the database could not be reached or had no time: a retry may succeed later.
func IsUnavailable(err error) bool {
	var e *Error
	if !errors.As(err, &e) {
		return false
	}
	return e.retryable() || e.Status >= 500 || (e.Status == 0 && e.Err != nil)
}

// sqlitePrefix is sqld's prefix of SQLite's own message.
const sqlitePrefix = "SQLite error: "

func protocolError(message string) *Error {
	return &Error{Step: -1, Code: "PROTOCOL", Message: message}
}

func transportError(err error) *Error {
	var u *url.Error
	if errors.As(err, &u) {
		return &Error{Step: -1, Message: "no response from the database: " + u.Err.Error(), Err: err}
	}
	return &Error{Step: -1, Message: "no response from the database: " + err.Error(), Err: err}
}

// statusError parses the three forms of a failed request: {"error": "..."}, {"message", "code"} and plain text.
func statusError(status int, body string) *Error {
	e := &Error{Step: -1, Status: status}
	d := newDecoder(body)
	if d.Peek() == '{' {
		for key, ok := d.FirstKey(); ok; key, ok = d.NextKey() {
			isText := d.Peek() == '"'
			switch {
			case isText && (key == "error" || key == "message"):
				e.Message = d.Text()
			case isText && key == "code":
				e.Code = d.Text()
			default:
				d.Skip()
			}
		}
	}
	if e.Message == "" || d.Err != nil {
		const maxLen = 200
		e.Code, e.Message = "", strings.TrimSpace(body)
		if len(e.Message) > maxLen {
			e.Message = strings.ToValidUTF8(e.Message[:maxLen], "") + "…"
		}
	}
	if e.Message == "" {
		e.Message = http.StatusText(status)
	}
	return e
}
