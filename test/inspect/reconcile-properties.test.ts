import { rmSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import { sharedFolder } from "../support/folder.js";
import {
  logForms,
  type LogRow,
  type ReceivedEvent,
  type ReceivedRun,
  receivedRun,
  reconcileRows,
} from "./received-run.js";
import { runs as casesIn } from "../support/effort.js";

/** Texts that differ in more than white space, Unicode normalisation and letter case. */
const texts = [
  "12 bags of maize",
  "trailing space ",
  "  indented",
  "two\nlines",
  "J'ai reçu 3 sacs à Huyé",
  "decomposed e\u0301",
  'she said "no", then; left',
  "tab\there",
  "👩🏽‍🌾 at the market",
  "",
  "50% + 3 & more = ?",
  "0788000123",
  "2026-03-04",
  "x".repeat(400),
];

const story = (seed: number): string => `
name: Texts
seed: ${seed}
starts: 2026-03-04T09:00:00.000Z
lasts: 3h
receiver: { marks: true }
handsets:
  farm: { count: 2, phone: "+25078800080{0}", battery: 80%, network: LTE }
people:
  workers: { count: 5, of: farm, phone: "+2507820{00000}" }
story:
${texts
  .map(
    (text, index) =>
      `  - { at: ${(index + 1) * 10}m, text: { from: workers/${(index * seed) % 5}, to: farm/${index % 2}, body: ${JSON.stringify(text)} } }`,
  )
  .join("\n")}
`;

/** Other names than the usual ones of a role, and usual ones, also of other roles. */
const names = [
  "id",
  "sms",
  "phone",
  "text",
  "time",
  "c1",
  "c2",
  "c3",
  "Feld",
  "numéro",
  "message",
  "from",
  "created_at",
  "type",
];

type Role = "id" | "number" | "phone" | "text" | "time";

/** Columns that a receiver may have beside those of the event. */
const others: readonly ((row: number) => string | number)[] = [
  (row) => row + 1,
  () => '{"version":1}',
  (row) => `00000000-0000-4000-8000-${String(row).padStart(12, "0")}`,
  (row) => `2019-01-01T00:00:${String(row % 60).padStart(2, "0")}Z`,
  (row) => (row % 2 === 0 ? "true" : "false"),
];

/** How a receiver may write a phone or a time. */
const phoneForms: readonly ((phone: string) => string)[] = [
  (phone) => phone,
  (phone) => phone.slice(1),
  (phone) => `tel:${phone}`,
  (phone) => phone.replace(/^\+250(\d{3})(\d{3})(\d{3})$/, "0$1 $2 $3"),
];
const timeForms: readonly ((time: string) => string)[] = [
  (time) => time,
  (time) => `${time.slice(0, 19).replace("T", " ")}`,
  (time) => `${new Date(Date.parse(`${time}Z`) + 7_200_000).toISOString().slice(0, -1)}+02:00`,
  (time) => String(Date.parse(`${time}Z`)),
];

/** What was done to the row of an event. */
const deeds = ["kept", "dropped", "doubled", "text changed", "phone changed"] as const;
type Deed = (typeof deeds)[number];

const layout = fc.record({
  key: fc.constantFrom<Role | undefined>("id", "number", undefined),
  contents: fc.subarray<Role>(["phone", "text", "time"]),
  extra: fc.subarray([...others]),
  phone: fc.constantFrom(...phoneForms),
  time: fc.constantFrom(...timeForms),
  names: fc.shuffledSubarray(names, { minLength: 10 }),
  form: fc.constantFrom(...logForms),
  order: fc.constantFrom<"as sent" | "reversed">("as sent", "reversed"),
});
type Layout = typeof layout extends fc.Arbitrary<infer T> ? T : never;

const mutation = fc.record({
  /** At most four of fourteen texts or phones are changed, so that contents can recognise the columns. */
  deeds: fc
    .array(fc.constantFrom(...deeds, "kept", "kept", "kept"), { minLength: texts.length, maxLength: texts.length })
    .map((list): Deed[] => {
      const changes = list.flatMap((deed, index) => (deed.endsWith("changed") ? [index] : []));
      return list.map((deed, index) => (changes.indexOf(index) > 3 ? "kept" : deed));
    }),
  foreign: fc.nat({ max: 3 }),
});

describe("a log of any layout", () => {
  const folder = sharedFolder();
  const runs: ReceivedRun[] = [];
  beforeAll(async () => {
    for (const seed of [1, 2, 3]) runs.push(await receivedRun(story(seed), folder, `run-${seed}.db`));
  });

  it("gives the exact counts of what was dropped, doubled, changed and added", async () => {
    let count = 0;
    await fc.assert(
      fc.asyncProperty(fc.nat({ max: 2 }), layout, mutation, async (index, shape, { deeds: done, foreign }) => {
        const run = runs[index];
        if (run === undefined) throw new Error("there is no such run");
        const roles = rolesOf(shape);
        const rows = [
          ...run.got.flatMap((event, place) => rowsOf(event, done[place] ?? "kept")),
          ...Array.from({ length: foreign }, (_, place) => foreignEvent(place)),
        ];
        if (rows.length === 0) return;
        const ordered = shape.order === "reversed" ? rows.toReversed() : rows;
        const path = join(folder, `${count++}-${shape.form}`);
        const result = await reconcileRows(run, written(ordered, roles, shape), { path, form: shape.form });
        rmSync(path);
        expect(result.counts).toEqual(expected(done, { roles, foreign, got: run.got }));
      }),
      { numRuns: casesIn(60, 1000) },
    );
  });
});

/** Without an id or number, phone, text and time identify an event. */
function rolesOf({ key, contents }: Layout): readonly Role[] {
  return key === undefined ? ["phone", "text", "time"] : [key, ...contents];
}

function rowsOf(event: ReceivedEvent, deed: Deed): readonly ReceivedEvent[] {
  switch (deed) {
    case "kept":
      return [event];
    case "dropped":
      return [];
    case "doubled":
      return [event, event];
    case "text changed":
      return [{ ...event, text: `<${event.number}>` }];
    case "phone changed":
      return [{ ...event, phone: `+25079900${event.number.slice(-4).padStart(4, "0")}` }];
    default:
      return deed satisfies never;
  }
}

function foreignEvent(index: number): ReceivedEvent {
  const time = `2026-03-04T09:0${index + 1}:00.000`;
  return {
    id: `77/${index + 1}`,
    type: "mo_sms",
    number: `${5e9 + index}`,
    phone: `+25071100000${index}`,
    text: `foreign ${index}`,
    time,
  };
}

function written(events: readonly ReceivedEvent[], roles: readonly Role[], shape: Layout): LogRow[] {
  return events.map((event, row) => {
    const values: Readonly<Record<Role, string>> = {
      ...event,
      phone: shape.phone(event.phone),
      time: shape.time(event.time),
    };
    const cells = [...roles.map((role) => values[role]), ...shape.extra.map((value) => value(row))];
    // The order of names decides the order of columns, and which name each has.
    return Object.fromEntries(shape.names.slice(0, cells.length).map((name, index) => [name, cells[index] ?? null]));
  });
}

function expected(
  done: readonly Deed[],
  {
    roles,
    foreign,
    got,
  }: { readonly roles: readonly Role[]; readonly foreign: number; readonly got: readonly ReceivedEvent[] },
): Record<string, number> {
  const count = (deed: Deed): number => got.filter((_, index) => done[index] === deed).length;
  return {
    missing: count("dropped"),
    doubled: count("doubled"),
    changed:
      (roles.includes("text") ? count("text changed") : 0) + (roles.includes("phone") ? count("phone changed") : 0),
    unknown: foreign,
    deduplicated: 0,
    uncertain: 0,
  };
}
