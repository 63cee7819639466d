// What Plaza does beyond its HTML: everything here may fail or be switched off and the pages still work. Loaded in the head without defer
// so that the theme never flashes. A feature is a file beside this one.
import "./pictures.js";
import "./suggest.js";
import { startEditor } from "./editor.js";
import { startFolds } from "./fold.js";
import { startInPlace } from "./in_place.js";
import { startKeys } from "./keys.js";
import { startLogin } from "./login.js";
import { startModeration } from "./moderation.js";
import { forget } from "./sent.js";
import { startTheme } from "./theme.js";
import { startViews } from "./views.js";

document.documentElement.classList.add("js");

const start = () => {
  startTheme();
  startEditor();
  startFolds();
  forget();
  startKeys();
  startModeration();
  startLogin();
  startViews();
  startInPlace();
};
if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", start); else start();
