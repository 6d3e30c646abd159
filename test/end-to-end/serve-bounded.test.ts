import { join } from "node:path";
import { expect, it } from "vitest";
import { act, split } from "../flow/player.js";
import { runs } from "../support/effort.js";
import { temporaryFolder } from "../support/folder.js";
import { serveReady } from "./served.js";
import { ServerProcess } from "./server-process.js";

/** An account whose smart groups ask for each contact's years, and a keyword's flow. */
function manyGroups(groupCount: number, contactCount: number): string {
  const groups = Array.from({ length: groupCount }, (_, n) => `  - { name: G${n}, query: 'years > ${n}' }\n`);
  const contacts = Array.from(
    { length: contactCount },
    (_, n) => `  - { phone: "+250781${100_000 + n}", fields: { years: ${n % 100} } }\n`,
  );
  const runs = `runs:\n  - { flow: Loop, contact: "+250781100000", ago: 5m }\n`;
  return `account: existing\nfields: { years: numeric }\ngroups:\n${groups.join("")}contacts:\n${contacts.join("")}flows: [{ definition: ${JSON.stringify(loop)} }]\n${runs}`;
}

const uuid = (n: number): string => `00000000-0000-4000-8000-${String(n).padStart(12, "0")}`;

/** Twenty patterns on a text of a megabyte, again and again. */
const loop = {
  uuid: uuid(1),
  name: "Loop",
  spec_version: "13.1.0",
  language: "eng",
  type: "messaging",
  nodes: [
    act("greet", [{ type: "send_msg", text: "Please wait" }], "again"),
    split("again", {
      operand: '@(repeat("abcdefghij", 100000))',
      cases: Array.from({ length: 20 }, (_, n) => ["has_pattern", [`(a?b?c?)*[x-z]${n}`], "Found"] as const),
      to: { Other: "again" },
    }),
  ],
};

const keyword = {
  trigger_type: "K",
  keyword: "loop",
  match_type: "F",
  flow: { uuid: uuid(1), name: "Loop" },
  groups: [],
  exclude_groups: [],
  channel: null,
};

it("an import of many smart groups answers requests meanwhile, hears SIGTERM, and continues when its database is opened", async () => {
  const folder = temporaryFolder();
  const db = ["--db", join(folder, "account.db")];
  const server = await ServerProcess.start(db);
  const answers: string[] = [];
  const load = server.lab.done("POST", "/account", manyGroups(runs(800, 1500), 1000)).then(
    () => answers.push("loaded"),
    () => answers.push("cut off"),
  );
  // Some of the contacts are there, and the import is not answered.
  const members = async (): Promise<number> => {
    const { results } = await server.api.done("GET", "groups.json?name=G0");
    return (results as { count: number }[])[0]?.count ?? 0;
  };
  while (answers.length === 0 && (await members()) < 100);
  answers.push("asked meanwhile");
  expect(await server.end("SIGTERM")).toBe(0);
  await load;
  expect(answers).toEqual(["asked meanwhile", "cut off"]);

  const again = await ServerProcess.start(db);
  const groups = await again.api.all("groups.json");
  const counts = new Map(groups.map(({ name, count }) => [name as string, count as number]));
  // The years are 0 to 99, each that of ten contacts.
  expect([counts.get("G0"), counts.get("G49"), counts.get("G99")]).toEqual([990, 500, 0]);
  expect(await again.api.all(`runs.json?flow=${loop.uuid}`)).toHaveLength(1);
  expect(await again.end("SIGTERM")).toBe(0);
});

it("an import in parts is played again as it was", async () => {
  const lab = await serveReady({ playsFirstHour: false });
  await lab.lab.done("POST", "/account", manyGroups(runs(100, 200), runs(400, 800)));
  await lab.step("1m");
  const lists = ["groups.json", "contacts.json", "runs.json"];
  for (const list of lists) {
    const live = await lab.api.done("GET", list);
    const past = await lab.api.ask("GET", list, undefined, { "lab-moment": "60000" });
    expect([list, past.body.results]).toEqual([list, live.results]);
  }
});

it("a flow that tests twenty patterns on a megabyte in a loop fails soon, says why, and the next text is answered", async () => {
  const lab = await serveReady();
  const file = { version: "13", site: "x", flows: [loop], triggers: [keyword], campaigns: [], fields: [], groups: [] };
  expect(await lab.lab.done("POST", "/account", file)).toMatchObject({ problems: [] });
  for (const from of ["people/0", "people/1"])
    await lab.lab.done("POST", "/do/text", { from, to: "clinic/0", body: "loop" });
  await lab.step("2m");
  const runs = (await lab.api.all("runs.json")) as { flow: { name: string }; exit_type: string }[];
  expect(runs.filter(({ flow }) => flow.name === "Loop").map(({ exit_type }) => exit_type)).toEqual([
    "failed",
    "failed",
  ]);
  const texts = (await lab.api.all("messages.json?folder=sent")) as { text: string }[];
  expect(texts.filter(({ text }) => text === "Please wait")).toHaveLength(2);
});
