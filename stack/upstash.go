package stack

import (
	"context"
	"crypto/sha256"
	"crypto/subtle"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/redis/go-redis/v9"
)

// maxUpstashBody is the maximum size of a request, as on the service's free plan.
const maxUpstashBody = 1 << 20

// UpstashOptions are the Redis behind the endpoint and its address.
type UpstashOptions struct {
	RedisAddr string // host:port or a redis:// URL
	Token     string // required
	Addr      string // "" is a free port on the loopback
}

// Upstash is a running REST endpoint of a Redis with the API of the Upstash service, for the parts that Plaza and @upstash/redis use. It
// has no monitor and subscribe streams, RESP2 responses, read-only tokens, or sync tokens.
type Upstash struct {
	URL string

	server *http.Server
	client *redis.Client
}

// StartUpstash returns when the endpoint listens and Redis responds. The context limits the start alone.
func StartUpstash(ctx context.Context, o UpstashOptions) (*Upstash, error) {
	if o.Token == "" {
		return nil, errors.New("upstash: a token is required")
	}
	client, err := openRedis(o.RedisAddr)
	if err != nil {
		return nil, err
	}
	if err := client.Ping(ctx).Err(); err != nil {
		client.Close()
		return nil, fmt.Errorf("upstash: redis on %s: %w", client.Options().Addr, err)
	}
	addr := o.Addr
	if addr == "" {
		addr = "127.0.0.1:0"
	}
	listener, err := net.Listen("tcp", addr)
	if err != nil {
		client.Close()
		return nil, fmt.Errorf("upstash: %w", err)
	}
	u := &Upstash{
		URL:    "http://" + listener.Addr().String(),
		client: client,
		server: &http.Server{
			Handler:           &upstashHandler{client: client, token: sha256.Sum256([]byte(o.Token))},
			ReadHeaderTimeout: 10 * time.Second,
		},
	}
	go func() { _ = u.server.Serve(listener) }()
	return u, nil
}

// Close stops listening, lets requests finish for a second and closes the connections to Redis.
func (u *Upstash) Close() error {
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	if u.server.Shutdown(ctx) != nil {
		_ = u.server.Close()
	}
	return u.client.Close()
}

// upstashHandler is no ServeMux, which would clean paths: in these an empty segment is an argument.
type upstashHandler struct {
	client *redis.Client
	token  [sha256.Size]byte
}

func (h *upstashHandler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	// Before anything else, so that no path reveals more without the token.
	if !h.authorized(r) {
		fail(w, http.StatusUnauthorized, "WRONGPASS invalid or missing auth token")
		return
	}
	switch r.Method {
	case http.MethodGet, http.MethodHead, http.MethodPost, http.MethodPut:
	default:
		fail(w, http.StatusMethodNotAllowed, "ERR method not allowed")
		return
	}
	if f := r.Header.Get("Upstash-Response-Format"); f != "" && f != "json" {
		fail(w, http.StatusBadRequest, "ERR response format is not supported here")
		return
	}
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxUpstashBody))
	if err != nil {
		var large *http.MaxBytesError
		if errors.As(err, &large) {
			fail(w, http.StatusRequestEntityTooLarge, fmt.Sprintf("ERR max request size exceeded. Limit: %d bytes", large.Limit))
			return
		}
		fail(w, http.StatusBadRequest, "ERR failed to read the request body")
		return
	}
	enc := resultEncoder{base64: strings.EqualFold(r.Header.Get("Upstash-Encoding"), "base64")}
	switch r.URL.Path {
	case "", "/":
		cmd, err := parseCommand(body)
		h.single(w, r, enc, cmd, err)
	case "/pipeline":
		h.pipeline(w, r, enc, body)
	case "/multi-exec":
		h.multi(w, r, enc, body)
	default:
		cmd, err := pathCommand(r, body)
		h.single(w, r, enc, cmd, err)
	}
}

// authorized compares hashes, whose length does not depend on the token's. If there is a header, only the header counts.
func (h *upstashHandler) authorized(r *http.Request) bool {
	scheme, token, _ := strings.Cut(r.Header.Get("Authorization"), " ")
	if r.Header.Get("Authorization") == "" {
		token = r.URL.Query().Get("_token")
	} else if !strings.EqualFold(scheme, "Bearer") {
		return false
	}
	got := sha256.Sum256([]byte(token))
	return subtle.ConstantTimeCompare(got[:], h.token[:]) == 1
}

func (h *upstashHandler) single(w http.ResponseWriter, r *http.Request, enc resultEncoder, cmd []any, err error) {
	if err == nil {
		err = allowed(cmd)
	}
	if err != nil {
		fail(w, http.StatusBadRequest, err.Error())
		return
	}
	result, err := h.client.Do(r.Context(), cmd...).Result()
	switch {
	case err == nil, errors.Is(err, redis.Nil):
		reply(w, http.StatusOK, append(enc.append([]byte(`{"result":`), result), '}'))
	case isRedisError(err):
		fail(w, http.StatusBadRequest, err.Error())
	default:
		fail(w, http.StatusBadGateway, "ERR redis does not answer")
	}
}

func (h *upstashHandler) pipeline(w http.ResponseWriter, r *http.Request, enc resultEncoder, body []byte) {
	cmds, err := parseCommands(body)
	if err != nil {
		fail(w, http.StatusBadRequest, err.Error())
		return
	}
	pipe := h.client.Pipeline()
	sent := make([]*redis.Cmd, len(cmds))
	refused := make([]error, len(cmds))
	for i, cmd := range cmds {
		if refused[i] = allowed(cmd); refused[i] == nil {
			sent[i] = pipe.Do(r.Context(), cmd...)
		}
	}
	if _, err := pipe.Exec(r.Context()); err != nil && !isRedisError(err) {
		fail(w, http.StatusBadGateway, "ERR redis does not answer")
		return
	}
	out := []byte{'['}
	for i := range cmds {
		if i > 0 {
			out = append(out, ',')
		}
		if refused[i] != nil {
			out = enc.outcome(out, nil, refused[i])
		} else {
			result, err := sent[i].Result()
			out = enc.outcome(out, result, err)
		}
	}
	reply(w, http.StatusOK, append(out, ']'))
}

// multi differs from pipeline in that one refused command discards them all.
func (h *upstashHandler) multi(w http.ResponseWriter, r *http.Request, enc resultEncoder, body []byte) {
	cmds, err := parseCommands(body)
	if err != nil {
		fail(w, http.StatusBadRequest, err.Error())
		return
	}
	pipe := h.client.TxPipeline()
	sent := make([]*redis.Cmd, len(cmds))
	for i, cmd := range cmds {
		if err := allowed(cmd); err != nil {
			fail(w, http.StatusBadRequest, err.Error())
			return
		}
		sent[i] = pipe.Do(r.Context(), cmd...)
	}
	switch _, err := pipe.Exec(r.Context()); {
	case err == nil:
	case strings.HasPrefix(err.Error(), "EXECABORT"):
		fail(w, http.StatusBadRequest, err.Error())
		return
	case !isRedisError(err):
		fail(w, http.StatusBadGateway, "ERR redis does not answer")
		return
	}
	out := []byte{'['}
	for i, cmd := range sent {
		if i > 0 {
			out = append(out, ',')
		}
		result, err := cmd.Result()
		out = enc.outcome(out, result, err)
	}
	reply(w, http.StatusOK, append(out, ']'))
}

// isRedisError distinguishes a response of Redis, nil included, from a failure to get one.
func isRedisError(err error) bool {
	var e redis.Error
	return errors.As(err, &e)
}

// pathCommand parses /set/key/value. The body of a POST or PUT follows as an argument, then ?EX=100 as two and ?NX as one.
func pathCommand(r *http.Request, body []byte) ([]any, error) {
	var cmd []any
	for part := range strings.SplitSeq(strings.TrimPrefix(r.URL.EscapedPath(), "/"), "/") {
		arg, err := url.PathUnescape(part)
		if err != nil {
			return nil, errors.New("ERR failed to parse the path")
		}
		cmd = append(cmd, arg)
	}
	if len(body) > 0 && (r.Method == http.MethodPost || r.Method == http.MethodPut) {
		cmd = append(cmd, string(body))
	}
	for pair := range strings.SplitSeq(r.URL.RawQuery, "&") {
		name, value, _ := strings.Cut(pair, "=")
		if name == "" || name == "_token" {
			continue
		}
		for _, part := range []string{name, value} {
			arg, err := url.QueryUnescape(part)
			if err != nil {
				return nil, errors.New("ERR failed to parse the query")
			}
			if arg != "" {
				cmd = append(cmd, arg)
			}
		}
	}
	return cmd, nil
}

func fail(w http.ResponseWriter, status int, message string) {
	reply(w, status, append(appendText([]byte(`{"error":`), message), '}'))
}

func reply(w http.ResponseWriter, status int, body []byte) {
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	_, _ = w.Write(body)
}
