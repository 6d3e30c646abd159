import { flowProblems } from "../../account/index.js";
import { LabError } from "../../base/index.js";
import { filesBeside } from "../../lab/index.js";
import { formatDiagnostics } from "../../scenario/index.js";
import type { AccountData } from "../../wire/index.js";
import { readAccount } from "./account-rules.js";
import type { AccountSource, ReadSource } from "./account-source.js";

/**
 * Reads a text with account data.
 *
 * @throws LabError `bad-account` when it cannot be read; its hint has the diagnostics
 */
export async function readSource(source: Extract<AccountSource, { kind: "text" }>): Promise<ReadSource> {
  const { file, text, mostPeople = Infinity, leavesOutFlows = false } = source;
  const files: Record<string, string> = {};
  const readFile = fileReaderOf(source);
  const { account, diagnostics } = await readAccount(text, {
    file,
    readFile: readFile && ((path) => (files[path] = readFile(path))),
  });
  if (account === undefined) {
    throw new LabError("bad-account", `${file} is not an account that can be loaded`, {
      hint: formatDiagnostics(diagnostics, text),
    });
  }
  const count = account.people.reduce((sum, spec) => sum + spec.count, 0);
  if (count > mostPeople) {
    const most = mostPeople.toLocaleString("en");
    throw new LabError(
      "bad-account",
      `${file} describes ${count.toLocaleString("en")} people, a request may add ${most}`,
      {
        hint: "a server that starts with the file adds more: handset serve --data FILE",
      },
    );
  }
  const problems = diagnostics.map(({ line, message }) => `${file}:${line}: ${message}`);
  const data = leavesOutFlows ? withoutFlows(account) : account;
  return { data, people: account.people, problems, flowProblems: flowProblems(data), files };
}

/** The data without flows, campaigns, triggers and runs. */
function withoutFlows(data: AccountData): AccountData {
  const orders = data.orders.filter(({ kind }) => kind !== "start");
  return { ...data, flows: [], campaigns: [], triggers: [], runs: [], orders };
}

/** @returns undefined when the account may not name files */
function fileReaderOf({ file, readsFiles = false, files }: AccountSource & { readonly kind: "text" }) {
  if (files === undefined) return readsFiles ? filesBeside(file) : undefined;
  return (path: string): string => {
    const text = files[path];
    if (text === undefined) throw new Error("it is not in the recording");
    return text;
  };
}
