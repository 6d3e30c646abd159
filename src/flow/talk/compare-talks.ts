import type { TalkAccount } from "./talk.js";
import type { TalkLine } from "./talk-line.js";
import { type PlayedAct, playScript, type TalkAct, type TalkScript } from "./talk-script.js";

/** A conversation that goes another way with other flows. */
export interface ChangedTalk {
  readonly script: TalkScript;
  /** The acts up to the one where they part. */
  readonly acts: readonly TalkAct[];
  /** The lines of that act, from the first one that differs. */
  readonly old: readonly TalkLine[];
  readonly new: readonly TalkLine[];
}

/** Plays a conversation against two versions of flows. @returns undefined when both say, save and change the same */
export function compareTalk(script: TalkScript, before: TalkAccount, after: TalkAccount): ChangedTalk | undefined {
  const [old, changed] = [playScript(script, before), playScript(script, after)];
  for (const [index, act] of old.entries()) {
    const [left, right] = [shown(act), shown(changed[index])];
    const first = left.findIndex((line, place) => markOf(line) !== markOf(right[place]));
    if (first === -1 && left.length === right.length) continue;
    const from = first === -1 ? left.length : first;
    return {
      script,
      acts: script.acts.slice(0, index + 1),
      old: left.slice(from),
      new: right.slice(from),
    };
  }
  return undefined;
}

/** The lines that a contact hears, or that the account keeps. */
function shown(act: PlayedAct | undefined): readonly TalkLine[] {
  return (act?.lines ?? []).filter(({ kind }) => kind !== "contact" && kind !== "flow");
}

/** What must be the same of a line. The place of a result or an error may change. */
function markOf(line: TalkLine | undefined): string {
  if (line === undefined) return "";
  return JSON.stringify(line, (key, value: unknown) => (key === "place" ? undefined : value));
}
