import type { AuditTrial } from "./trial.js";
import { connectionTrials } from "./trials/connections.js";
import { doublesTrials } from "./trials/doubles.js";
import { fieldTrials } from "./trials/fields.js";
import { loadTrials } from "./trials/load.js";
import { lookAlikeTrials } from "./trials/look-alikes.js";
import { replyTrials } from "./trials/replies.js";
import { reportTrials } from "./trials/reports.js";
import { sequenceTrials } from "./trials/sequences.js";
import { textTrials } from "./trials/texts.js";
import { timeTrials } from "./trials/times.js";
import { typeTrials } from "./trials/types.js";
import { wordTrials } from "./trials/words.js";

/** The trials by families, in the order in which they are played; those that must run alone come last. */
export const auditFamilies: readonly { readonly name: string; readonly trials: readonly AuditTrial[] }[] = [
  { name: "types and spellings", trials: typeTrials },
  { name: "types and fields that differ", trials: fieldTrials },
  { name: "texts", trials: textTrials },
  { name: "words", trials: wordTrials },
  { name: "times", trials: timeTrials },
  { name: "reports", trials: reportTrials },
  { name: "sequences", trials: sequenceTrials },
  { name: "replies", trials: replyTrials },
  { name: "doubles", trials: [...doublesTrials, ...lookAlikeTrials] },
  { name: "connections", trials: connectionTrials },
  { name: "load", trials: loadTrials },
];

/** All trials. */
export const auditTrials: readonly AuditTrial[] = auditFamilies.flatMap(({ trials }) => trials);
