// A browser's side of Web Push, by npm's http_ece and jose: makes a subscription's keys, reads messages and checks whose they are. As a
// program it answers one question on standard input, in JSON: without a device it makes one; else it reads body (base64) and authorization.

import { createECDH, randomBytes } from "node:crypto";
import { pathToFileURL } from "node:url";
import ece from "http_ece";
import { importJWK, jwtVerify } from "jose";

/** newDevice is a subscription's keys, all in base64url: p256dh and auth are told the site, and private stays. */
export function newDevice() {
  const pair = createECDH("prime256v1");
  pair.generateKeys();
  return { p256dh: pair.getPublicKey("base64url"), private: pair.getPrivateKey("base64url"), auth: randomBytes(16).toString("base64url") };
}

/** read is the text of a message. It throws when the message is for another device or was changed. */
export function read(device, body) {
  const privateKey = createECDH("prime256v1");
  privateKey.setPrivateKey(device.private, "base64url");
  return ece.decrypt(body, { version: "aes128gcm", privateKey, dh: device.p256dh, authSecret: device.auth }).toString("utf8");
}

/** sender checks the header Authorization as a push service does, and returns the site's key and what the token claims. */
export async function sender(authorization, currentDate = new Date()) {
  const [, token, key] = /^vapid t=([^,]+), k=(\S+)$/.exec(authorization);
  const point = Buffer.from(key, "base64url");
  const jwk = { kty: "EC", crv: "P-256", x: point.subarray(1, 33).toString("base64url"), y: point.subarray(33).toString("base64url") };
  const { payload } = await jwtVerify(token, await importJWK(jwk, "ES256"), { algorithms: ["ES256"], maxTokenAge: undefined, currentDate });
  return { key, claims: payload };
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  let input = "";
  for await (const chunk of process.stdin) input += chunk;
  const { device, body, authorization } = JSON.parse(input);
  const response = device ? { text: read(device, Buffer.from(body, "base64")), ...await sender(authorization) } : newDevice();
  console.log(JSON.stringify(response));
}
