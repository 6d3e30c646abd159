import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { MessageStatus, Visibility } from "../src/gateway/index.js";
import { parseScenario, serve } from "../src/index.js";
import { Streams } from "../src/sim/index.js";
import { Recording } from "../src/store/index.js";

/** Numbers of rows in the account of the bench. */
export interface AccountSize {
  readonly contacts: number;
  readonly messages: number;
}

/** A group with two thirds of the contacts. */
export const largeGroup = "Registered";

/** Rows in one transaction. */
const BATCH = 20_000;

const DAY_MS = 86_400_000;

/** Age of the account; virtual time continues from there. */
const AGE_MS = 365 * DAY_MS;

const channels = 20;
const givenNames = [
  "Amina",
  "Bertil",
  "Чеслав",
  "Diane",
  "إلهام",
  "Faraji",
  "गीता",
  "Hélène",
  "カナ",
  "Joram",
  "Κλειώ",
];
const familyNames = ["Sorel", "Quansen", "Дорин", "Fauvet", "نوري", "Moyo", "मोहनपुर", "Åstrand", "イワキ", "Kibwe"];
const languages = ["eng", "fra", "swa"];
const villages = ["Upper Mill", "Old Harbour", "Three Wells", "Long Ford"];
const states = ["Ahuni", "Besolo"];
const texts = ["stock 40", "When is the clinic open?", "Merci beaucoup", "هل المستوصف مفتوح اليوم؟", "Asante sana 🙏"];

/** Seed 1, as in bench/api.yaml. */
const streams = new Streams(1);

function phoneOf(index: number): string {
  return `+25079${String(index).padStart(7, "0")}`;
}

/** The UUID of a contact of the account. @param index - from 0 */
export function contactUuid(index: number): string {
  return streams.uuid(`contact/tel:${phoneOf(index)}`);
}

/**
 * Makes an account with a year of history: contacts created in order and modified in random order, texts in and out,
 * some archived, some labelled. They extend the account of `scenarios/accounts/ready.yaml`, with its fields, groups,
 * queries and boundaries.
 *
 * @param path - of a new database
 */
export async function makeAccount(path: string, size: AccountSize): Promise<void> {
  await makeBaseAccount(path);
  const recording = Recording.reopen(path);
  try {
    const firstRow = addContacts(recording, size.contacts);
    addMessages(recording, { count: size.messages, firstRow, contacts: size.contacts });
  } finally {
    recording.close();
  }
}

/** The database with its channels and the ready account. */
async function makeBaseAccount(database: string): Promise<void> {
  const file = fileURLToPath(new URL("../../bench/api.yaml", import.meta.url));
  const { scenario } = parseScenario(readFileSync(file, "utf8"), { file, nowMs: 0 });
  if (scenario === undefined) throw new Error("bench/api.yaml does not parse");
  const accountFile = fileURLToPath(new URL("../../scenarios/accounts/ready.yaml", import.meta.url));
  const text = readFileSync(accountFile, "utf8");
  const account = { kind: "text" as const, file: accountFile, text, readsFiles: true };
  const served = await serve({ scenario, database, accounts: [account], isPaused: true });
  await served.close();
}

function inBatches(recording: Recording, count: number, add: (index: number) => void): void {
  for (let first = 0; first < count; first += BATCH) {
    recording.applyInput({ atMs: AGE_MS, kind: "bench", json: "{}" }, () => {
      for (let index = first; index < Math.min(first + BATCH, count); index++) add(index);
    });
  }
}

/** @returns the row of the first contact */
function addContacts(recording: Recording, count: number): number {
  const { contacts, groups } = recording.tables;
  const stream = streams.get("contacts");
  const groupNamed = (name: string): number => groups.byName(name)?.id ?? 0;
  const [large, mothers, over40, french] = [largeGroup, "Mothers", "Over forty", "French speakers"].map(groupNamed);
  let firstRow = 0;
  inBatches(recording, count, (index) => {
    const row = contacts.nextRow();
    if (index === 0) firstRow = row;
    const urn = `tel:${phoneOf(index)}`;
    const createdAtMs = Math.floor((index / count) * AGE_MS);
    const language = stream.pick(languages);
    const age = stream.int(1, 90);
    contacts.put({
      row,
      uuid: contactUuid(index),
      name: `${stream.pick(givenNames)} ${stream.pick(familyNames)}`,
      language,
      state: "active",
      urns: [urn],
      fields: {
        age: String(age),
        bednets: String(stream.int(0, 40)),
        first_dose: `2026-0${stream.int(1, 9)}-1${stream.int(0, 9)}`,
        village: stream.pick(villages),
        home_state: stream.pick(states),
      },
      createdAtMs,
      modifiedAtMs: stream.int(createdAtMs, AGE_MS),
      lastSeenAtMs: null,
      timezone: null,
    });
    contacts.assign(urn, row, stream.int(1, channels));
    join(large, stream.chance(2 / 3));
    join(mothers, stream.chance(1 / 8));
    join(over40, age > 40);
    join(french, language === "fra");
    function join(group: number | undefined, isMember: boolean): void {
      if (group !== undefined && isMember) groups.join(group, row);
    }
  });
  return firstRow;
}

function addMessages(
  recording: Recording,
  { count, firstRow, contacts }: { readonly count: number; readonly firstRow: number; readonly contacts: number },
): void {
  const { messages, labels } = recording.tables;
  // Message rows and ids continue after those of the ready account.
  const { rows, channels: before } = recording.readGatewayState();
  const stream = streams.get("messages");
  const label = labels.byName("Question")?.id ?? 0;
  inBatches(recording, count, (index) => {
    const row = rows.messages + index + 1;
    const channel = 1 + (index % channels);
    const contact = stream.int(0, contacts - 1);
    const isIncoming = index % 2 === 0;
    const createdAtMs = Math.floor((index / count) * AGE_MS);
    const status: MessageStatus = isIncoming ? "H" : stream.chance(0.97) ? "D" : "F";
    const visibility: Visibility = isIncoming && stream.chance(0.05) ? "archived" : "visible";
    recording.message({
      row,
      id: channel * 0x10_0000 + (before.get(channel)?.messageCount ?? 0) + Math.floor(index / channels) + 1,
      channel,
      contact: firstRow + contact,
      phone: phoneOf(contact),
      direction: isIncoming ? "I" : "O",
      status,
      text: stream.pick(texts),
      createdAtMs,
      sentAtMs: createdAtMs,
      origin: isIncoming ? "phone" : "api",
      replyTo: null,
      broadcast: null,
      type: isIncoming && stream.chance(0.2) ? "flow" : "inbox",
      flow: null,
      visibility,
    });
    if (isIncoming && stream.chance(0.1)) messages.addLabel(row, label, stream.int(createdAtMs, AGE_MS));
  });
}
