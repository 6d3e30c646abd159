import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { runScenario, type RunOptions, type RunOutcome, type Scenario } from "../../src/index.js";
import { temporaryFolder } from "../support/folder.js";
import { parse } from "./support.js";

/** A UUID that ends in a number. */
export function uuidOf(number: number): string {
  return `6d1f5b1e-3a1c-4a57-9c86-${String(number).padStart(12, "0")}`;
}

const exit = (number: number, to: number | null): object => ({
  uuid: uuidOf(number),
  destination_uuid: to === null ? null : uuidOf(to),
});

const send = (number: number, text: string): object => ({ type: "send_msg", uuid: uuidOf(number), text });

interface Question {
  readonly node: number;
  readonly texts: readonly string[];
  readonly result: string;
  /** Category, test, its arguments, next node. */
  readonly cases: readonly (readonly [category: string, test: string, args: readonly string[], next: number | null])[];
  readonly other: number | null;
  readonly timeoutS?: number;
}

function question({ node, texts, result, cases, other, timeoutS }: Question): object {
  const places = cases.map(([name], index) => ({ name, category: node + 20 + index, exit: node + 40 + index }));
  const [noResponse, noExit] = [node + 38, node + 58];
  return {
    uuid: uuidOf(node),
    actions: texts.map((text, index) => send(node + 1 + index, text)),
    router: {
      type: "switch",
      operand: "@input.text",
      wait: {
        type: "msg",
        ...(timeoutS !== undefined && { timeout: { seconds: timeoutS, category_uuid: uuidOf(noResponse) } }),
      },
      result_name: result,
      categories: [
        ...places.map((one) => ({ uuid: uuidOf(one.category), name: one.name, exit_uuid: uuidOf(one.exit) })),
        { uuid: uuidOf(node + 39), name: "Other", exit_uuid: uuidOf(node + 59) },
        ...(timeoutS === undefined
          ? []
          : [{ uuid: uuidOf(noResponse), name: "No Response", exit_uuid: uuidOf(noExit) }]),
      ],
      cases: cases.map(([, type, args], index) => ({
        uuid: uuidOf(node + 60 + index),
        type,
        arguments: args,
        category_uuid: uuidOf(places[index]?.category ?? 0),
      })),
      default_category_uuid: uuidOf(node + 39),
    },
    exits: [
      ...cases.map(([, , , next], index) => exit(places[index]?.exit ?? 0, next)),
      exit(node + 59, other),
      ...(timeoutS === undefined ? [] : [exit(noExit, null)]),
    ],
  };
}

/** Asks for an age (again after nonsense, one hour at most), then whether the contact farms; greets and joins Farmers. */
export const registration: object = {
  uuid: uuidOf(1),
  name: "Registration",
  type: "messaging",
  spec_version: "13.1.0",
  language: "eng",
  expire_after_minutes: 720,
  nodes: [
    question({
      node: 1000,
      texts: ["Welcome.", 'How old are you@(if(trigger.params.who, ", " & trigger.params.who, ""))?'],
      result: "Age",
      cases: [
        ["Child", "has_number_lt", ["18"], 2000],
        ["Adult", "has_number_gte", ["18"], 2000],
      ],
      other: 1000,
      timeoutS: 3600,
    }),
    question({
      node: 2000,
      texts: ["Do you farm?"],
      result: "Farms",
      cases: [
        ["Yes", "has_any_word", ["yes yebo"], 3000],
        ["No", "has_any_word", ["no"], null],
      ],
      other: 2000,
    }),
    {
      uuid: uuidOf(3000),
      actions: [
        { type: "add_contact_groups", uuid: uuidOf(3001), groups: [{ uuid: uuidOf(9), name: "Farmers" }] },
        send(3002, "Thank you, @results.age.value-year-old farmer"),
      ],
      exits: [exit(3003, null)],
    },
  ],
};

/** An account with the flow above and its keyword. */
export const farmAccount = `account: { name: Farm line }
groups: [Farmers]
flows: [registration.json]
triggers: [{ keyword: join, flow: Registration }]
`;

/** Writes an account and its flow into a folder, with a scenario beside them. @returns the scenario, which names the account */
export function farmScenario(
  text: string,
  account = farmAccount,
): { readonly folder: string; readonly scenario: Scenario } {
  const folder = temporaryFolder();
  writeFileSync(join(folder, "account.yaml"), account);
  writeFileSync(join(folder, "registration.json"), JSON.stringify(registration));
  writeFileSync(join(folder, "day.yaml"), text);
  const scenario = parse(text);
  return { folder, scenario: { ...scenario, source: { ...scenario.source, file: join(folder, "day.yaml") } } };
}

/** Plays a scenario that names account.yaml, in memory. */
export function playFarm(text: string, options: RunOptions = {}, account = farmAccount): Promise<RunOutcome> {
  return runScenario(farmScenario(text, account).scenario, { recording: ":memory:", ...options });
}
