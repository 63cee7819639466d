package stack

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
)

// By default sqld commits with synchronous=NORMAL and flushes nothing: a power cut loses the commits of the last seconds. It refuses the
// PRAGMA that would change it. A namespace's configuration has durability_mode, and "strong" is synchronous=FULL: the log is flushed
// before a commit is acknowledged.
const strong = "strong"

// setDurable makes every commit of a namespace wait for the disk. sqld stores the setting.
func (s *SQLD) setDurable(ctx context.Context, namespace string) error {
	// Fields that are missing in a configuration are reset, so all of them are sent back.
	config := map[string]any{}
	path := "/v1/namespaces/" + namespace + "/config"
	if err := s.admin(ctx, http.MethodGet, path, nil, &config); err != nil {
		return err
	}
	config["durability_mode"] = strong
	return s.admin(ctx, http.MethodPost, path, config, nil)
}

// CreateNamespace makes an empty database. Its URL is sqld's with the name as the host's first label.
func (s *SQLD) CreateNamespace(ctx context.Context, name string) error {
	return s.admin(ctx, http.MethodPost, "/v1/namespaces/"+name+"/create", map[string]any{"durability_mode": strong}, nil)
}

// DeleteNamespace deletes a database.
func (s *SQLD) DeleteNamespace(ctx context.Context, name string) error {
	return s.admin(ctx, http.MethodDelete, "/v1/namespaces/"+name, nil, nil)
}

// admin calls sqld's admin API, which listens on loopback and requires the key of this start. It decodes the response into a value unless
// that is nil.
func (s *SQLD) admin(ctx context.Context, method, path string, body, response any) error {
	text, err := json.Marshal(body)
	if err != nil {
		return err
	}
	req, err := http.NewRequestWithContext(ctx, method, s.adminURL+path, bytes.NewReader(text))
	if err != nil {
		return err
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Authorization", "basic "+s.adminKey)
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	if text, err = io.ReadAll(resp.Body); err != nil {
		return err
	}
	if resp.StatusCode != http.StatusOK {
		return fmt.Errorf("sqld: %s %s: %s %s", method, path, resp.Status, text)
	}
	if response == nil {
		return nil
	}
	return json.Unmarshal(text, response)
}

// ForkNamespace makes a copy of a database.
func (s *SQLD) ForkNamespace(ctx context.Context, from, name string) error {
	return s.admin(ctx, http.MethodPost, "/v1/namespaces/"+from+"/fork/"+name, nil, nil)
}
