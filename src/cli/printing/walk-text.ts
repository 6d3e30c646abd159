import type { CoverWalk, FlowCover, TalkAct, TalkLine, UnreachedPart, Walk } from "../../flow/index.js";
import { plain, wrap } from "../../report/index.js";
import { count } from "./numbers.js";
import { dialogueText } from "./talk-text.js";

/** A dialogue with the name of its contact. */
interface Dialogue {
  readonly lines: readonly TalkLine[];
  readonly name: string;
}

/** A walk as a JSON object. */
export function walkJson(walk: Walk, dialogue: Dialogue | undefined): object {
  return dialogue === undefined ? walk : { ...walk, transcript: dialogue.lines };
}

/** A walk for people: its end and its errors, or the dialogue. */
export function walkText(
  { name, ended, answers, errors }: Walk,
  dialogue: Dialogue | undefined,
  width: number,
): string {
  const counted = `${count(answers)} ${answers === 1 ? "answer" : "answers"}`;
  const head = `${plain(name)}: ${ended} after ${counted}\n`;
  if (dialogue !== undefined) return `${head}${dialogueText(dialogue.lines, { name: dialogue.name, width })}\n`;
  return `${head}${errors.map((text) => `  ${text}\n`).join("")}`;
}

interface NamedFlow {
  readonly uuid: string;
  readonly name: string;
}

/** The walks of a flow as a JSON object. */
export function coverJson({ uuid, name }: NamedFlow, cover: FlowCover, hasDialogue: boolean): object {
  const { walks, reached, all, unreached } = cover;
  return {
    flow: uuid,
    name,
    reached,
    all,
    walks: walks.map((walk) => ({
      ended: walk.ended,
      acts: walk.script.acts.slice(1),
      contact: changedContact(walk),
      ...(walk.script.draw !== 0 && { draw: walk.script.draw }),
      ...(walk.script.httpStatus !== 200 && { httpStatus: walk.script.httpStatus }),
      errors: errorsOf(walk),
      ...(hasDialogue && { transcript: walk.lines }),
    })),
    unreached,
  };
}

/** The walks of a flow for people, and what they do not reach. */
export function coverText(
  { name }: NamedFlow,
  { walks, reached, all, unreached }: FlowCover,
  { hasDialogue, width }: { readonly hasDialogue: boolean; readonly width: number },
): string {
  const walked = `${count(walks.length)} ${walks.length === 1 ? "walk reaches" : "walks reach"}`;
  const lines = [`${plain(name)}: ${walked} ${count(reached)} of ${count(all)} nodes and categories`];
  // An error is listed with the first walk that meets it.
  const seen = new Set<string>();
  walks.forEach((walk, index) => {
    const begins = beginningText(walk);
    const head = `${index + 1}. ${walk.script.acts.slice(1).map(actText).join(", ") || "no answer"} -> ${walk.ended}${begins}`;
    lines.push(...hanging(plain(head), 2, 5, width));
    if (hasDialogue)
      lines.push(...dialogueText(walk.lines, { name: walk.script.contact.name, width }).trimEnd().split("\n"), "");
    else
      for (const text of errorsOf(walk).filter((one) => !seen.has(one)))
        lines.push(...hanging(plain(text), 5, 7, width));
    for (const text of errorsOf(walk)) seen.add(text);
  });
  if (unreached.length > 0) {
    lines.push("  not reached:");
    for (const part of unreached) lines.push(...hanging(plain(unreachedText(part)), 4, 6, width));
  }
  return lines.map((line) => `${line}\n`).join("");
}

function unreachedText({ node: { title, uuid }, category, why }: UnreachedPart): string {
  const place = title === "" ? uuid : title;
  return category === null ? `${place}: ${why}` : `${place}, category ${category}: ${why}`;
}

function actText(act: TalkAct): string {
  if (act.kind === "say") return act.text === "" ? "(a photo)" : act.text;
  return act.kind === "timeout" ? "(no answer in time)" : act.kind === "expire" ? "(expires)" : "";
}

function beginningText({ script }: CoverWalk): string {
  const { contact, draw = 0, httpStatus = 200 } = script;
  const fields = Object.entries(contact.fields).map(([key, { text }]) => `${key} = ${text === "" ? "nothing" : text}`);
  const parts = [
    ...fields,
    ...contact.groups.map(({ name }) => `in ${name}`),
    ...(contact.language === "" ? [] : [`language ${contact.language}`]),
    ...(draw === 0 ? [] : [`chance ${Math.round(draw * 100) / 100}`]),
    ...(httpStatus === 200
      ? []
      : [httpStatus === 0 ? "HTTP calls without an answer" : `HTTP calls answered ${httpStatus}`]),
  ];
  return parts.length === 0 ? "" : ` (with ${parts.join(", ")})`;
}

function changedContact({ script }: CoverWalk): object {
  const { name, language, fields, groups, urns } = script.contact;
  return {
    name,
    language,
    fields: Object.fromEntries(Object.entries(fields).map(([key, { text }]) => [key, text])),
    groups: groups.map((group) => group.name),
    urns,
  };
}

function errorsOf({ lines }: CoverWalk): readonly string[] {
  const texts = lines.flatMap((line) =>
    line.kind === "error" || line.kind === "failure"
      ? [`${line.text} (flow ${line.place.flow}${line.place.node === "" ? "" : `: ${line.place.node}`})`]
      : [],
  );
  return [...new Set(texts)];
}

function hanging(text: string, first: number, rest: number, width: number): string[] {
  return wrap(text, Math.max(40, width) - rest).map(
    (line, index) => `${" ".repeat(index === 0 ? first : rest)}${line}`,
  );
}
