// Debian's Chromium, as all tests start it. CHROMIUM names another one.

import { chromium } from "@playwright/test";

const of = (executablePath) => ({
  executablePath: process.env.CHROMIUM ?? executablePath,
  // Without background traffic, which has nowhere to go in a test. And without a spare renderer for each context, and a process for graphics.
  args: ["--no-sandbox", "--disable-gpu", "--in-process-gpu", "--renderer-process-limit=1", "--disable-quic", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync"],
});

/** shell is all of Chromium but its window, and takes half the processor time. */
export const shell = of("/usr/bin/chromium-headless-shell");

/** whole is what notifications need, and whoever wants to look on. */
export const whole = of("/usr/bin/chromium");

/** launch starts Chromium for tests that are not Playwright's. */
export const launch = () => chromium.launch(shell);
