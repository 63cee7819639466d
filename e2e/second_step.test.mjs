// An authenticator app, in Chromium: its QR code is read as an app reads it, and it computes the codes.

import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import jsqr from "jsqr";
import { base, person, signUp, test, uniqueName } from "./site.mjs";

/** read is what a QR code on a page says. */
async function read(page) {
  const size = 200;
  const pixels = await page.locator("svg.qr").evaluate(async (svg, size) => {
    const image = new Image();
    const copy = svg.cloneNode(true);
    for (const [name, value] of [["xmlns", "http://www.w3.org/2000/svg"], ["width", size], ["height", size]]) copy.setAttribute(name, value);
    image.src = `data:image/svg+xml,${encodeURIComponent(copy.outerHTML)}`;
    await image.decode();
    const context = Object.assign(document.createElement("canvas"), { width: size, height: size }).getContext("2d");
    context.drawImage(image, 0, 0, size, size);
    return Array.from(context.getImageData(0, 0, size, size).data, (byte) => String.fromCharCode(byte)).join("");
  }, size);
  return jsqr.default(Uint8ClampedArray.from(pixels, (char) => char.charCodeAt(0)), size, size)?.data;
}

/**
 * code is what an app with the secret shows (RFC 6238), some steps of 30 s from now. The site takes the step before and the one after
 * too: the code of now can be used for 30 s at least, the next one for a minute. The one before may be too old when it arrives.
 */
function code(secret, step = 0) {
  const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
  const bits = [...secret].map((letter) => letters.indexOf(letter).toString(2).padStart(5, "0")).join("");
  const key = Buffer.from(bits.match(/.{8}/g).map((byte) => parseInt(byte, 2)));
  const counter = Buffer.alloc(8);
  counter.writeBigInt64BE(BigInt(Math.floor(Date.now() / 30000) + step));
  const sum = createHmac("sha1", key).update(counter).digest();
  return String((sum.readUInt32BE(sum.at(-1) & 15) & 0x7fffffff) % 1000000).padStart(6, "0");
}

test("an authenticator app is set up, asked for, and replaced by a recovery code", async () => {
  const ann = uniqueName("ann");
  const { context, page, problems } = await person();
  await signUp(page, ann);
  await page.goto(`${base}/settings/security`);
  await page.getByRole("link", { name: "Set up an authenticator app" }).click();
  const url = new URL(await read(page));
  assert.equal(decodeURIComponent(url.href.split("?")[0]), `otpauth://totp/Plaza:${ann}`);
  const secret = url.searchParams.get("secret");
  await page.getByLabel("Code", { exact: true }).fill("123456");
  await page.getByRole("button", { name: "Turn it on" }).click();
  await page.getByText("That is not the code that your app should show now.").waitFor();
  await page.getByLabel("Code", { exact: true }).fill(code(secret));
  await page.getByRole("button", { name: "Turn it on" }).click();
  await page.getByRole("heading", { name: "Your recovery codes" }).waitFor();
  const codes = await page.locator(".codes code").allInnerTexts();
  assert.equal(codes.length, 10);

  const logIn = async (code) => {
    await context.clearCookies();
    await page.goto(`${base}/login?next=/communities`);
    await page.getByLabel("Username or email").fill(ann);
    await page.getByLabel("Password").fill("correct horse");
    await page.locator("main").getByRole("button", { name: "Log in", exact: true }).click();
    await page.getByRole("heading", { name: "The second step" }).waitFor();
    await page.getByLabel("Code", { exact: true }).fill(code);
    await page.locator("main").getByRole("button", { name: "Log in", exact: true }).click();
  };
  await logIn(code(secret, 1));
  await page.waitForURL(`${base}/communities`);
  await logIn(codes[3]);
  await page.waitForURL(`${base}/communities`);

  await page.goto(`${base}/prove?next=/settings/account`);
  await page.getByLabel("Password").fill("correct horse");
  await page.getByRole("button", { name: "Confirm", exact: true }).click();
  await page.getByRole("heading", { name: "The second step" }).waitFor();
  await page.getByLabel("Code", { exact: true }).fill(codes[3]);
  await page.getByRole("button", { name: "Confirm", exact: true }).click();
  await page.getByText("That code is wrong.").waitFor();
  await page.getByLabel("Code", { exact: true }).fill(codes[4]);
  await page.getByRole("button", { name: "Confirm", exact: true }).click();
  await page.waitForURL(`${base}/settings/account`);

  await logIn(codes[3]);
  await page.getByText("That code is wrong.").waitFor();
  await context.close();
  assert.deepEqual(problems, []);
});
