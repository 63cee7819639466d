// What Plaza does beyond its HTML: everything here may fail or be switched off and the pages still work. Loaded in the head without defer
// so that nothing that a script changes flashes. A feature is a file beside this one.
import "./display.js";
import "./pictures.js";
import "./suggest.js";
import { startBack } from "./back.js";
import { startBadge } from "./badge.js";
import { startDeletions } from "./deletion.js";
import { startEditor } from "./editor.js";
import { startFolds } from "./fold.js";
import { startInPlace } from "./in_place.js";
import { startKeySheet } from "./key_sheet.js";
import { startKeys } from "./keys.js";
import { startLogin } from "./login.js";
import { startOffline } from "./offline.js";
import { forget } from "./sent.js";
import { startTabs } from "./tabs.js";
import { startThread } from "./thread.js";
import { startTimes } from "./times.js";
import { startViews } from "./views.js";
import { startZone } from "./zone.js";

document.documentElement.classList.add("js");

const start = () => {
  startTabs();
  startEditor();
  startFolds();
  forget();
  startKeys();
  startKeySheet();
  startLogin();
  startViews();
  startDeletions(); // before the links that open in place
  startInPlace();
  startBack();
  startTimes();
  startZone();
  startThread();
  startBadge();
  startOffline();
};
if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", start); else start();
