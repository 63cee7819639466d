package worker

import "context"

// publishDue publishes scheduled posts whose time has come.
func (a *App) publishDue(ctx context.Context) error {
	_, err := a.posts.PublishDue(ctx)
	return err
}
