// A real OpenID Connect provider for tests, npm's oidc-provider, at which everybody logs in as whom they like. It is started with its
// settings as JSON in PROVIDER: issuer, port, clients and jwks (both as oidc-provider takes them). It prints "ready".

import { createServer } from "node:http";
import { Provider } from "oidc-provider";

const { issuer, port, clients, jwks } = JSON.parse(process.env.PROVIDER);
const provider = new Provider(issuer, {
  clients, jwks,
  claims: { openid: ["sub"], email: ["email", "email_verified"], profile: ["name", "preferred_username"] },
  findAccount: (_, id) => ({ accountId: id, claims: () => ({ sub: id, name: id, preferred_username: id, email: `${id}@example.org`, email_verified: true }) }),
  ttl: { AuthorizationCode: (_, code, client) => (client.clientId === "brief" ? 1 : 60) }, // seconds
  pkce: { required: () => true },
  cookies: { keys: ["only for tests"] },
});
createServer(provider.callback()).listen(port, "127.0.0.1", () => console.log("ready"));
