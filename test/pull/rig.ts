import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { onTestFinished } from "vitest";
import { parseScenario, serve } from "../../src/index.js";
import { pullAccount, type PullOptions, type PullSummary } from "../../src/pull/index.js";
import { temporaryFolder } from "../support/folder.js";
import { legacyDefinition } from "../account/flow-samples.js";

export type Json = Readonly<Record<string, unknown>>;

/** A service on loopback, and its token. */
export interface Served {
  readonly url: string;
  readonly token: string;
}

const scenarioText = `
name: Pulled
lasts: 1h
handsets:
  depot: { count: 1, phone: "+254700100200" }
`;

/** Serves account files with a paused clock until the end of the test. */
export async function serveAccount(files: readonly string[]): Promise<Served> {
  const service = await openAccount(files);
  onTestFinished(() => service.close());
  return service;
}

/** Serves account files; the caller closes the service. */
export async function openAccount(files: readonly string[]): Promise<Served & { close(): Promise<void> }> {
  const { scenario } = parseScenario(scenarioText, { file: "pulled.yaml", nowMs: Date.UTC(2026, 2, 4, 6) });
  if (scenario === undefined) throw new Error("the scenario is not sound");
  return serve({
    scenario,
    accounts: files.map((file) => ({ kind: "text", file, text: readFileSync(file, "utf8"), readsFiles: true })),
    receiver: "none",
    isPaused: true,
  });
}

/** Path of a new account file in a folder of its own. */
export function outputPath(name = "account.yaml", folder: string = temporaryFolder()): string {
  return join(folder, name);
}

/** Pulls without waiting. @returns the summary, and what was waited */
export async function pull(
  { url, token }: Served,
  output: string,
  options: Partial<PullOptions> = {},
): Promise<PullSummary & { readonly waits: readonly number[] }> {
  const waits: number[] = [];
  const wait = (ms: number): Promise<void> => Promise.resolve(void waits.push(ms));
  const summary = await pullAccount({ url, token, output, pseudonyms: "off", wait, ...options });
  return { ...summary, waits };
}

/** A file without the comments that name the service and the day. */
export function contentOf(file: string): string {
  return readFileSync(file, "utf8").replaceAll(/^#.*\n/gm, "");
}

/** The records of a list, or of all its pages. */
export async function listOf({ url, token }: Served, name: string): Promise<Json[]> {
  const records: Json[] = [];
  for (let next: string | null = `${url}/api/v2/${name}.json`; next !== null;) {
    const answer = await fetch(next, { headers: { authorization: `Token ${token}` } });
    const page = (await answer.json()) as { next: string | null; results: Json[] };
    records.push(...page.results);
    next = page.next;
  }
  return records;
}

const accounts = dirname(fileURLToPath(new URL("../../scenarios/accounts/ready.yaml", import.meta.url)));

/** Number of contacts of the rich account: three pages. */
export const CONTACTS = 510;

const villages = ["Upper Mill", "Old Harbour", "Three Wells", "Long Bridge"];

/** Names of contacts that may occur nowhere once there are pseudonyms. */
export const names: readonly string[] = Array.from(
  { length: CONTACTS },
  (_, i) => `Quista${letters(i)} Velmo${letters(i * 7)}`,
);

function letters(number: number): string {
  return Array.from(number.toString().padStart(4, "0"), (digit) => "abcdefghij"[Number(digit)]).join("");
}

/** The phone number of a contact of the rich account. */
export function phoneOfContact(number: number): string {
  return `+25471${String(1_000_000 + number * 37).padStart(7, "0")}`;
}

/** UUID of a contact to whom a flow of the rich account sends. */
export const mentionedUuid = "a7d2c9f0-0f3b-4a8e-9b7a-2c5e6d7f8091";

/** A flow that addresses a contact of the account by UUID, name, number and query, and has a secret. */
const mentioning = {
  uuid: "5b1f1b7c-6c7e-4b38-9a43-1f2a3b4c5d6e",
  name: "Tell the nurse",
  spec_version: "13.1.0",
  language: "eng",
  type: "messaging",
  revision: 3,
  expire_after_minutes: 720,
  localization: {},
  nodes: [
    {
      uuid: "0e3c2a51-7a0f-4bb4-9a21-111111111111",
      actions: [
        {
          uuid: "0e3c2a51-7a0f-4bb4-9a21-222222222222",
          type: "send_broadcast",
          text: `Call ${phoneOfContact(0)} today`,
          contacts: [{ uuid: mentionedUuid, name: names[0] }],
          groups: [{ uuid: "11111111-2222-4333-8444-555555555555", name: "Nurses" }],
          urns: [`tel:${phoneOfContact(1)}`],
        },
      ],
      router: {
        type: "switch",
        operand: "@results.sent.category",
        result_name: "Sent",
        default_category_uuid: "0e3c2a51-7a0f-4bb4-9a21-333333333333",
        categories: [
          {
            uuid: "0e3c2a51-7a0f-4bb4-9a21-333333333333",
            name: "Other",
            exit_uuid: "0e3c2a51-7a0f-4bb4-9a21-444444444444",
          },
        ],
        cases: [],
      },
      exits: [
        {
          uuid: "0e3c2a51-7a0f-4bb4-9a21-444444444444",
          destination_uuid: "0e3c2a51-7a0f-4bb4-9a21-555555555555",
        },
      ],
    },
    {
      uuid: "0e3c2a51-7a0f-4bb4-9a21-555555555555",
      actions: [
        {
          uuid: "0e3c2a51-7a0f-4bb4-9a21-666666666666",
          type: "call_webhook",
          method: "POST",
          url: "http://127.0.0.1:9/told?api_key=s3cr3tOfTheFlow&day=7",
          headers: { Authorization: "Token 0123456789abcdef", "Content-Type": "application/json" },
          body: "{}",
          result_name: "Told",
        },
      ],
      exits: [{ uuid: "0e3c2a51-7a0f-4bb4-9a21-777777777777", destination_uuid: null }],
    },
  ],
};

const orphan = legacyDefinition("6c2f1b7c-6c7e-4b38-9a43-1f2a3b4c5d6f", "Old days", "11.12");

/** An account with something of everything that the API gives: flows of both generations, smart groups, three pages. */
export function richAccount(): Record<string, unknown> {
  const contacts = names.map((name, i) => ({
    name,
    uuid: i === 0 ? mentionedUuid : `b7d2c9f0-0f3b-4a8e-9b7a-${String(i).padStart(12, "0")}`,
    ...(i % 50 === 3
      ? { urns: [`mailto:${letters(i)}@velmara.example`, `tel:${phoneOfContact(i)}`, "twitter:" + `t${letters(i)}`] }
      : i % 90 === 5
        ? {}
        : { phone: phoneOfContact(i) }),
    ...(i % 3 === 0 && { language: ["eng", "fra", "swa"][(i / 3) % 3] }),
    ...(i % 97 === 11
      ? { state: "blocked" }
      : i % 97 === 12
        ? { state: "stopped" }
        : { groups: i % 2 === 0 ? ["Mothers"] : i % 5 === 0 ? ["Nurses", "Mothers"] : [] }),
    fields: {
      age: String(i % 90),
      ...(i % 4 === 0 && { village: villages[(i / 4) % 4], nickname: `Zorblax${letters(i)}` }),
      ...(i % 6 === 0 && { first_dose: `2026-10-${String(1 + (i % 28)).padStart(2, "0")}`, home_state: "Ahuni" }),
      ...(i % 12 === 0 && { home_district: "Belvano", home_ward: "Quilave" }),
    },
  }));
  return {
    account: {
      name: "Coast Depot",
      country: "XV",
      languages: ["eng", "fra", "swa"],
      "primary-language": "fra",
      timezone: "Africa/Nairobi",
      "date-style": "month_first",
      credits: { used: 12, remaining: 88 },
    },
    fields: {
      age: { label: "Age in years", type: "numeric" },
      first_dose: "datetime",
      village: "text",
      nickname: "text",
      home_state: "state",
      home_district: "district",
      home_ward: "ward",
    },
    groups: [
      { name: "Nurses", uuid: "11111111-2222-4333-8444-555555555555" },
      "Mothers",
      { name: "Over forty", query: "age > 40" },
      { name: "Of the mill", query: 'village = "Upper Mill" AND age < 60' },
      { name: "One of them", query: `name = "${names[8]}" OR tel = "${phoneOfContact(9)}"` },
    ],
    labels: ["Urgent", "Thanks"],
    contacts,
    flows: [
      { file: join(accounts, "stock-check.json"), labels: ["Supplies", "Weekly"] },
      { file: join(accounts, "registration.json"), archived: true },
      { definition: mentioning },
      { definition: orphan },
    ],
    campaigns: [
      {
        name: "Visits",
        group: "Mothers",
        events: [
          {
            "relative-to": "first_dose",
            offset: "-1 day",
            "delivery-hour": 9,
            message: { eng: "Come tomorrow: really", swa: "Njoo\nkesho" },
            "base-language": "swa",
          },
          {
            "relative-to": "first_dose",
            offset: "3 weeks",
            flow: "Stock check",
            "embedded-data": { round: 2, of: "visits" },
            "start-mode": "skip",
          },
        ],
      },
      { name: "Over", group: "Over forty", archived: true },
    ],
    triggers: [
      { keyword: "join", flow: "Registration" },
      { keyword: "stock", match: "only", flow: "Stock check", groups: ["Nurses"], "exclude-groups": ["Mothers"] },
      { type: "missed-call", flow: "Tell the nurse" },
      { type: "schedule", flow: "Stock check", groups: ["Nurses"], schedule: { repeat: "daily", at: "08:00" } },
      { keyword: "old", flow: "Old days" },
    ],
    resthooks: {
      "stock-low": ["http://127.0.0.1:9/a?token=s3cr3tOfTheHook", "http://127.0.0.1:9/b"],
      "never-used": [],
    },
    boundaries: { file: join(accounts, "ready-boundaries.geojson") },
  };
}
