package setup

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"plaza/data"
	"plaza/data/pace/deadline"
	"plaza/protocol/mail"
	"plaza/tools/setup/services"
)

// deploy builds the site and sends it, unless Cloudflare already has the script with the variables, times and queues of wrangler.toml, and
// in front of it the gateway that was deployed with it, if there is one. It can't see whether the code there is older: operators send a
// newer build by ./build.sh deploy.
func (r *run) deploy(ctx context.Context) (result, error) {
	lacks, err := r.undeployed(ctx)
	if err != nil {
		return result{}, err
	}
	if lacks == "" {
		return already("%s, with these variables (./build.sh deploy sends a newer build)", r.script)
	}
	if r.DryRun {
		return done("run ./build.sh deploy, because Cloudflare lacks %s", lacks)
	}
	gateway, _, err := r.gatewayInFront(ctx)
	if err != nil {
		return result{}, err
	}
	if err := r.Deploy(ctx, Deployment{Gateway: gateway != "", Secrets: r.along, Environment: []string{
		"CLOUDFLARE_API_TOKEN=" + r.CloudflareToken, "CLOUDFLARE_ACCOUNT_ID=" + r.cloudflare.Account}}, r.Log); err != nil {
		return result{}, fmt.Errorf("./build.sh deploy: %w. What it said is above", err)
	}
	r.along = nil
	if lacks, err = r.undeployed(ctx); err != nil {
		return result{}, err
	}
	if lacks != "" { // the doctor checks whether that is harmful
		return done("deploy %s, and yet Cloudflare does not show %s", r.script, lacks)
	}
	return done("deploy %s", r.script)
}

// undeployed names the first thing in wrangler.toml that Cloudflare does not have, or the first secret of the deployment, because its
// address may have changed. It is "" if Cloudflare has all.
func (r *run) undeployed(ctx context.Context) (lacks string, err error) {
	crons, err := r.cloudflare.Crons(ctx, r.script)
	runs, _, err2 := r.cloudflare.Variables(ctx, r.script)
	open, err3 := r.cloudflare.OnWorkersDev(ctx, r.script)
	queues, err4 := r.cloudflare.Queues(ctx)
	gateway, sum, err5 := r.gatewayInFront(ctx)
	text, err6 := os.ReadFile(r.config.path)
	if err := cmp.Or(err, err2, err3, err4, err5, err6); err != nil {
		return "", err
	}
	file, variables := r.config.read(), r.config.variables()
	for _, cron := range file.Triggers.Crons {
		if !slices.Contains(crons, cron) {
			return "the cron trigger " + cron, nil
		}
	}
	for _, name := range slices.Sorted(maps.Keys(variables)) {
		if runs[name] != variables[name] {
			return "the value of " + name, nil
		}
	}
	if names := slices.Sorted(maps.Keys(r.along)); len(names) > 0 {
		return "the new " + names[0], nil
	}
	if open && r.hasDomain() {
		return "workers_dev = false", nil
	}
	for _, c := range file.Queues.Consumers {
		if !slices.ContainsFunc(queues, func(q services.Queue) bool { return q.Name == c.Queue && q.HasConsumer(r.script) }) {
			return "the consumer of " + c.Queue, nil
		}
	}
	if gateway != "" && sum != gatewaySum(text) { // its deployment has failed after that of the site, or was left out
		return "the gateway " + gateway + " with this wrangler.toml", nil
	}
	return "", nil
}

// gatewayVariable is a variable of the gateway: gatewaySum of the wrangler.toml with which both were deployed (build.sh).
const gatewayVariable = "SITE_CONFIG"

func gatewaySum(file []byte) string {
	sum := sha256.Sum256(file)
	return hex.EncodeToString(sum[:8])
}

// gateway is the name of the script in wrangler.gateway.toml, "" without such a file.
func (r *run) gateway() (string, error) {
	file, err := readConfig(filepath.Join(r.Folder, "wrangler.gateway.toml"))
	if errors.Is(err, fs.ErrNotExist) {
		return "", nil
	}
	if err != nil {
		return "", err
	}
	return file.read().Name, nil
}

// gatewayInFront is gateway, if the site's name belongs to it, and the sum with which it was deployed. Both are deployed together, because
// each has its own copy of style sheets and scripts.
func (r *run) gatewayInFront(ctx context.Context) (name, sum string, err error) {
	if name, err = r.gateway(); err != nil || name == "" {
		return "", "", err
	}
	if script, err := r.cloudflare.DomainOf(ctx, r.host); err != nil || script != name {
		return "", "", err
	}
	variables, _, err := r.cloudflare.Variables(ctx, name)
	return name, variables[gatewayVariable], err
}

// hasDomain tells whether the site's name is a domain of its own, and not one below workers.dev.
func (r *run) hasDomain() bool { return !strings.HasSuffix(r.host, ".workers.dev") }

// address makes the site answer at its name. Names below workers.dev come with the deployment.
func (r *run) address(ctx context.Context) (result, error) {
	if !r.hasDomain() {
		return skipStep("%s comes with the deployment; it has no edge cache, so use a domain of your own when people come", r.host)
	}
	script, err := r.cloudflare.DomainOf(ctx, r.host)
	gateway, err2 := r.gateway()
	switch err = cmp.Or(err, err2); {
	case err != nil:
		return result{}, err
	case script == r.script:
		return already("%s", r.host)
	case script != "" && script == gateway:
		return already("%s, by the gateway %s", r.host, script)
	case script != "":
		return result{}, fmt.Errorf("%s belongs to another script of the account, %s", r.host, script)
	case !r.DryRun:
		err = r.cloudflare.SetDomain(ctx, r.host, r.script)
	}
	return result{"done", "have " + r.script + " answer at " + r.host}, err
}

// findMail finds whether the administrator's address is confirmed, and the state of the last mail that confirms it.
const findMail = `SELECT u.email, u.email_confirmed_at IS NOT NULL, coalesce(m.id, 0), m.due_at IS NULL,
	coalesce(m.given_up, 0), coalesce(m.attempts, 0)
FROM users u LEFT JOIN mails m ON m.user_id = u.id AND m.kind = 'confirm' WHERE u.id = :admin ORDER BY m.id DESC LIMIT 1`

// mail waits until the site has sent the mail that confirms the administrator's address. That mail was enqueued in the database without a
// message to the queue, so its sending shows that cron, queue and provider work together.
func (r *run) mail(ctx context.Context) (result, error) {
	if r.config.variable("MAIL_PROVIDER") == "" {
		return skipStep("the site sends no mail (--mail-provider). Nobody who has lost a password gets back in")
	}
	if r.DryRun {
		return done("wait for the mail that confirms the administrator's address")
	}
	patience := cmp.Or(r.MailWait, 3*time.Minute)
	var tried time.Time // when the first attempt was seen, which may still be in progress
	for until := time.Now().Add(patience); ; {
		var address string
		var confirmed, ended, givenUp bool
		var id data.ID
		var tries int64
		read := r.db.Read()
		read.Find(findMail, data.Args{"admin": r.admin.UserID}, func(row *data.Row) {
			address, confirmed, id, ended, givenUp, tries = row.Text(), row.Bool(), row.ID(), row.Bool(), row.Bool(), row.Int()
		})
		if err := read.Run(ctx); err != nil {
			return result{}, err
		}
		switch {
		case confirmed:
			return already("%s has confirmed their address", r.admin.Name)
		case address == "":
			return skipStep("%s has no address. Name one at %s/settings/account, and the site sends a mail there", r.admin.Name, r.SiteURL)
		case id == 0:
			return skipStep("the address of %s is not confirmed. %s/settings/account sends the mail again", r.admin.Name, r.SiteURL)
		case givenUp:
			return result{}, fmt.Errorf("the site gave up the mail to the address of %s: the log of the worker has the reason. "+
				"If the address is right, %s/settings/account sends another", r.admin.Name, r.SiteURL)
		case ended:
			return done("send a mail to the address of %s: open it and confirm", r.admin.Name)
		case tries > 0 && tried.IsZero():
			tried = time.Now()
		case tries > 0 && (time.Since(tried) > patience/10 || time.Now().After(until)):
			return result{}, fmt.Errorf("the site has tried %d times to send a mail and will go on trying for a day. wrangler tail shows why it "+
				"fails; wrangler secret put MAIL_TOKEN sets another token", tries)
		case time.Now().After(until):
			return result{}, errors.New("the site has not begun to send the mail: the cron trigger or the consumer of plaza-events does not run. " +
				"wrangler tail shows what it does")
		}
		if err := deadline.DefaultSleep(ctx, cmp.Or(r.MailAskedEvery, 2*time.Second)); err != nil {
			return result{}, err
		}
	}
}

// mailToken returns the provider's token after a test mail was sent with it. The same mail has the same key in each run, so Resend sends it
// only once a day.
func (r *run) mailToken(ctx context.Context) (string, error) {
	if err := r.ask(ctx, input{&r.MailToken, "The token of the provider of mails", "MAIL_TOKEN in the environment", "", true},
		input{&r.Email, "Email address of the first administrator", "--email", "", false}); err != nil {
		return "", err
	}
	variables := r.config.variables()
	sender, err := mail.NewSender(mail.Options{Provider: variables["MAIL_PROVIDER"], From: variables["MAIL_FROM"], URL: variables["MAIL_URL"],
		Token: r.MailToken, HTTP: r.HTTP})
	if err != nil {
		return "", err
	}
	sum := sha256.Sum256([]byte(variables["MAIL_FROM"] + "\n" + r.SiteName + "\n" + r.Email))
	key := strings.TrimPrefix(r.SiteURL, "https://") + "/setup/" + hex.EncodeToString(sum[:8])
	err = sender.Send(ctx, mail.Message{To: r.Email, Key: key, Content: mail.Content{
		Language: "en", Subject: "A test by " + r.SiteName, Why: "This mail came because plaza setup sets up " + r.SiteURL + ".",
		Parts: []mail.Part{mail.Paragraph("The provider takes the mails of this site. A second mail will ask you to confirm your address.")}}})
	if err != nil {
		return "", fmt.Errorf("a test mail to %s was not sent: %w", r.Email, err)
	}
	return r.MailToken, nil
}

func (r *run) doctor(ctx context.Context) (result, error) {
	token := cmp.Or(r.HealthToken, r.kept["HEALTH_TOKEN"])
	if failing := r.Doctor(ctx, r.SiteURL, token, r.Out); failing > 0 {
		return result{}, fmt.Errorf("%d of these are not well. Run plaza doctor %s again after a minute", failing, r.SiteURL)
	}
	return done("find everything well at %s", r.SiteURL)
}
