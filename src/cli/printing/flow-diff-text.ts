import type { ChangedTalk, TalkAct, TalkLine } from "../../flow/index.js";
import { plain, wrap } from "../../report/index.js";
import { count } from "./numbers.js";

/** What two versions of flows say in the same conversations. */
export interface FlowDiff {
  readonly old: string;
  readonly new: string;
  /** Number of conversations. */
  readonly talks: number;
  readonly changed: readonly ChangedTalk[];
  /** Names of flows that only the new file has. */
  readonly added: readonly string[];
}

/** Most changed conversations that are shown, and most lines of each side. */
const SHOWN_MAX = 10;
const LINES_MAX = 4;

/** The result as a JSON object. */
export function changedJson({ old, new: newFile, talks, changed, added }: FlowDiff): object {
  return {
    old,
    new: newFile,
    talks,
    changed: changed.map((talk) => ({
      name: talk.script.name,
      acts: talk.acts,
      ...(talk.script.draw !== undefined && { draw: talk.script.draw }),
      ...(talk.script.httpStatus !== undefined && { httpStatus: talk.script.httpStatus }),
      old: talk.old,
      new: talk.new,
    })),
    added,
  };
}

/** The result for people: each changed conversation up to where it parts, then both ways side by side. */
export function changedText(
  { old, new: newFile, talks, changed, added }: FlowDiff,
  { width, showsAll }: { readonly width: number; readonly showsAll: boolean },
): string {
  const partings = partingsOf(changed);
  const shown = showsAll ? partings : partings.slice(0, SHOWN_MAX);
  const verb =
    changed.length === 0 ? "none changes" : `${count(changed.length)} ${changed.length === 1 ? "changes" : "change"}`;
  const lines = [`${old} -> ${newFile}: ${count(talks)} ${talks === 1 ? "conversation" : "conversations"}, ${verb}`];
  for (const talk of shown) lines.push("", ...talkLines(talk, Math.max(60, width)));
  if (shown.length < changed.length)
    lines.push("", `  and ${count(changed.length - shown.length)} more (--all shows them)`);
  if (added.length > 0) {
    lines.push("", ...wrap(`only in ${newFile}, so not compared: ${added.map(plain).join(", ")}`, width));
  }
  return lines.map((line) => `${line}\n`).join("");
}

/** Conversations that part in the same way, together. */
function partingsOf(changed: readonly ChangedTalk[]): readonly (readonly ChangedTalk[])[] {
  const found = new Map<string, ChangedTalk[]>();
  for (const talk of changed) {
    const mark = JSON.stringify([talk.acts.at(-1), talk.old, talk.new]);
    const same = found.get(mark);
    if (same === undefined) found.set(mark, [talk]);
    else same.push(talk);
  }
  return [...found.values()];
}

function talkLines([first, ...others]: readonly ChangedTalk[], width: number): readonly string[] {
  if (first === undefined) return [];
  const { script, acts, old, new: changed } = first;
  const said = acts.map(actText).filter((text) => text !== "");
  const half = Math.floor((width - 7) / 2);
  const [left, right] = [sideOf(old, half), sideOf(changed, half)];
  const rows = Array.from({ length: Math.max(left.length, right.length) }, (_, index) =>
    `    ${(left[index] ?? "").padEnd(half)} | ${right[index] ?? ""}`.trimEnd(),
  );
  return [
    ...wrap(
      `${plain(script.name)}: ${said.length === 0 ? "at its start" : `after ${said.map(plain).join(", ")}`}`,
      width - 2,
    ).map((line) => `  ${line}`),
    `    ${"old".padEnd(half)} | new`,
    ...rows,
    ...(others.length === 0 ? [] : [`    the same in ${count(others.length)} more`]),
  ];
}

function sideOf(lines: readonly TalkLine[], width: number): readonly string[] {
  if (lines.length === 0) return ["(nothing)"];
  const more = lines.length > LINES_MAX ? [`(${lines.length - LINES_MAX} more)`] : [];
  return [...lines.slice(0, LINES_MAX).map(lineText), ...more].flatMap((text) => wrap(plain(text), width));
}

function lineText(line: TalkLine): string {
  switch (line.kind) {
    case "service":
      return [line.text, ...line.attachments, ...line.quickReplies.map((reply) => `[${reply}]`)].join(" ");
    case "result":
      return `· ${line.name} = ${line.value}${line.category === "" ? "" : ` (${line.category})`}`;
    case "error":
    case "failure":
      return `· ${line.kind.toUpperCase()}: ${line.text}`;
    case "change":
      return `· ${line.text}`;
    case "end":
      return `· (${line.how})`;
    case "timeout":
      return "· (no answer in time)";
    case "expired":
      return "· (the run expires)";
    case "unheard":
      return "· (no flow takes this text)";
    case "contact":
      return line.text;
    case "flow":
      return `· (flow ${line.name})`;
  }
}

function actText(act: TalkAct): string {
  if (act.kind === "say") return act.text === "" ? "(a photo)" : `"${act.text}"`;
  return act.kind === "timeout" ? "(no answer in time)" : act.kind === "expire" ? "(expires)" : "";
}
