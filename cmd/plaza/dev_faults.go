package main

import (
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"time"

	"plaza/stack"
)

// startFaults puts a fault proxy between the worker and each of its databases, for plaza dev --faults. At the address CONTROL of both
// proxies, PUT CONTROL/database or CONTROL/redis sets a stack.Fault in JSON, and GET returns a stack.FaultCounts:
//
//	curl -X PUT CONTROL/database -d '{"fault": "lose", "times": 1, "writes": true}'
//
// faults.json in the data directory has the address CONTROL, and the addresses and tokens of the databases themselves.
func (d *dev) startFaults() error {
	control := http.NewServeMux()
	for name, url := range map[string]*string{"database": &d.databaseURL, "redis": &d.redisURL} {
		proxy, err := stack.StartFaultProxy(*url)
		if err != nil {
			return err
		}
		d.onClose(proxy.Close)
		*url = proxy.URL
		control.HandleFunc("PUT /"+name, func(w http.ResponseWriter, r *http.Request) {
			var f stack.Fault
			decoder := json.NewDecoder(http.MaxBytesReader(w, r.Body, 1<<20))
			decoder.DisallowUnknownFields()
			err := decoder.Decode(&f)
			if err == nil {
				err = proxy.Set(f)
			}
			if err != nil {
				http.Error(w, err.Error(), http.StatusBadRequest)
				return
			}
			w.WriteHeader(http.StatusNoContent)
		})
		control.HandleFunc("GET /"+name, func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			_ = json.NewEncoder(w).Encode(proxy.Counts())
		})
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	server := &http.Server{Handler: control, ReadHeaderTimeout: 10 * time.Second}
	d.onClose(server.Close)
	go func() { _ = server.Serve(listener) }()
	controlURL := "http://" + listener.Addr().String()
	d.say("the worker uses its databases through fault proxies, which %s controls", controlURL)
	where, err := json.Marshal(map[string]string{
		"control": controlURL, "database": d.sqld.URL, "databaseToken": d.sqld.Token, "redis": d.upstash.URL, "redisToken": d.token})
	if err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(d.o.data, "faults.json"), where, 0o600); err != nil {
		return fmt.Errorf("faults.json: %w", err)
	}
	return nil
}
