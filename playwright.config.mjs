// The tests in Chromium: npx playwright test [--ui] [FILE...], after ./build.sh build. Each worker has a site of its own (e2e/setup.mjs), unless
// BASE_URL names one that runs. Its PLAZA_ENV is the worker.env in its data directory; without it, tests that look behind the pages are skipped.

import { availableParallelism } from "node:os";
import { defineConfig } from "@playwright/test";
import { shell, whole } from "./e2e/chromium.mjs";

// A wait ends with its condition, so only a test that fails takes this long. A slow or busy machine makes none fail.
const patience = 60_000;
const seen = process.argv.some((arg) => arg.startsWith("--ui") || arg === "--headed" || arg === "--debug");

export default defineConfig({
  testDir: "e2e",
  testMatch: /\/e2e\/[^/]+\.test\.mjs$/,
  outputDir: "test-results/chromium", // Playwright empties it
  forbidOnly: !seen,
  globalSetup: process.env.BASE_URL ? undefined : "./e2e/setup.mjs",
  // Tests of one site follow each other: some of them change its settings, or lose its Redis.
  workers: process.env.BASE_URL ? 1 : Math.min(availableParallelism(), 4),
  retries: 1,
  failOnFlakyTests: Boolean(process.env.PLAZA_ALL),
  timeout: 5 * patience,
  expect: { timeout: patience, toPass: { timeout: patience, intervals: [50, 100, 200, 400, 800] } },
  reporter: [["dot"], ["./e2e/reporter.mjs"], ...process.env.PLAYWRIGHT_JSON_OUTPUT_FILE ? [["json"]] : []],
  use: {
    serviceWorkers: "block", // the site works without them; e2e/offline.test.mjs and e2e/push.test.mjs are about them
    launchOptions: seen ? whole : shell, actionTimeout: patience, navigationTimeout: patience,
    screenshot: "only-on-failure", trace: process.env.PLAZA_ALL ? "retain-on-failure" : "on-first-retry", // to record all costs a tenth
  },
  // A test runs on the desktop, unless its tags name other projects.
  projects: [
    { name: "desktop", grepInvert: /^(?!.*@desktop).*@(phone|plain)/ },
    { name: "phone", grep: /@phone/, use: { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true } },
    { name: "without JavaScript", grep: /@plain/, use: { javaScriptEnabled: false } },
  ],
});
