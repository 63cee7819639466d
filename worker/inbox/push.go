package inbox

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"time"

	"plaza/data"
	"plaza/data/events/pushes"
	"plaza/locale"
	"plaza/protocol/webpush"
	"plaza/worker/decision"
	"plaza/worker/links"
	"plaza/worker/queue"
	"plaza/worker/request"
	"plaza/worker/request/session"
)

// The transaction that notifies a member also enqueues a push for each of the member's devices (data/events/pushes). The events consumer
// sends it.

// pushesAtOnce is how many pushes a delivery of the queue sends, concurrently. Each needs one request, or three with a resolver.
// The free plan allows 50 in a delivery.
func (h *Handlers) pushesAtOnce() int {
	if h.Resolver != "" {
		return 5
	}
	return 10
}

// ConsumePushes sends pushes. Those that are too many for one delivery go back into the queue as new messages. It returns
// the pushes whose messages are to be delivered again.
//
// If the instance dies between sending and reporting, a push is sent again. The device then shows it in place of the first.
func (h *Handlers) ConsumePushes(ctx context.Context, ids []data.ID) (again []data.ID, err error) {
	if len(ids) == 0 || h.PushKeys == nil {
		return nil, nil
	}
	if limit := h.pushesAtOnce(); len(ids) > limit {
		if err = h.Queue.Send(ctx, data.QueueEvents, data.Messages(queue.PushWord, ids[limit:]...)...); err != nil {
			again = append(again, ids[limit:]...)
		}
		ids = ids[:limit]
	}
	claimed, failed := h.Pushes.Claim(ctx, ids)
	if failed != nil {
		return append(again, ids...), errors.Join(err, failed)
	}
	outcomes, results := []pushes.Outcome{}, make(chan pushes.Outcome, len(claimed))
	for _, p := range claimed {
		go func() {
			o := pushes.Outcome{Waiting: p}
			defer func() {
				if cause := recover(); cause != nil {
					h.Log.ErrorContext(ctx, "a push is given up", "push", p.ID.Text(), "error", fmt.Sprintf("panic: %v", cause))
				}
				results <- o
			}()
			o = h.sendPush(ctx, p)
		}()
	}
	for range claimed {
		outcomes = append(outcomes, <-results)
	}
	// SendPushes continues with due pushes that were too many for one call of it.
	return again, errors.Join(err, h.Pushes.Report(ctx, outcomes), h.SendPushes(ctx))
}

// sendPush sends a push, if there is still something to notify the member of.
func (h *Handlers) sendPush(ctx context.Context, p *pushes.Waiting) pushes.Outcome {
	o := pushes.Outcome{Waiting: p}
	if p.Last == nil {
		return o
	}
	response, err := h.postPush(ctx, p)
	switch status := response.Status; {
	case err == nil && status >= 200 && status < 300:
		o.Accepted = true
		return o
	case status == http.StatusNotFound || status == http.StatusGone:
		o.Gone = true
		return o
	case err == nil:
		err = fmt.Errorf("status %d", status)
	}
	var failure *links.Failure
	final := errors.As(err, &failure) && failure.Final || response.Status == http.StatusRequestEntityTooLarge
	o.Again = !final && !p.LastTry
	o.After = retryAfter(response.RetryAfter, h.Source.Now())
	h.Log.WarnContext(ctx, "a push was not sent", "push", p.ID.Text(), "again", o.Again, "error", err)
	return o
}

// postPush sends the request of a push (RFC 8030, 5).
func (h *Handlers) postPush(ctx context.Context, p *pushes.Waiting) (links.Response, error) {
	address, err := h.Web.CheckReceiver(p.Endpoint)
	if err != nil {
		return links.Response{}, err
	}
	receiver, err := webpush.ParseReceiver(p.Key, p.Secret)
	if err != nil {
		return links.Response{}, &links.Failure{Reason: err.Error(), Final: true}
	}
	body, err := receiver.Encrypt(notification(p))
	if err != nil {
		return links.Response{}, &links.Failure{Reason: err.Error(), Final: true}
	}
	authorization, err := h.PushKeys.Authorization(address.Origin(), h.SiteURL, h.Source.Now())
	if err != nil {
		return links.Response{}, err
	}
	urgency := "normal"
	if p.Last.Kind == "thread" && p.Last.Event == "" {
		urgency = "low"
	}
	return h.Web.Post(ctx, p.Endpoint, map[string]string{
		"Authorization": authorization, "Content-Encoding": "aes128gcm", "Content-Type": "application/octet-stream",
		"TTL": strconv.Itoa(int(p.TTL / time.Second)), "Urgency": urgency,
		"Topic": p.Last.Post.Text(), // a device that was offline gets only the last one about a thread
	}, body)
}

// notification is what public/push/worker.js shows.
func notification(p *pushes.Waiting) []byte {
	n := struct {
		Title string `json:"title"`
		Body  string `json:"body"`
		URL   string `json:"url"`
		Tag   string `json:"tag"` // a later notification with the same tag replaces it
	}{p.Language.Say(headline(p.Last)), p.Language.Say(decision.Title(p.Last)), p.Last.URL(), p.Last.Post.Text()}
	if p.Unread > 1 {
		n.Title, n.Body, n.URL = p.Language.Say(locale.With("{} new in: {}", p.Unread, decision.Title(p.Last))),
			p.Language.Say(headline(p.Last)), "/inbox/unread"
	}
	if p.Last.Excerpt != "" {
		n.Body += "\n" + p.Language.Say(decision.Excerpt(p.Last))
	}
	text, _ := json.Marshal(n) // texts can always be encoded
	return text
}

// retryAfter reads a header Retry-After: seconds, or a date. It is 0 without one.
func retryAfter(header string, now time.Time) time.Duration {
	if seconds, err := strconv.Atoi(header); err == nil {
		return time.Duration(min(max(seconds, 0), int(pushes.Life/time.Second))) * time.Second
	}
	if at, err := http.ParseTime(header); err == nil {
		return max(at.Sub(now), 0)
	}
	return 0
}

// AddDevice turns on notifications of the member's inbox on a device.
func (h *Handlers) AddDevice(c *request.Call) error {
	if h.PushKeys == nil {
		return h.RefuseNotifications(c, errNoPush)
	}
	if c.Value("endpoint") == "" {
		return h.RefuseNotifications(c, &data.Error{Code: data.Invalid,
			Message: "Notifications on a device need JavaScript, which is off in this browser. Please turn it on and try again."})
	}
	address, err := h.Web.CheckReceiver(c.Value("endpoint"))
	if err == nil {
		_, err = webpush.ParseReceiver(c.Value("key"), c.Value("secret"))
	}
	if err != nil {
		return h.RefuseNotifications(c, &data.Error{Code: data.Invalid, Message: "This site can't use the push service of this browser. Please " +
			"try another browser.", Err: err})
	}
	d := pushes.New{Name: session.DeviceOf(c.R.UserAgent()), Endpoint: address.URL, Key: c.Value("key"), Secret: c.Value("secret")}
	if err := h.Pushes.Add(c.R.Context(), *c.Actor, d); err != nil {
		return h.RefuseNotifications(c, err)
	}
	return c.Done("/settings/notifications?saved=device", map[string]any{"ok": true})
}

// deviceMark identifies a device. The endpoint itself is as good as a password, so pages don't show it.
func deviceMark(endpoint string) string {
	sum := sha256.Sum256([]byte(endpoint))
	return hex.EncodeToString(sum[:8])
}

var errNoPush = &data.Error{Code: data.NotFound, Message: "This site sends no notifications to devices."}

// RemoveDevice turns off notifications on a device.
func (h *Handlers) RemoveDevice(c *request.Call) error {
	id, err := data.ParseID(c.Value("id"))
	if err != nil {
		return h.RefuseNotifications(c, &data.Error{Code: data.Invalid, Message: "There is no such device."})
	}
	if err := h.Pushes.Remove(c.R.Context(), *c.Actor, id); err != nil {
		return h.RefuseNotifications(c, err)
	}
	return c.Done("/settings/notifications?saved=removed", map[string]any{"ok": true})
}

// ChooseShown stores which kinds of entries the member's devices show.
func (h *Handlers) ChooseShown(c *request.Call) error {
	choices := pushes.Choices{Replies: c.Flag("replies"), Mentions: c.Flag("mentions"), Threads: c.Flag("threads")}
	if err := h.Pushes.Choose(c.R.Context(), *c.Actor, choices); err != nil {
		return h.RefuseNotifications(c, err)
	}
	return c.Done("/settings/notifications?saved", map[string]any{"ok": true})
}
