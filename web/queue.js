// The script of moderators' queues and mail: decisions in place, their keys, notes about an author beside the case, and recent answers in
// conversations. It is separate because most people never see a queue.
import { startSavedReplies } from "./app/saved_replies.js";
import { startModeration } from "./app/moderation.js";
import { startQueueKeys } from "./app/queue_keys.js";
import { startReasons } from "./app/reasons.js";
import { startSheet } from "./app/sheet.js";

startQueueKeys();
startModeration();
startReasons();
startSheet();
startSavedReplies();
