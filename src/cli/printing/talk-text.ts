import type { TalkLine } from "../../flow/index.js";
import { plain, wrap } from "../../report/index.js";

/** Columns of the names of those who speak. */
const NAME_WIDTH = 8;

/** A dialogue for people: who says what, results, changes and problems with their places. */
export function dialogueText(
  lines: readonly TalkLine[],
  { name, width }: { readonly name: string; readonly width: number },
): string {
  const first = name.split(/\s/)[0] ?? "";
  const who = first === "" || first.length > NAME_WIDTH - 1 ? "contact" : first;
  return lines
    .flatMap((line) => textOf(line, who, width))
    .map((line) => `${line}\n`)
    .join("");
}

function textOf(line: TalkLine, who: string, width: number): readonly string[] {
  switch (line.kind) {
    case "contact":
      return said(who, line.text, width);
    case "service":
      return [
        ...said("flow", line.text, width),
        ...line.attachments.flatMap((attachment) => said("", attachment, width)),
        ...(line.quickReplies.length === 0
          ? []
          : said("", line.quickReplies.map((reply) => `[${reply}]`).join(" "), width)),
      ];
    case "timeout":
      return note("(no answer in time)", width);
    case "expired":
      return note("(the run expires)", width);
    case "flow":
      return note(`(flow ${line.name})`, width);
    case "result": {
      const category = line.category === "" ? "" : ` (${line.category})`;
      return note(`${line.name} = ${line.value === "" ? "nothing" : line.value}${category}`, width);
    }
    case "change":
      return note(line.text, width);
    case "error":
    case "failure": {
      const { flow, node } = line.place;
      return note(`${line.kind.toUpperCase()}: ${line.text} (flow ${flow}${node === "" ? "" : `: ${node}`})`, width);
    }
    case "end":
      return note(`(${line.how})`, width);
    case "unheard":
      return note("(no flow takes this text)", width);
  }
}

function said(who: string, text: string, width: number): string[] {
  const room = Math.max(20, width - NAME_WIDTH - 2);
  const lines = text.split(/\r?\n/).flatMap((line) => wrap(plain(line), room));
  return lines.map((line, index) => `  ${(index === 0 ? who : "").padEnd(NAME_WIDTH)}${line}`.trimEnd());
}

function note(text: string, width: number): string[] {
  const lines = wrap(plain(text.replaceAll(/\s+/g, " ")), Math.max(20, width - NAME_WIDTH - 4));
  return lines.map((line, index) => `  ${" ".repeat(NAME_WIDTH)}${index === 0 ? "· " : "  "}${line}`);
}
