import { parse, YAMLParseError } from "yaml";
import {
  ContactInputError,
  type ExportFlows,
  readExportFlows,
  readTalkContact,
  type SessionContact,
  type TalkAccount,
  talkAccount,
  talkContact,
} from "../../../flow/index.js";
import { nearest, suggest } from "../../../scenario/index.js";
import { UsageError } from "../../failures.js";
import { readText } from "../../scenario-file.js";
import type { ExitCode, Io } from "../../terminal/io.js";
import { readJsonFile } from "./json-file.js";

/** A file of flows that conversations are played with. */
export interface TalkFile {
  readonly file: string;
  readonly account: TalkAccount;
}

/** The account of a file. Flows that cannot be loaded are named, and end the command with exit code 2. */
export function accountOf(
  file: string,
  read: ExportFlows,
  { io, end }: { readonly io: Io; readonly end: (code: ExitCode) => void },
): TalkFile {
  for (const { flow, text } of read.faults) {
    io.stderr.write(`${file}: ${flow}: cannot be loaded: ${text}\n`);
    end(2);
  }
  const account = talkAccount(read);
  for (const name of account.assets.missingFlows) {
    io.stderr.write(`${file}: flow '${name}' is missing, taken as empty\n`);
  }
  return { file, account };
}

/** Reads a file as {@link accountOf}. */
export function readTalkFile(
  file: string,
  context: { readonly io: Io; readonly end: (code: ExitCode) => void },
): TalkFile {
  return accountOf(file, readExportFlows(readJsonFile(file)), context);
}

/**
 * The flows with these names or UUIDs; all if none is named.
 *
 * @throws UsageError for a flow that the file lacks
 */
export function chosenFlows({ file, account }: TalkFile, names: readonly string[]): TalkAccount["flows"] {
  const { flows } = account;
  if (names.length === 0) return flows;
  return names.map((name) => {
    const lower = name.toLowerCase();
    const found = flows.find((flow) => flow.uuid === lower || flow.name.toLowerCase() === lower);
    if (found !== undefined) return found;
    const known = flows.map((flow) => flow.name);
    const close = nearest(name, known);
    throw new UsageError(
      `${file} has no flow '${name}'`,
      close === undefined ? `it has: ${known.slice(0, 20).join(", ")}` : `did you mean '${close}'?`,
    );
  });
}

/**
 * The contact of a file, JSON or YAML; without a file, Ann Uwase with a phone number and nothing else.
 *
 * @throws UsageError when the file cannot be read or says something else
 */
export function contactOf(file: string | undefined, account: TalkAccount, atMs: number): SessionContact {
  if (file === undefined) return talkContact(atMs);
  const text = readText(file);
  try {
    return readTalkContact(parse(text), account, atMs);
  } catch (error) {
    if (error instanceof ContactInputError) {
      throw new UsageError(
        `${file}: ${error.message}`,
        error.valid.length === 0 ? undefined : suggest(error.word, error.valid),
      );
    }
    if (error instanceof YAMLParseError) {
      const { line = 1, col = 1 } = error.linePos?.[0] ?? {};
      throw new UsageError(`${file}:${line}:${col}: ${error.message.split("\n")[0] ?? ""}`);
    }
    throw error;
  }
}
