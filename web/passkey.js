// Passkeys, on the pages that ask for one. A button that asks for a passkey stands in the form that is sent with the answer.
import { t } from "./app/words.js";
(() => {
  "use strict";
  const { credentials } = navigator;
  if (!window.PublicKeyCredential || !credentials) return;

  const bytes = (text) => Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (char) => char.charCodeAt(0));
  const text = (buffer) => btoa(String.fromCharCode(...new Uint8Array(buffer))).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
  const descriptors = (list) => (list || []).map((one) => ({ ...one, id: bytes(one.id) }));

  // ask gets a challenge and what goes with it.
  const ask = async (purpose, form) => {
    const body = new URLSearchParams({ for: purpose });
    for (const name of ["username", "invite"]) if (form.elements[name]) body.set(name, form.elements[name].value);
    const response = await fetch("/passkeys/challenge", { method: "POST", body, headers: { Accept: "application/json" } });
    const result = await response.json();
    if (response.status === 403) location.href = "/prove?next=" + encodeURIComponent(location.pathname);
    if (!response.ok) throw new Error(result.error.message);
    return result;
  };

  // send sends the form with the passkey's answer in hidden fields, which take the place of its own required ones.
  const send = (form, action, fields) => {
    for (const [name, value] of Object.entries(fields)) {
      const input = form.querySelector(`input[type=hidden][name=${name}]`) || document.createElement("input");
      Object.assign(input, { type: "hidden", name, value });
      form.append(input);
    }
    if (action) form.action = action;
    HTMLFormElement.prototype.submit.call(form);
  };

  const create = async (purpose, form) => {
    const options = await ask(purpose, form);
    const { id, ...user } = options.user;
    const created = await credentials.create({ publicKey: {
      ...options, challenge: bytes(options.challenge), user: { ...user, id: bytes(id) }, excludeCredentials: descriptors(options.excludeCredentials),
    } });
    send(form, null, {
      challenge: options.challenge, client_data: text(created.response.clientDataJSON), attestation: text(created.response.attestationObject),
      ...(purpose === "sign-up" && { account: options.account }),
    });
  };

  const get = async (purpose, form, more) => {
    const options = await ask(purpose, form);
    const said = await credentials.get({ ...more, publicKey: {
      ...options, challenge: bytes(options.challenge), allowCredentials: descriptors(options.allowCredentials),
    } });
    const { clientDataJSON, authenticatorData, signature, userHandle } = said.response;
    send(form, purpose === "login" ? "/login/passkey" : "/prove/passkey", {
      challenge: options.challenge, credential: text(said.rawId), client_data: text(clientDataJSON), authenticator_data: text(authenticatorData),
      signature: text(signature), user_handle: userHandle ? text(userHandle) : "",
    });
  };

  // The browser offers passkeys in the field for the name, as it offers passwords. A challenge lives five minutes, so it is renewed.
  let offered;
  const offer = async (form) => {
    if (!await PublicKeyCredential.isConditionalMediationAvailable?.()) return;
    for (;;) {
      offered = new AbortController();
      const renew = setTimeout(() => offered.abort("renewed"), 240000);
      try {
        return await get("login", form, { mediation: "conditional", signal: offered.signal });
      } catch (error) {
        if (error !== "renewed") return; // the button still works
      } finally {
        clearTimeout(renew);
      }
    }
  };

  const messages = {
    NotAllowedError: t("No passkey was used. You can try again."),
    InvalidStateError: t("This device has a passkey of your account already."),
    SecurityError: t("Passkeys don't work at this address."),
  };

  for (const place of document.querySelectorAll("[data-passkey]")) {
    const form = place.closest("form");
    const button = place.querySelector("button");
    const problem = place.querySelector("[role=alert]");
    const purpose = place.dataset.passkey;
    place.hidden = false;
    button.addEventListener("click", async () => {
      const name = purpose === "sign-up" && form.elements.username;
      if (name && !name.reportValidity()) return;
      problem.textContent = "";
      button.disabled = true;
      offered?.abort("asked");
      try {
        await (purpose === "sign-up" || purpose === "add" ? create : get)(purpose, form);
      } catch (error) {
        problem.textContent = messages[error.name] || error.message;
      }
      button.disabled = false;
    });
    if ("offer" in place.dataset) offer(form);
  }
})();
