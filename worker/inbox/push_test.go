package inbox_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httputil"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"plaza/data"
	"plaza/test/workertest"
	"plaza/worker/queue"
)

func TestPush(t *testing.T) {
	s := workertest.MustOpen(t)
	service := openPushService(s)
	ann, bob, cat := s.Member("ann"), s.Member("bob"), s.Member("cat")
	ann.MustPost("/communities", "name", "gophers")
	post := workertest.Targets(ann.Page(ann.MustPost("/submit", "community", "gophers", "title", "A post", "text", "text")))[0]
	other := workertest.Targets(ann.Page(ann.MustPost("/submit", "community", "gophers", "title", "Another", "text", "text")))[0]
	cats := "" // a post of cat's
	read := func() { ann.MustPost("/inbox/read", "newest", "1000000") }
	say := func(to string, who *workertest.Browser, body string) {
		t.Helper()
		who.MustPost("/comment", "post", to, "body", body)
		s.DeliverAll()
	}
	asked := func() (n int) {
		for _, address := range s.Web.Addresses() {
			if strings.HasPrefix(address, "https://"+pushHost) {
				n++
			}
		}
		return n
	}
	ann.Header.Set("User-Agent", "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0")
	fields, path := service.device()

	t.Run("a member has a device told, which the page lists", func(t *testing.T) {
		require.Contains(t, ann.Page("/settings/notifications"), `data-push="`+workertest.PushKeys().Public+`"`)
		require.Equal(t, "/settings/notifications?saved=device", ann.MustPost("/settings/devices", fields...))
		require.Equal(t, "/settings/notifications?saved=device", ann.MustPost("/settings/devices", fields...), "twice is as good")
		page := ann.Page("/settings/notifications?saved=device")
		require.Equal(t, 1, strings.Count(page, "Firefox on Linux</div>"))
		require.Contains(t, page, "nothing shown yet")
	})
	t.Run("an answer is shown once, and only the device can read it", func(t *testing.T) {
		say(post, bob, "First *words*")
		got := service.messages()
		require.Len(t, got, 1)
		m := got[0]
		require.Equal(t, "bob replied to you", m.Said.Title)
		require.Equal(t, "A post\nFirst words", m.Said.Body)
		require.Regexp(t, `^/c/gophers/p/a-post/[0-9a-z]{13}$`, m.Said.URL)
		require.Equal(t, workertest.PushKeys().Public, m.Key)
		require.Equal(t, []string{post, post, "normal"}, []string{m.Topic, m.Said.Tag, m.Urgency})
		require.InDelta(t, 24*60*60, m.TTL, 60)
		require.InDelta(t, s.Now.Add(12*time.Hour).Unix(), m.Exp, 60)
		require.Contains(t, ann.Page("/settings/notifications"), "last shown something")
		ann.Page(m.Said.URL)
		require.Equal(t, int64(0), s.One("SELECT unread FROM users WHERE username_key = 'ann'"), "the page that a click opens is read")
		require.Equal(t, int64(0), s.One("SELECT count(*) FROM pushes"))
	})
	t.Run("messages of the queue that come twice, late or in another order send nothing twice", func(t *testing.T) {
		bob.MustPost("/comment", "post", post, "body", "Second")
		bob.MustPost("/comment", "post", other, "body", "Third")
		before := asked()
		var all []queue.Message
		for s.Queue.Waits() {
			for _, queue := range []string{data.QueueVotes, data.QueueEvents} {
				messages := s.Queue.Take(queue)
				slices.Reverse(messages)
				for range 2 {
					_, err := s.App.Consume(t.Context(), queue, messages)
					require.NoError(t, err)
				}
				if queue == data.QueueEvents {
					all = append(all, messages...)
				}
			}
		}
		slices.Reverse(all)
		_, err := s.App.Consume(t.Context(), data.QueueEvents, all)
		require.NoError(t, err)
		s.Pass(2 * time.Minute)
		require.Equal(t, 2, asked()-before)
		require.Len(t, service.messages(), 3)
		read()
	})
	t.Run("what is read before it is sent, or lies in a muted thread, is not sent", func(t *testing.T) {
		before := asked()
		bob.MustPost("/comment", "post", post, "body", "Fourth")
		s.Deliver() // tells, and asks for the push
		read()
		s.DeliverAll()
		bob.MustPost("/comment", "post", post, "body", "Fifth")
		s.Deliver()
		ann.MustPost("/watch", "target", post, "watch", "mute")
		s.DeliverAll()
		say(post, bob, "Sixth")
		ann.MustPost("/watch", "target", post, "watch", "none")
		s.Pass(time.Hour)
		require.Equal(t, before, asked())
		read()
	})
	t.Run("several in a thread are one message, and only the kinds that were chosen", func(t *testing.T) {
		before := len(service.messages())
		bob.MustPost("/comment", "post", post, "body", "Seventh")
		cat.MustPost("/comment", "post", post, "body", "Eighth")
		s.DeliverAll()
		got := service.messages()[before:]
		require.Len(t, got, 1)
		require.Equal(t, "2 new in: A post", got[0].Said.Title)
		require.Equal(t, "cat replied to you\nEighth", got[0].Said.Body)
		require.Equal(t, "/inbox/unread", got[0].Said.URL)
		ann.MustPost("/settings/devices/choices", "mentions", "1")
		say(post, bob, "Ninth")
		require.Len(t, service.messages(), before+1)
		say(workertest.Targets(bob.Page(bob.MustPost("/submit", "community", "gophers", "title", "Elsewhere", "text", "text")))[0], cat,
			"I mean @ann")
		got = service.messages()[before+1:]
		require.Len(t, got, 1)
		require.Equal(t, "cat mentioned you", got[0].Said.Title)
		ann.MustPost("/settings/devices/choices", "replies", "1", "mentions", "1", "threads", "1")
		read()
	})
	t.Run("what fails is tried again, not before the service wishes, and ends", func(t *testing.T) {
		before, tried := len(service.messages()), asked()
		service.response(path, 500, "", 429, "1800", 503, s.Now.Add(3*time.Hour).UTC().Format(http.TimeFormat))
		say(post, bob, "Tenth")
		require.Equal(t, tried+1, asked())
		s.Pass(30 * time.Second)
		require.Equal(t, tried+1, asked(), "the first wait is a minute")
		s.Pass(time.Minute)
		require.Equal(t, tried+2, asked())
		s.Pass(29 * time.Minute)
		require.Equal(t, tried+2, asked(), "Retry-After has half an hour")
		s.Pass(2 * time.Minute)
		require.Equal(t, tried+3, asked())
		s.Pass(2 * time.Hour)
		require.Equal(t, tried+3, asked(), "Retry-After has a time")
		say(post, cat, "Meanwhile")
		s.Pass(30 * time.Minute)
		got := service.messages()[before:]
		require.Len(t, got, 1)
		require.Equal(t, "2 new in: A post", got[0].Said.Title)
		require.InDelta(t, 24*60*60, got[0].TTL, 60*60)

		service.response(path, slices.Repeat([]any{500, ""}, 20)...)
		tried = asked()
		say(other, bob, "Eleventh")
		for n, wait := range []time.Duration{1, 4, 16, 64, 256, 1024} {
			require.Equal(t, tried+n+1, asked())
			s.Pass(wait*time.Minute + time.Second)
		}
		require.Equal(t, tried+6, asked())
		require.Equal(t, int64(0), s.One("SELECT count(*) FROM pushes"))
		service.response(path)
		read()
	})
	t.Run("an instance that dies while it sends, and lost messages, lose nothing", func(t *testing.T) {
		before := len(service.messages())
		bob.MustPost("/comment", "post", post, "body", "Twelfth")
		s.Deliver()
		s.Queue.Take(data.QueueEvents) // lost
		s.Exec("UPDATE pushes SET asked = 0, attempts = 1")
		s.Pass(2 * time.Minute)
		require.Len(t, service.messages(), before+1)
		read()
	})
	t.Run("what comes while a message is sent is another one", func(t *testing.T) {
		before := len(service.messages())
		target, err := url.Parse(service.url)
		require.NoError(t, err)
		once := sync.OnceFunc(func() {
			bob.MustPost("/comment", "post", post, "body", "During")
			messages := s.Queue.Take(data.QueueEvents)
			_, err := s.App.Consume(context.Background(), data.QueueEvents, messages)
			require.NoError(t, err)
		})
		proxy := httputil.NewSingleHostReverseProxy(target)
		proxy.ModifyResponse = func(*http.Response) error { // the service has taken it, and the site does not know yet
			once()
			return nil
		}
		s.Web.On(pushHost, proxy.ServeHTTP)
		say(post, bob, "Thirteenth")
		s.Pass(time.Minute)
		got := service.messages()[before:]
		require.Len(t, got, 2)
		require.Equal(t, "A post\nThirteenth", got[0].Said.Body)
		require.Equal(t, "bob replied to you\nDuring", got[1].Said.Body)
		read()
	})
	t.Run("a proof and a new password keep the device, logging out ends it", func(t *testing.T) {
		before := len(service.messages())
		ann.MustPost("/prove", "password", "correct horse", "next", "/settings/account")
		say(post, bob, "After a proof")
		read()
		ann.MustPost("/settings/account/password", "password", "battery staple horse")
		say(post, bob, "After a new password")
		require.Len(t, service.messages(), before+2)
		read()
		ann.MustPost("/logout")
		require.Equal(t, int64(0), s.One("SELECT count(*) FROM devices"))
		say(post, bob, "After logging out")
		require.Len(t, service.messages(), before+2)
		s.Now = s.Now.Add(time.Hour)
		again := s.Visitor()
		again.Header.Set("User-Agent", "Firefox/140.0")
		again.MustPost("/login", "login", "ann", "password", "battery staple horse")
		ann.Cookie = again.Cookie
	})
	t.Run("a session that is ended from elsewhere ends its device", func(t *testing.T) {
		before := len(service.messages())
		there := s.Visitor()
		there.MustPost("/login", "login", "ann", "password", "battery staple horse")
		there.MustPost("/settings/devices", fields...)
		ann.MustPost("/settings/sessions/end-others")
		say(post, bob, "Nobody")
		require.Len(t, service.messages(), before)
		require.Equal(t, int64(0), s.One("SELECT count(*) FROM devices"))
		read()
	})
	t.Run("a device that its push service does not know any more is removed", func(t *testing.T) {
		for _, status := range []int{http.StatusNotFound, http.StatusGone} {
			ann.MustPost("/settings/devices", fields...)
			service.response(path, status, "")
			before := len(service.messages())
			say(post, bob, fmt.Sprint("Gone ", status))
			require.Len(t, service.messages(), before)
			require.Equal(t, int64(0), s.One("SELECT count(*) FROM devices"))
			read()
		}
	})
	t.Run("who uses the same browser later gets what it shows", func(t *testing.T) {
		ann.MustPost("/settings/devices", fields...)
		wrong := slices.Clone(fields)
		wrong[5] = "AAAAAAAAAAAAAAAAAAAAAA"
		require.Contains(t, cat.Post("/settings/devices", wrong...).Body.String(), "This browser shows the notifications of another account",
			"knowing the address is not enough")
		cat.MustPost("/settings/devices", fields...)
		before := len(service.messages())
		say(post, bob, "To ann")
		require.Len(t, service.messages(), before)
		cats = workertest.Targets(cat.Page(cat.MustPost("/submit", "community", "gophers", "title", "Cat's", "text", "text")))[0]
		say(cats, bob, "To cat")
		require.Len(t, service.messages(), before+1)
		read()
	})
	t.Run("ten devices, each told, and no more; removing one makes room", func(t *testing.T) {
		for range 10 {
			more, _ := service.device()
			ann.MustPost("/settings/devices", more...)
		}
		more, _ := service.device()
		res := ann.Post("/settings/devices", more...)
		require.Contains(t, res.Body.String(), "ten devices")
		before := len(service.messages())
		say(post, bob, "To all")
		require.Len(t, service.messages(), before+10)
		id := data.ID(s.One("SELECT min(id) FROM devices WHERE user_id = (SELECT id FROM users WHERE username_key = 'ann')").(int64)).Text()
		cat.MustPost("/settings/devices/remove", "id", id)
		require.Equal(t, int64(11), s.One("SELECT count(*) FROM devices"), "only one's own")
		ann.MustPost("/settings/devices/remove", "id", id)
		ann.MustPost("/settings/devices/remove", "id", id)
		ann.MustPost("/settings/devices", more...)
	})
	t.Run("addresses that lead nowhere public are refused, when they are given and when they are sent to", func(t *testing.T) {
		s.Web.Forget()
		for _, address := range []string{"", "x", "http://push.service.org/1", "https://127.0.0.1/1", "https://[::1]/1", "https://localhost/1",
			"https://10.1.2.3/",
			"https://push.service.org:8443/1", "https://me@push.service.org/1", "https://metadata.google.internal/", "https://plaza.example/vote",
			"https://2130706433/"} {
			bad := slices.Clone(fields)
			bad[1] = address
			res := cat.Post("/settings/devices", bad...)
			require.Equal(t, http.StatusUnprocessableEntity, res.Code, address)
			require.Contains(t, res.Body.String(), `role="alert"`)
		}
		for _, field := range []int{3, 5} {
			bad := slices.Clone(fields)
			bad[field] = "AAAA"
			require.Equal(t, http.StatusUnprocessableEntity, cat.Post("/settings/devices", bad...).Code)
		}
		require.Contains(t, cat.Post("/settings/devices").Body.String(), "need JavaScript", "without a script the form is empty")
		s.Exec("UPDATE devices SET endpoint = 'https://127.0.0.1/' || id")
		read()
		say(post, bob, "Inside")
		s.Pass(2 * time.Minute)
		require.Empty(t, s.Web.Addresses())
		require.Equal(t, int64(0), s.One("SELECT count(*) FROM pushes"))
	})
	t.Run("nobody is told who is suspended, and a site without keys offers nothing", func(t *testing.T) {
		s.Exec("DELETE FROM devices")
		more, _ := service.device()
		cat.MustPost("/settings/devices", more...)
		before := len(service.messages())
		bob.MustPost("/comment", "post", cats, "body", "Too late")
		s.Deliver()
		require.Equal(t, int64(1), s.One("SELECT count(*) FROM pushes"))
		s.Exec("UPDATE users SET status = 'suspended' WHERE username_key = 'cat'")
		s.DeliverAll()
		require.Len(t, service.messages(), before)
		require.Equal(t, int64(0), s.One("SELECT count(*) FROM pushes"))
		plain := s.Config
		plain.PushKeys = nil
		s.Restart(plain)
		require.NotContains(t, ann.Page("/settings/notifications"), "On your devices")
		require.Equal(t, http.StatusNotFound, ann.Post("/settings/devices", more...).Code)
	})
}

// TestPushResolver holds sending to what the resolver says of the push service's name.
func TestPushResolver(t *testing.T) {
	s := workertest.MustOpen(t)
	service := openPushService(s)
	config := s.Config
	config.Resolver = "https://resolver.org/dns-query"
	s.Restart(config)
	address := "10.0.0.7"
	s.Web.On("resolver.org", func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Query().Get("type") == "A" {
			fmt.Fprintf(w, `{"Status":0,"Answer":[{"type":1,"data":%q}]}`, address)
			return
		}
		fmt.Fprint(w, `{"Status":0}`)
	})
	ann, bob := s.Member("ann"), s.Member("bob")
	ann.MustPost("/communities", "name", "gophers")
	post := workertest.Targets(ann.Page(ann.MustPost("/submit", "community", "gophers", "title", "A post", "text", "text")))[0]
	fields, _ := service.device()
	ann.MustPost("/settings/devices", fields...)
	bob.MustPost("/comment", "post", post, "body", "First")
	s.DeliverAll()
	require.Empty(t, service.messages())
	address = "93.184.215.14"
	bob.MustPost("/comment", "post", post, "body", "Second")
	s.DeliverAll()
	require.Len(t, service.messages(), 1)
}
