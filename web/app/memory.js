/** member is the address of the member who is logged in; "" for a visitor. */
export const member = () => document.querySelector('header a[href^="/u/"]')?.pathname || "";

// The device's memory may be denied (private windows); then nothing is remembered.
export const recall = (key) => { try { return localStorage.getItem(key); } catch { return null; } };
export const remember = (key, value) => {
  try { value == null ? localStorage.removeItem(key) : localStorage.setItem(key, value); } catch { /* not remembered */ }
};

/** keysAreOff tells whether this device has the keys switched off (key_sheet.js). */
export const keysAreOff = () => recall("keys") === "off";
