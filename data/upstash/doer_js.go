package upstash

import (
	"errors"
	"net/http"
)

type noDoer struct{}

// Do says what is missing: the worker brings its own transport, and the default would bring in what Doer keeps out.
func (noDoer) Do(*http.Request) (*http.Response, error) { return nil, errors.New("Options.HTTP is nil") }

func defaultDoer() Doer { return noDoer{} }
