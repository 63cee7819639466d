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
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"plaza/data"
	"plaza/ops/setup/services"
	"plaza/protocol/mail"
)

// deploy builds and deploys the site, unless Cloudflare has the script with the variables, cron triggers and queues of wrangler.toml, and
// the gateway, if there is one, of the same deployment. It can't see whether that code is older: operators deploy a newer build with
// ./build.sh deploy.
func (r *run) deploy(ctx context.Context) (result, error) {
	missing, err := r.undeployed(ctx)
	if err != nil {
		return result{}, err
	}
	if missing == "" {
		return already("%s, with these variables (./build.sh deploy sends a newer build)", r.script)
	}
	if r.DryRun {
		return done("run ./build.sh deploy, because Cloudflare lacks %s", missing)
	}
	environment := []string{"CLOUDFLARE_API_TOKEN=" + r.CloudflareToken, "CLOUDFLARE_ACCOUNT_ID=" + r.cloudflare.Account}
	gateway, err := r.behindGateway(ctx)
	if err != nil {
		return result{}, err
	}
	if err := r.Deploy(ctx, Deployment{Gateway: gateway, Environment: environment, Secrets: r.pending}, r.Log); err != nil {
		return result{}, fmt.Errorf("./build.sh deploy: %w. What it said is above", err)
	}
	r.pending = nil
	if missing, err = r.undeployed(ctx); err != nil {
		return result{}, err
	}
	if missing != "" { // the doctor checks whether that is harmful
		return done("deploy %s, and yet Cloudflare does not show %s", r.script, missing)
	}
	return done("deploy %s", r.script)
}

// undeployed names the first thing in wrangler.toml that Cloudflare does not have, or the first secret that the deployment must set. It
// returns "" if nothing is missing.
func (r *run) undeployed(ctx context.Context) (missing string, err error) {
	crons, err := r.cloudflare.Crons(ctx, r.script)
	if err != nil {
		return "", err
	}
	for _, cron := range r.config.values("triggers", "crons") {
		if !slices.Contains(crons, cron) {
			return "the cron trigger " + cron, nil
		}
	}
	bindings, _, err := r.cloudflare.Bindings(ctx, r.script)
	if err != nil {
		return "", err
	}
	deployed := services.VariablesOf(bindings)
	variables := r.config.variables()
	for _, name := range slices.Sorted(maps.Keys(variables)) {
		if deployed[name] != variables[name] {
			return "the value of " + name, nil
		}
	}
	if names := slices.Sorted(maps.Keys(r.pending)); len(names) > 0 {
		return "the new " + names[0], nil
	}
	if r.hasDomain() {
		open, err := r.cloudflare.OnWorkersDev(ctx, r.script)
		if err != nil {
			return "", err
		}
		if open {
			return "workers_dev = false", nil
		}
	}
	queues, err := r.cloudflare.Queues(ctx)
	if err != nil {
		return "", err
	}
	for _, name := range r.config.values("queues.consumers", "queue") {
		if !slices.ContainsFunc(queues, func(q services.Queue) bool { return q.Name == name && q.HasConsumer(r.script) }) {
			return "the consumer of " + name, nil
		}
	}
	return r.olderGateway(ctx)
}

// gatewayVariable is a variable of the gateway: the gatewaySum of the wrangler.toml with which build.sh deployed it and the site.
const gatewayVariable = "SITE_CONFIG"

func gatewaySum(file []byte) string {
	sum := sha256.Sum256(file)
	return hex.EncodeToString(sum[:8])
}

// olderGateway names the gateway if it serves the site's name and was not deployed with this wrangler.toml: its deployment failed after the
// site's, or was skipped.
func (r *run) olderGateway(ctx context.Context) (missing string, err error) {
	behind, err := r.behindGateway(ctx)
	if err != nil || !behind {
		return "", err
	}
	gateway, err := readConfig(filepath.Join(r.Folder, "wrangler.gateway.toml"))
	if err != nil {
		return "", err
	}
	file, err := os.ReadFile(r.config.path)
	if err != nil {
		return "", err
	}
	name := gateway.value("", "name")
	bindings, _, err := r.cloudflare.Bindings(ctx, name)
	if err == nil && services.VariablesOf(bindings)[gatewayVariable] != gatewaySum(file) {
		missing = "the gateway " + name + " with this wrangler.toml"
	}
	return missing, err
}

// behindGateway reports whether the site's name belongs to the gateway of wrangler.gateway.toml. Then both are deployed, because each has
// its own copy of style sheets and scripts.
func (r *run) behindGateway(ctx context.Context) (bool, error) {
	gateway, err := readConfig(filepath.Join(r.Folder, "wrangler.gateway.toml"))
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	u, err := url.Parse(r.SiteURL)
	if err != nil {
		return false, err
	}
	script, err := r.cloudflare.DomainOf(ctx, u.Hostname())
	return err == nil && script != "" && script == gateway.value("", "name"), err
}

// hasDomain reports whether the site's name is a domain of its own, and not one below workers.dev.
func (r *run) hasDomain() bool {
	u, err := url.Parse(r.SiteURL)
	return err == nil && !strings.HasSuffix(u.Hostname(), ".workers.dev")
}

// address assigns the site's host name to the script. A name below workers.dev comes with the deployment.
func (r *run) address(ctx context.Context) (result, error) {
	u, err := url.Parse(r.SiteURL)
	if err != nil {
		return result{}, err
	}
	host := u.Hostname()
	if !r.hasDomain() {
		return skipStep("%s comes with the deployment; it has no edge cache, so use a domain of your own when people come", host)
	}
	script, err := r.cloudflare.DomainOf(ctx, host)
	if err != nil {
		return result{}, err
	}
	gateway, err := r.behindGateway(ctx)
	if err != nil {
		return result{}, err
	}
	switch {
	case script == r.script:
		return already("%s", host)
	case gateway:
		return already("%s, by the gateway %s", host, script)
	case script != "":
		return result{}, fmt.Errorf("%s belongs to another script of the account, %s", host, script)
	case r.DryRun:
		return done("have %s answer at %s", r.script, host)
	}
	if err := r.cloudflare.SetDomain(ctx, host, r.script); err != nil {
		return result{}, err
	}
	return done("have %s answer at %s", r.script, host)
}

// findMail selects whether the administrator's address is confirmed, and the state of the last confirmation mail.
const findMail = `SELECT u.email, u.email_confirmed_at IS NOT NULL, coalesce(m.id, 0), m.due_at IS NULL,
	coalesce(m.given_up, 0), coalesce(m.attempts, 0)
FROM users u LEFT JOIN mails m ON m.user_id = u.id AND m.kind = 'confirm' WHERE u.id = :admin ORDER BY m.id DESC LIMIT 1`

// mail waits until the site has sent the mail that confirms the administrator's address. It was enqueued in the database without a message
// to the queue, so if it is sent, cron, queue and provider work together.
func (r *run) mail(ctx context.Context) (result, error) {
	if r.config.value("vars", "MAIL_PROVIDER") == "" {
		return skipStep("the site sends no mail (--mail-provider). Nobody who has lost a password gets back in")
	}
	if r.DryRun {
		return done("wait for the mail that confirms the administrator's address")
	}
	limit := cmp.Or(r.MailWait, 3*time.Minute)
	var tried time.Time // when the first attempt was seen, which may still be in progress
	for until := time.Now().Add(limit); ; {
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
		case tries > 0 && time.Since(tried) > limit/10 || time.Now().After(until):
			return result{}, mailProblem(tries)
		}
		if err := wait(ctx, cmp.Or(r.MailAskedEvery, 2*time.Second)); err != nil {
			return result{}, err
		}
	}
}

// mailProblem returns an error that says why no mail was sent.
func mailProblem(tries int64) error {
	if tries == 0 {
		return errors.New("the site has not begun to send the mail: the cron trigger or the consumer of plaza-events does not run. " +
			"wrangler tail shows what it does")
	}
	return fmt.Errorf("the site has tried %d times to send a mail and will go on trying for a day. wrangler tail shows why it fails; "+
		"wrangler secret put MAIL_TOKEN sets another token", tries)
}

// tryMail sends a test mail with a new token before the site gets the token. The mail has the same key in each run, so Resend sends it only
// once a day.
func (r *run) tryMail(ctx context.Context) error {
	if err := r.ask(ctx, &r.Email, "Email address of the first administrator", "", "--email", false); err != nil {
		return err
	}
	variables := r.config.variables()
	sender, err := mail.NewSender(mail.Options{Provider: variables["MAIL_PROVIDER"], From: variables["MAIL_FROM"], URL: variables["MAIL_URL"],
		Token: r.MailToken, HTTP: r.HTTP})
	if err != nil {
		return err
	}
	sum := sha256.Sum256([]byte(variables["MAIL_FROM"] + "\n" + r.SiteName + "\n" + r.Email))
	key := strings.TrimPrefix(r.SiteURL, "https://") + "/setup/" + hex.EncodeToString(sum[:8])
	err = sender.Send(ctx, mail.Message{To: r.Email, Key: key, Content: mail.Content{
		Language: "en", Subject: "A test by " + r.SiteName, Why: "This mail came because plaza setup sets up " + r.SiteURL + ".",
		Parts: []mail.Part{mail.Paragraph("The provider takes the mails of this site. A second mail will ask you to confirm your address.")}}})
	if err != nil {
		return fmt.Errorf("a test mail to %s was not sent: %w", r.Email, err)
	}
	return nil
}

// doctor checks the site.
func (r *run) doctor(ctx context.Context) (result, error) {
	if r.DryRun {
		return done("run plaza doctor %s", r.SiteURL)
	}
	token := cmp.Or(r.HealthToken, r.kept["HEALTH_TOKEN"])
	if problems := r.Doctor(ctx, r.SiteURL, token, r.Out); problems > 0 {
		return result{}, fmt.Errorf("%d of these are not well. Run plaza doctor %s again after a minute", problems, r.SiteURL)
	}
	return done("find everything well at %s", r.SiteURL)
}
