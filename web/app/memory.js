// The device's memory may be denied (private windows); then nothing is remembered.
export const recall = (key) => { try { return localStorage.getItem(key); } catch { return null; } };
export const remember = (key, value) => {
  try { value == null ? localStorage.removeItem(key) : localStorage.setItem(key, value); } catch { /* not remembered */ }
};
