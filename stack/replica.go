package stack

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
)

// StartReplica starts an sqld that copies a primary, which has SQLDOptions.Replicated. It reads the changes at the address grpc, which is
// the primary's GRPC or a Link to it, and has the primary's token. dir is the primary's data folder.
func StartReplica(ctx context.Context, dir, grpc string, o SQLDOptions) (*SQLD, error) {
	key, err := os.ReadFile(filepath.Join(dir, tokenFile))
	if err != nil {
		return nil, fmt.Errorf("replica: %w", err)
	}
	if err := os.MkdirAll(o.Dir, 0o700); err != nil {
		return nil, err
	}
	if err := os.WriteFile(filepath.Join(o.Dir, tokenFile), key, 0o600); err != nil {
		return nil, err
	}
	o.primary = grpc
	return StartSQLD(ctx, o)
}
