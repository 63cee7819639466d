//go:build !linux

package ledger

import "testing"

func onlyLinux(t *testing.T) func(int) string {
	t.Skip("it needs file systems of Linux")
	return nil
}

var smallDisk, imageDisk = onlyLinux, onlyLinux

func nothing(*World) error { return nil }

var fillDisk, clearDisk, flushDisk, cutPower = nothing, nothing, nothing, nothing
