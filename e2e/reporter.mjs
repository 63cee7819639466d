// Ends a run with the figures that tests measured, FLAKY and the name of each test that passed at its second try, and a line of counts.

export default class Reporter {
  onBegin(config, suite) { Object.assign(this, { config, suite }); }

  onError() { this.broken = true; }

  onEnd({ status }) {
    const tests = this.suite.allTests();
    const count = { expected: 0, unexpected: 0, flaky: 0, skipped: 0 };
    for (const test of tests) {
      count[test.outcome()] += 1;
      for (const { type, description } of test.annotations) if (type === "figure") console.log(`${test.title}: ${description}`);
    }
    for (const test of tests) if (test.outcome() === "flaky") console.log(`FLAKY ${test.titlePath().filter(Boolean).join(" › ")}`);
    if (count.unexpected + count.flaky > 0) console.log("Traces and screenshots are in test-results/chromium/: npx playwright show-trace test-results/chromium/…/trace.zip");
    // What was interrupted or not begun is counted as skipped.
    if (count.unexpected === 0 && (this.broken || status === "interrupted" || status === "timedout")) count.unexpected = 1;
    console.log(`e2e: ${count.expected} passed, ${count.unexpected} failed, ${count.flaky} flaky, ${count.skipped} skipped`);
  }

  printsToStdio() { return false; }
}
