// On the pages of moderators' queues: decisions in place, their keys, and what is known of an author beside the case; in conversations with
// members, answers of before. It is a script of its own because most people never see a queue.
import { startAnswers } from "./app/answers.js";
import { startModeration } from "./app/moderation.js";
import { startQueueKeys } from "./app/queue_keys.js";
import { startReasons } from "./app/reasons.js";
import { startSheet } from "./app/sheet.js";

startQueueKeys();
startModeration();
startReasons();
startSheet();
startAnswers();
