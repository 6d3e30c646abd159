import { writeFileSync } from "node:fs";
import { dirname, relative, resolve } from "node:path";
import {
  type FlowDefinition,
  type HttpAnswer,
  playAct,
  playScript,
  type SessionContact,
  Talk,
  type TalkAct,
  type TalkLine,
} from "../../../flow/index.js";
import { talkAccountFile, talkScenario, type TimedAct } from "../../../inspect/index.js";
import { suggest } from "../../../scenario/index.js";
import type { TalkFile } from "./talk-account.js";

/** What a line of the user has led to. */
export interface ChatReply {
  readonly lines: readonly TalkLine[];
  /** What the command itself says. */
  readonly notices: readonly string[];
  readonly isOver?: true;
}

/** Milliseconds between a timeout and the text after it, so that a phone has sent the reminder before. */
const AFTER_TIMEOUT_MS = 180_000;

export const chatHelp: readonly string[] = [
  "What you type is a text of the contact. Commands:",
  "  /timeout            nobody answers until the question times out",
  "  /expire             nobody answers until the run expires",
  "  /field KEY VALUE    sets a field of the contact; without VALUE it is cleared",
  "  /http STATUS BODY   how the next HTTP calls are answered; 0: not at all",
  "  /again              starts over, with the fields that were set",
  "  /save FILE.yaml     writes the conversation as a scenario for handset run",
  "  /quit               ends; so does Ctrl-D",
];

/** A conversation at the terminal: reads lines of the user, and keeps what is needed to save it. */
export class ChatSession {
  readonly #file: TalkFile;
  readonly #random: () => number;
  readonly #startsAtMs: number;
  readonly #flow: FlowDefinition | undefined;
  #contact: SessionContact;
  #talk: Talk;
  #acts: TimedAct[] = [];
  #calls: { readonly url: string; readonly status: number; readonly body: string }[] = [];
  #answer: HttpAnswer = { status: 200, body: "{}" };
  #isFieldSetLate = false;
  /** Fields that the user has set. */
  #fields: SessionContact["fields"] = {};

  /** @param flow - that is started; undefined: the first text starts one by a trigger */
  constructor(
    file: TalkFile,
    options: {
      readonly flow: FlowDefinition | undefined;
      readonly contact: SessionContact;
      readonly startsAtMs: number;
      readonly random: () => number;
    },
  ) {
    this.#file = file;
    this.#flow = options.flow;
    this.#contact = options.contact;
    this.#startsAtMs = options.startsAtMs;
    this.#random = options.random;
    this.#talk = this.#newTalk();
  }

  /** Starts the flow. */
  begin(): readonly TalkLine[] {
    return this.#flow === undefined ? [] : this.#play({ kind: "start", flow: this.#flow.name });
  }

  get isWaiting(): boolean {
    return this.#talk.waiting !== undefined;
  }

  /** Handles a line of the user. */
  take(line: string): ChatReply {
    const [, command, rest = ""] = /^\/(\w+)\s*(.*)$/.exec(line.trim()) ?? [];
    if (command === undefined) return { lines: this.#say(line), notices: [] };
    switch (command) {
      case "timeout": {
        if (this.#talk.timeoutSeconds === undefined) return notice(this.#whyNoTimeout());
        return { lines: this.#play({ kind: "timeout" }), notices: [] };
      }
      case "expire": {
        if (!this.isWaiting) return notice("no flow waits for an answer");
        return { lines: this.#play({ kind: "expire" }), notices: [] };
      }
      case "field":
        return this.#setField(rest);
      case "http":
        return this.#setAnswer(rest);
      case "again": {
        this.#contact = { ...this.#contact, fields: { ...this.#contact.fields, ...this.#fields } };
        this.#acts = [];
        this.#calls = [];
        this.#isFieldSetLate = false;
        this.#talk = this.#newTalk();
        return { lines: this.begin(), notices: [] };
      }
      case "save":
        return this.#save(rest);
      case "help":
        return { lines: [], notices: chatHelp };
      case "quit":
        return { lines: [], notices: [], isOver: true };
      default:
        return notice(
          `there is no command /${command}; ${suggest(command, ["timeout", "expire", "field", "http", "again", "save", "help", "quit"])}`,
        );
    }
  }

  #newTalk(): Talk {
    let count = 0;
    return new Talk({
      account: this.#file.account,
      contact: this.#contact,
      startsAtMs: this.#startsAtMs,
      random: this.#random,
      uuid: () => `00000000-0000-4000-8000-${String(++count).padStart(12, "0")}`,
      http: ({ url }) => {
        const { status, body = "" } = this.#answer;
        this.#calls.push({ url, status, body });
        return this.#answer;
      },
    });
  }

  #say(text: string): readonly TalkLine[] {
    const last = this.#acts.at(-1)?.act.kind;
    const seconds = this.#talk.timeoutSeconds ?? Infinity;
    const isLate = last === "timeout" || last === "expire";
    const afterMs = Math.min(isLate ? AFTER_TIMEOUT_MS : 60_000, seconds * 500);
    return this.#play({ kind: "say", text, afterMs });
  }

  #play(act: TalkAct): readonly TalkLine[] {
    const lines = playAct(this.#talk, act, this.#file.account);
    this.#acts.push({ act, lines, atMs: this.#talk.atMs });
    return lines;
  }

  #whyNoTimeout(): string {
    return this.isWaiting ? "this question has no timeout; /expire ends the run" : "no flow waits for an answer";
  }

  #setField(text: string): ChatReply {
    const [, key = "", value = ""] = /^(\S+)\s*(.*)$/.exec(text) ?? [];
    const known = this.#file.account.assets.fields().map((field) => field.key);
    if (key === "") return notice(`write /field KEY VALUE; the export has the fields: ${known.join(", ") || "none"}`);
    if (!known.includes(key.toLowerCase())) {
      return notice(`the export has no field '${key}'; ${suggest(key, known)}`);
    }
    this.#talk.setField(key.toLowerCase(), value);
    const field = this.#talk.contact.fields[key.toLowerCase()];
    this.#fields = field === undefined ? this.#fields : { ...this.#fields, [key.toLowerCase()]: field };
    this.#isFieldSetLate = true;
    return notice(value === "" ? `field ${key} cleared` : `field ${key} = ${value}`);
  }

  #setAnswer(text: string): ChatReply {
    const [, status = "", body = ""] = /^(\d+)\s*(.*)$/.exec(text) ?? [];
    if (status === "") return notice('write /http STATUS BODY, such as /http 200 {"stock": 3}');
    this.#answer = { status: Number(status), ...(body !== "" && { body }) };
    return notice(status === "0" ? "HTTP calls get no answer" : `HTTP calls get ${status}`);
  }

  #save(file: string): ChatReply {
    if (file === "") return notice("name the file: /save talk.yaml");
    if (this.#acts.length === 0) return notice("nothing was said yet");
    const fault = this.#whyNotSaved();
    if (fault !== undefined) return notice(fault);
    const contact = this.#isFieldSetLate
      ? { ...this.#contact, fields: { ...this.#contact.fields, ...this.#fields } }
      : this.#contact;
    const folder = dirname(file);
    const account = talkAccountFile(contact, new Set());
    const accountFile = account === undefined ? undefined : file.replace(/(\.ya?ml)?$/, ".account.yaml");
    const data = [this.#file.file, ...(accountFile === undefined ? [] : [accountFile])].map((one) =>
      relative(resolve(folder), resolve(one)),
    );
    const name = `Conversation with ${this.#flow?.name ?? "the flows"}`;
    const { startsAtMs } = this.#talk;
    const text = talkScenario({ name, contact, startsAtMs, acts: this.#acts, data, calls: this.#calls });
    try {
      if (accountFile !== undefined) writeFileSync(accountFile, account ?? "", { flag: "wx" });
      writeFileSync(file, text, { flag: "wx" });
    } catch (error) {
      const code = error instanceof Error && "code" in error ? String(error.code) : "";
      return notice(
        code === "EEXIST" ? `${file} exists already: name another file` : `${file} cannot be written (${code})`,
      );
    }
    const random = this.#hasChance() ? " A flow has a random split, so the run may go another way." : "";
    return notice(`saved; play it: handset run ${file}.${random}`);
  }

  /** Why the conversation cannot be held again; undefined: it can. */
  #whyNotSaved(): string | undefined {
    const phone = this.#contact.urns[0] ?? "";
    if (!phone.startsWith("tel:"))
      return `a scenario's person needs a phone number, and the contact has ${phone}: give one with --contact`;
    if (!this.#isFieldSetLate) return undefined;
    const contact = { ...this.#contact, fields: { ...this.#contact.fields, ...this.#fields } };
    const script = { name: "", contact, startsAtMs: this.#startsAtMs, acts: this.#acts.map(({ act }) => act) };
    const answers = [...this.#calls];
    const http = (): HttpAnswer => answers.shift() ?? { status: 0 };
    const again = playScript(script, this.#file.account, { random: this.#random, http });
    const isSame =
      JSON.stringify(again.map(({ lines }) => lines)) === JSON.stringify(this.#acts.map(({ lines }) => lines));
    return isSame
      ? undefined
      : "a scenario has fields from its beginning, and the conversation would differ: /again starts over with them";
  }

  #hasChance(): boolean {
    return this.#file.account.flows.some(({ nodes }) => nodes.some(({ router }) => router?.type === "random"));
  }
}

function notice(text: string): ChatReply {
  return { lines: [], notices: [text] };
}
