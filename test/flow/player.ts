import { playSession } from "../../src/flow/index.js";
import { Streams } from "../../src/sim/index.js";

type Json = Readonly<Record<string, unknown>>;

/** What a test plays: one flow named "main", and what it needs. */
export interface PlayedInput {
  readonly nodes: readonly Json[];
  /** Properties of the flow beside its nodes. */
  readonly flow?: Json;
  /** Other flows. */
  readonly flows?: readonly Json[];
  readonly assets?: Json;
  readonly environment?: Json;
  readonly contact?: Json;
  readonly trigger?: Json;
  readonly resumes?: readonly Json[];
  readonly mocks?: Json;
  readonly membership?: (contact: { readonly fields: Readonly<Record<string, { readonly text: string }>> }) => boolean;
}

export const now = "2026-03-02T08:15:00.000000Z";

/** Plays a session at a fixed time with a fixed seed. */
export function play(input: PlayedInput): ReturnType<typeof playSession>["sprints"] {
  const streams = new Streams(7);
  const draws = streams.get("random");
  let uuids = 0;
  const { sprints } = playSession(
    {
      assets: {
        flows: [definition(input.nodes, input.flow), ...(input.flows ?? [])],
        channels: [channel],
        fields: [
          { key: "age", name: "Age", type: "number" },
          { key: "town", name: "Town", type: "text" },
        ],
        groups: [{ uuid: "farmers", name: "Farmers" }],
        labels: [{ uuid: "urgent", name: "Urgent" }],
        ...input.assets,
      },
      environment: { allowed_languages: ["eng", "kin"], timezone: "Africa/Kigali", ...input.environment },
      contact: { ...ann, ...input.contact },
      trigger: { type: "manual", flow: { uuid: "main", name: "Main" }, ...input.trigger },
      resumes: input.resumes ?? [],
      http_mocks: input.mocks ?? {},
    },
    {
      now: () => Date.parse(now),
      random: () => draws.fine(),
      uuid: () => streams.uuid(`uuid/${uuids++}`),
      membership: () => (_group, contact) => input.membership?.(contact),
    },
  );
  return sprints;
}

export const channel = {
  uuid: "android",
  name: "Android",
  address: "+250788000001",
  schemes: ["tel"],
  roles: ["send", "receive"],
  country: "RW",
};

export const ann = {
  uuid: "ann",
  id: 7,
  name: "Ann Uwase",
  language: "eng",
  created_on: "2025-01-02T03:04:05.678901Z",
  urns: ["tel:+250788123123?channel=android"],
  groups: [],
  fields: {},
};

export function definition(nodes: readonly Json[], properties: Json = {}): Json {
  return {
    uuid: "main",
    name: "Main",
    spec_version: "13.1.0",
    language: "eng",
    type: "messaging",
    ...properties,
    nodes,
  };
}

/** A node with actions and one exit. @param to - uuid of the next node; null: the flow ends */
export function act(uuid: string, actions: readonly Json[], to: string | null = null): Json {
  return {
    uuid,
    actions: actions.map((action, index) => ({ uuid: `${uuid}-action-${index}`, ...action })),
    exits: [{ uuid: `${uuid}-exit`, destination_uuid: to }],
  };
}

/** A switch: each case `[test, arguments, category]`; the last category is the default. */
export function split(
  uuid: string,
  {
    operand = "@input.text",
    cases,
    other = "Other",
    to = {},
    ...rest
  }: {
    readonly operand?: string;
    readonly cases: readonly (readonly [test: string, args: readonly string[], category: string])[];
    readonly other?: string;
    /** Next nodes by category. */
    readonly to?: Readonly<Record<string, string>>;
    readonly wait?: Json;
    readonly result_name?: string;
    readonly actions?: readonly Json[];
  },
): Json {
  const names = [...new Set([...cases.map(([, , category]) => category), other])];
  const { actions = [], ...router } = rest;
  return {
    uuid,
    actions: actions.map((action, index) => ({ uuid: `${uuid}-action-${index}`, ...action })),
    router: {
      type: "switch",
      operand,
      cases: cases.map(([type, args, category], index) => ({
        uuid: `${uuid}-case-${index}`,
        type,
        arguments: args,
        category_uuid: `${uuid}-${category}`,
      })),
      categories: names.map((name) => ({ uuid: `${uuid}-${name}`, name, exit_uuid: `${uuid}-${name}-exit` })),
      default_category_uuid: `${uuid}-${other}`,
      ...router,
    },
    exits: names.map((name) => ({ uuid: `${uuid}-${name}-exit`, destination_uuid: to[name] ?? null })),
  };
}

/** A node that waits for a message and saves it under a name. */
export function ask(uuid: string, name: string, properties: Partial<Parameters<typeof split>[1]> = {}): Json {
  return split(uuid, { cases: [["has_text", [], "All"]], wait: { type: "msg" }, result_name: name, ...properties });
}

export function message(text: string): Json {
  return { type: "msg", msg: { text, urn: "tel:+250788123123" } };
}

/** Names of a sprint's events. */
export function typesOf(sprint: { readonly events: readonly Json[] } | undefined): readonly unknown[] {
  return sprint?.events.map(({ type }) => type) ?? [];
}

/** The events of a type, without where and when they happened. */
export function eventsOf(sprint: { readonly events: readonly Json[] } | undefined, type: string): readonly Json[] {
  const found = sprint?.events.filter((event) => event["type"] === type) ?? [];
  return found.map(({ created_on: _c, step_uuid: _s, run_uuid: _r, type: _t, ...body }) => body);
}
