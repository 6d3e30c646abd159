import type { PlayedAct, SessionContact, TalkLine } from "../flow/index.js";
import { durationLiteral, type ScenarioInput, scenarioYaml, type StepInput } from "../scenario/index.js";
import { formatTimestamp, phoneOfUrn } from "../wire/index.js";
import { exactInput, patternInput } from "./conversation.js";

/** An act of a conversation with the time at which it ended. */
export interface TimedAct extends PlayedAct {
  /** Milliseconds since 1970. */
  readonly atMs: number;
}

/** A conversation that was held with flows directly, not in a lab. */
export interface HeldTalk {
  readonly name: string;
  /** The contact before the first act. */
  readonly contact: SessionContact;
  readonly startsAtMs: number;
  readonly acts: readonly TimedAct[];
  /** Account files of the scenario, from its folder. */
  readonly data: readonly string[];
  /** HTTP calls: the URL, and the status and body of the answer. */
  readonly calls: readonly { readonly url: string; readonly status: number; readonly body: string }[];
}

/** From the begin of the scenario to the first act, and from the last act to its end. */
const MARGIN_MS = 60_000;
const END_MS = 5 * 60_000;
const WITHIN = "2m";

const PERSON = "person";
const HANDSET = "line";

/**
 * A scenario that holds the conversation again in a lab, and expects what was heard and saved.
 *
 * @param talk - without attachments of the contact; its first address is a phone number
 */
export function talkScenario({ name, contact, startsAtMs, acts, data, calls }: HeldTalk): string {
  const phone = phoneOfUrn(contact.urns[0] ?? "") ?? "";
  const story = acts.flatMap(({ act, lines, atMs }): StepInput[] => {
    const at = durationLiteral(Math.floor((atMs - startsAtMs + MARGIN_MS) / 1000) * 1000);
    const own =
      act.kind === "start"
        ? [{ at, flow: { person: PERSON, flow: act.flow } }]
        : act.kind === "say"
          ? [{ at, text: { from: PERSON, to: HANDSET, body: act.text } }]
          : [];
    return [...own, ...lines.flatMap((line) => expectationOf(line)).map((expect) => ({ at, expect }))] as StepInput[];
  });
  const lastMs = (acts.at(-1)?.atMs ?? startsAtMs) - startsAtMs + MARGIN_MS + END_MS;
  const isPlain = Object.keys(contact.fields).length + contact.groups.length === 0;
  return scenarioYaml({
    name,
    starts: formatTimestamp(startsAtMs - MARGIN_MS),
    lasts: durationLiteral(Math.ceil(lastMs / 60_000) * 60_000),
    data: data.length === 1 ? data[0] : data,
    receiver: "none",
    carriers: { instant: { delay: "0s" } },
    handsets: { [HANDSET]: { phone: "+250788000001", carrier: "instant" } },
    people: {
      [PERSON]: {
        phone,
        ...(isPlain && contact.name !== "" && { name: contact.name }),
        ...(isPlain && contact.language !== "" && { language: contact.language }),
      },
    },
    ...(calls.length > 0 && {
      mocks: calls.map(({ url, status, body }) => ({ url, status, times: 1, ...(status !== 0 && { body }) })),
    }),
    story,
  } as ScenarioInput);
}

/** The account file that gives the contact of a scenario its groups and fields. Undefined: it has none. */
export function talkAccountFile(contact: SessionContact, definedFields: ReadonlySet<string>): string | undefined {
  const { name, language, groups, fields, urns } = contact;
  if (groups.length + Object.keys(fields).length === 0) return undefined;
  const more = Object.keys(fields).filter((key) => !definedFields.has(key));
  return scenarioYaml({
    account: "existing",
    ...(more.length > 0 && { fields: Object.fromEntries(more.map((key) => [key, "text"])) }),
    contacts: [
      {
        ...(name !== "" && { name }),
        phone: phoneOfUrn(urns[0] ?? ""),
        ...(language !== "" && { language }),
        ...(groups.length > 0 && { groups: groups.map((group) => group.name) }),
        fields: Object.fromEntries(Object.entries(fields).map(([key, { text }]) => [key, text])),
      },
    ],
  } as never);
}

function expectationOf(line: TalkLine): object[] {
  if (line.kind === "service" && line.text.trim() !== "") {
    return [{ person: PERSON, hears: patternInput(line.text), within: WITHIN }];
  }
  if (line.kind !== "result") return [];
  const { name, value, category, place } = line;
  // The value of a timeout is its instant.
  const isInstant = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d/.test(value);
  return [
    {
      person: PERSON,
      result: name,
      ...(value !== "" && !isInstant && { is: exactInput(value) }),
      ...(category !== "" && { category }),
      ...(place.flow !== "" && { flow: place.flow }),
      within: WITHIN,
    },
  ];
}
