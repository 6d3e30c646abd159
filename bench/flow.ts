import {
  type Assets,
  type SessionContact,
  type Host,
  readDefinition,
  resumeSession,
  startSession,
} from "../src/flow/index.js";
import { emptyAssets } from "../test/flow/empty-assets.js";
import { medianOf, printTable } from "./table.js";

const definition = readDefinition({
  uuid: "flow",
  name: "Survey",
  spec_version: "13.1.0",
  language: "eng",
  type: "messaging",
  nodes: [
    ask("age", "How old are you, @contact.first_name?", { type: "has_number_between", arguments: ["1", "120"] }),
    ask("sex", "Are you a woman or a man?", { type: "has_any_word", arguments: ["woman female f"] }),
    {
      uuid: "end",
      actions: [
        {
          uuid: "say",
          type: "send_msg",
          text: "Thanks @contact.name, you are @results.age and @results.sex.category.",
        },
      ],
      exits: [{ uuid: "end-exit", destination_uuid: null }],
    },
  ].flat(),
});

/** A node that asks, one that waits and stores the answer in a result, and one that stores it in a field. */
function ask(name: string, text: string, test: { type: string; arguments: string[] }): object[] {
  const next = name === "age" ? "sex-ask" : "end";
  return [
    {
      uuid: `${name}-ask`,
      actions: [{ uuid: `${name}-text`, type: "send_msg", text }],
      exits: [{ uuid: `${name}-asked`, destination_uuid: `${name}-wait` }],
    },
    {
      uuid: `${name}-wait`,
      actions: [],
      router: {
        type: "switch",
        operand: "@input.text",
        result_name: name,
        wait: { type: "msg" },
        cases: [{ uuid: `${name}-case`, ...test, category_uuid: `${name}-right` }],
        categories: [
          { uuid: `${name}-right`, name: "Right", exit_uuid: `${name}-next` },
          { uuid: `${name}-other`, name: "Other", exit_uuid: `${name}-again` },
        ],
        default_category_uuid: `${name}-other`,
      },
      exits: [
        { uuid: `${name}-next`, destination_uuid: `${name}-store` },
        { uuid: `${name}-again`, destination_uuid: `${name}-ask` },
      ],
    },
    {
      uuid: `${name}-store`,
      actions: [
        { uuid: `${name}-set`, type: "set_contact_field", field: { key: name, name }, value: `@results.${name}` },
      ],
      exits: [{ uuid: `${name}-stored`, destination_uuid: next }],
    },
  ];
}

const channel = { uuid: "channel", name: "Android", address: "+250788000001", schemes: ["tel"], roles: ["send"] };
const fields = ["age", "sex"].map((key) => ({ key, name: key, type: "text" as const }));
const assets: Assets = {
  ...emptyAssets,
  flow: () => definition,
  field: (key) => fields.find((field) => field.key === key),
  fields: () => fields,
  channel: () => channel,
  channels: () => [channel],
};

const contact: SessionContact = {
  uuid: "contact",
  id: 1,
  name: "Ann Uwase",
  language: "eng",
  timezone: "",
  status: "active",
  createdAtMs: 1_700_000_000_000,
  urns: ["tel:+250788123123?channel=channel"],
  groups: [],
  fields: {},
};

/** Cost of one sprint in microseconds: the median of three sprints of a survey, each stored as JSON in between. */
function sprintCostUs(sessions: number): number {
  let count = 0;
  const host: Host = {
    environment: {
      timezone: "Africa/Kigali",
      dateFormat: "DD-MM-YYYY",
      timeFormat: "tt:mm",
      allowedLanguages: ["eng"],
    },
    assets,
    now: () => 1_772_000_000_000,
    random: () => 0.5,
    uuid: () => `uuid-${count++}`,
  };
  const startedAt = performance.now();
  for (let index = 0; index < sessions; index++) {
    const trigger = { type: "manual", flow: definition, triggeredAtMs: 0 } as const;
    const first = startSession(host, contact, trigger);
    const second = resumeSession(host, first.session, first.contact, answer("I am 33 years"));
    const last = resumeSession(host, second.session, second.contact, answer("Woman"));
    if (last.session.status !== "completed") throw new Error(`the survey is ${last.session.status}`);
  }
  return ((performance.now() - startedAt) / sessions / 3) * 1000;
}

function answer(text: string): Parameters<typeof resumeSession>[3] {
  return { type: "msg", resumedAtMs: 0, msg: { text, urn: "tel:+250788123123", channel } };
}

/** A sprint that stores an answer and asks the next question must cost at most 50 microseconds. */
export function benchFlow(): void {
  console.log("Flows: cost of a sprint that stores an answer and asks the next question\n");
  sprintCostUs(20_000);
  const costUs = medianOf(Array.from({ length: 5 }, () => sprintCostUs(20_000)));
  printTable(
    ["sprint", "sprints/s", "limit"],
    [[`${costUs.toFixed(1)} us`, Math.round(1e6 / costUs).toLocaleString("en-US"), "50 us"]],
  );
}
