import { Command } from "commander";
import { chooseTrigger, type FlowDefinition, type TalkAccount } from "../../../flow/index.js";
import { plain } from "../../../report/index.js";
import { nearest } from "../../../scenario/index.js";
import { Streams } from "../../../sim/index.js";
import { wholeNumber } from "../../options/values.js";
import { dialogueText } from "../../printing/talk-text.js";
import { UsageError } from "../../failures.js";
import type { ExitCode, Io } from "../../terminal/io.js";
import { ChatSession, type ChatReply } from "./chat-session.js";
import { chosenFlows, contactOf, readTalkFile, type TalkFile } from "./talk-account.js";

interface Flags {
  readonly contact?: string;
  readonly seed: number;
}

/** `handset flow chat`: a conversation with a flow at the terminal. */
export function chatCommand(io: Io, end: (code: ExitCode) => void): Command {
  return new Command("chat")
    .summary("talk to a flow of an export at the terminal")
    .description(
      "Starts a flow; what you type is a text of the contact. /help lists the commands: /timeout, /expire, /field, " +
        "/http, /again, /save, /quit. Lines may come from a pipe. HTTP requests get 200 and {} and do not leave this machine.",
    )
    .argument("<export>", "an export or a definition (JSON)")
    .argument("[flow]", "the flow: name or UUID (default: it asks, if the export has several)")
    .option("--contact <file>", "the contact, JSON or YAML: name, language, groups, fields, urns")
    .option("--seed <number>", "what chance draws", wholeNumber, 1)
    .addHelpText("after", "\nExample:\n  handset flow chat my-export.json Registration")
    .action(async (path: string, name: string | undefined, { contact: contactFile, seed }: Flags) => {
      const file = readTalkFile(path, { io, end });
      const input = io.lines?.()[Symbol.asyncIterator]();
      const choice = name === undefined ? await chooseFlow(file, io, input) : { flow: chosenFlows(file, [name])[0] };
      if (choice === undefined) {
        end(2);
        return;
      }
      const startsAtMs = Math.floor(Date.now() / 60_000) * 60_000;
      const contact = contactOf(contactFile, file.account, startsAtMs);
      const draws = new Streams(seed).get("chat");
      const session = new ChatSession(file, { flow: choice.flow, contact, startsAtMs, random: () => draws.fine() });
      const show = ({ lines: said, notices }: ChatReply): void => {
        // On a terminal the user sees what was typed.
        const shown = io.stdout.isTTY ? said.filter(({ kind }) => kind !== "contact") : said;
        io.stdout.write(dialogueText(shown, { name: contact.name, width: io.stdout.columns }));
        for (const text of notices) io.stdout.write(`${text}\n`);
      };
      if (io.stdout.isTTY) io.stdout.write("You are the contact. /help lists the commands.\n");
      show({ lines: session.begin(), notices: [] });
      if (choice.text !== undefined) show(session.take(choice.text));
      for (;;) {
        if (io.stdout.isTTY) io.stdout.write("> ");
        const next = await input?.next();
        if (next === undefined || next.done === true) break;
        if (next.value.trim() === "") continue;
        const reply = session.take(next.value);
        if (reply.isOver === true) break;
        show(reply);
      }
      await input?.return?.();
      end(0);
    });
}

/** What a conversation begins with: a flow, or a text that a trigger takes. */
interface Choice {
  readonly flow: FlowDefinition | undefined;
  readonly text?: string;
}

/** Most flows that are listed. */
const LISTED_MAX = 30;

/** Asks which flow: by its number, its name, or a text that a trigger takes. Undefined: the input ended. */
async function chooseFlow(
  { file, account }: TalkFile,
  io: Io,
  input: AsyncIterator<string> | undefined,
): Promise<Choice | undefined> {
  const { flows, triggers } = account;
  const [only, second] = flows;
  if (only === undefined) throw new UsageError(`${file} has no flow that can be loaded`);
  if (second === undefined) return { flow: only };
  const rows = flows.slice(0, LISTED_MAX).map(({ uuid, name }, index) => {
    const keywords = triggers.flatMap(({ flow, keyword }) => (flow === uuid && keyword !== null ? [keyword] : []));
    return `${String(index + 1).padStart(4)}  ${plain(name)}${keywords.length === 0 ? "" : ` (keyword ${keywords.join(", ")})`}`;
  });
  const more = flows.length > LISTED_MAX ? [`      and ${flows.length - LISTED_MAX} more`] : [];
  const keyword = triggers.some(({ type }) => type === "K") ? ", or a text that begins with a keyword" : "";
  io.stdout.write(`${[`${file} has ${flows.length} flows:`, ...rows, ...more].join("\n")}\n`);
  io.stdout.write(`Which one? Write its number or name${keyword}.\n`);
  for (;;) {
    if (io.stdout.isTTY) io.stdout.write("> ");
    const next = await input?.next();
    if (next === undefined || next.done === true) return undefined;
    const text = next.value.trim();
    if (text === "/quit") return undefined;
    const flow = flows[Number(text) - 1] ?? flows.find(({ name }) => name.toLowerCase() === text.toLowerCase());
    if (flow !== undefined) return { flow };
    if (chooseTrigger(triggers, { type: "K", text, channel: null, groups: new Set() }) !== undefined) {
      return { flow: undefined, text };
    }
    if (text !== "") io.stdout.write(`'${plain(text)}' is neither a flow nor a keyword${hintFor(text, flows)}\n`);
  }
}

function hintFor(text: string, flows: TalkAccount["flows"]): string {
  const close = nearest(
    text,
    flows.map(({ name }) => name),
  );
  return close === undefined ? "" : `; did you mean '${close}'?`;
}
