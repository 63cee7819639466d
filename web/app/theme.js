// The theme of a visitor, which the device remembers. A member has chosen theirs in the settings.
import { recall, remember } from "./memory.js";

const root = document.documentElement;
const themes = { auto: "as the device", light: "light", dark: "dark" };
const showTheme = (theme) => {
  if (theme === "auto") delete root.dataset.theme; else root.dataset.theme = theme;
  const button = document.getElementById("theme");
  if (button) button.textContent = "Theme: " + themes[theme];
};
let theme = recall("theme");
if (!(theme in themes)) theme = "auto";
const ownTheme = root.dataset.theme; // a member's, in the settings
if (!ownTheme) showTheme(theme);

export const startTheme = () => {
  if (!ownTheme) showTheme(theme);
  document.getElementById("theme")?.addEventListener("click", () => {
    const names = Object.keys(themes);
    theme = names[(names.indexOf(theme) + 1) % names.length];
    remember("theme", theme === "auto" ? null : theme);
    showTheme(theme);
  });
};
