package inbox_test

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httputil"
	"net/url"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"plaza/stack"
	"plaza/stack/child"
	"plaza/test/workertest"
)

// pushHost is where the push service of tests is found.
const pushHost = "push.service.org"

// pushService is e2e/push_service.mjs, in which npm's http_ece and jose read what devices are sent.
type pushService struct {
	*testing.T
	url string
}

type pushMessage struct {
	Device, Key, Topic, Urgency string
	Exp, TTL                    int64
	Said                        struct{ Title, Body, URL, Tag string }
}

func openPushService(s *workertest.Site) *pushService {
	s.Helper()
	root, err := stack.Root()
	require.NoError(s, err)
	log := &lines{}
	process, err := child.Start(exec.Command(filepath.Join(root, "node_modules", ".bin", "node"),
		filepath.Join(root, "e2e", "push_service.mjs")),
		child.Options{Name: "push_service.mjs", Log: log})
	require.NoError(s, err)
	s.Cleanup(func() { _ = process.Close() })
	p := &pushService{T: s.T}
	require.Eventually(s, func() bool { p.url = log.first("http://"); return p.url != "" }, 30*time.Second, 20*time.Millisecond,
		"it does not start")
	target, err := url.Parse(p.url)
	require.NoError(s, err)
	proxy := &httputil.ReverseProxy{Rewrite: func(r *httputil.ProxyRequest) {
		r.SetURL(target)
		r.Out.Host = r.In.Host
	}}
	s.Web.On(pushHost, proxy.ServeHTTP)
	return p
}

// lines keeps what a process writes.
type lines struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (l *lines) Write(b []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(b)
}

// first is the first whole line that begins so.
func (l *lines) first(begin string) string {
	l.mu.Lock()
	defer l.mu.Unlock()
	for line := range strings.Lines(l.text.String()) {
		if strings.HasPrefix(line, begin) && strings.HasSuffix(line, "\n") {
			return strings.TrimSpace(line)
		}
	}
	return ""
}

func (p *pushService) ask(method, path string, body, response any) {
	p.Helper()
	text, err := json.Marshal(body)
	require.NoError(p, err)
	r, err := http.NewRequest(method, p.url+path, bytes.NewReader(text))
	require.NoError(p, err)
	res, err := http.DefaultClient.Do(r)
	require.NoError(p, err)
	defer res.Body.Close()
	said, err := io.ReadAll(res.Body)
	require.NoError(p, err)
	require.Less(p, res.StatusCode, 300, "%s", said)
	if response != nil {
		require.NoError(p, json.Unmarshal(said, response))
	}
}

// device makes a device and returns the fields of the form that adds it, and its path.
func (p *pushService) device() (fields []string, path string) {
	p.Helper()
	var created struct{ Endpoint, P256DH, Auth string }
	p.ask(http.MethodPost, "/devices", nil, &created)
	return []string{"endpoint", "https://" + pushHost + created.Endpoint, "key", created.P256DH, "secret", created.Auth}, created.Endpoint
}

// response has the next messages to a device answered so: pairs of a status and a Retry-After.
func (p *pushService) response(path string, list ...any) {
	p.Helper()
	responses := []any{}
	for i := 0; i < len(list); i += 2 {
		header := map[string]any{}
		if list[i+1] != "" {
			header["retry-after"] = list[i+1]
		}
		responses = append(responses, map[string]any{"status": list[i], "headers": header})
	}
	p.ask(http.MethodPut, path, responses, nil)
}

func (p *pushService) messages() (list []pushMessage) {
	p.Helper()
	p.ask(http.MethodGet, "/messages", nil, &list)
	return list
}
