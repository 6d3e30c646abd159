import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { act, ask, definition, message } from "../flow/player.js";
import { handset } from "./terminal.js";

const flow = definition([
  act("hello", [{ type: "send_msg", text: "Hi @contact, it is @(format_date(today()))" }], "wait"),
  ask("wait", "Answer", { cases: [["has_number_lt", ["10"], "Small"]], to: { Other: "hello" } }),
]);
const line = {
  assets: {
    flows: [flow],
    groups: [{ uuid: "old", name: "Old", query: "age > 50" }],
    fields: [{ key: "age", name: "Age", type: "number" }],
  },
  contact: { uuid: "ann", name: "Ann", urns: [], groups: [], fields: { age: { text: "60", number: 60 } } },
  trigger: { type: "manual", flow: { uuid: "main", name: "Main" } },
  now: "2026-03-02T08:15:00Z",
  seed: 4,
};

function fileOf(name: string, json: unknown): string {
  const file = join(mkdtempSync(join(tmpdir(), "flow-")), name);
  writeFileSync(file, typeof json === "string" ? json : JSON.stringify(json));
  return file;
}

it("plays a line each, with the same uuids for the same seed, and answers a mistake with its error", async () => {
  const resumes = [message("5"), message("late")];
  const stdin = [line, { ...line, resumes }, { ...line, trigger: {} }, "nonsense"]
    .map((one) => (typeof one === "string" ? one : JSON.stringify(one)))
    .join("\n");
  const { code, stdout } = await handset(["flow", "play"], { stdin });
  const [first, second, third, fourth] = stdout
    .trim()
    .split("\n")
    .map((text) => JSON.parse(text) as { sprints: { status: string; events: object[] }[]; error?: string });
  expect(code).toBe(0);
  expect(first?.sprints).toMatchObject([
    {
      status: "waiting",
      events: [
        { type: "contact_groups_changed", groups_added: [{ uuid: "old", name: "Old" }] },
        { type: "msg_created", msg: { text: "Hi Ann, it is 2026-03-02" } },
        { type: "msg_wait" },
      ],
    },
  ]);
  expect(second?.sprints[0]).toEqual(first?.sprints[0]);
  expect(second?.sprints.map(({ status }) => status)).toEqual(["waiting", "completed", "completed"]);
  expect(third?.error).toMatch(/type is missing/);
  expect(fourth?.error).toBeDefined();
});

it("compares in queries of groups what a field holds of its type", async () => {
  const query = 'age > 18 AND joined > 2025-12-31 AND home = Huye AND note = "age 9"';
  const assets = {
    flows: [definition([])],
    groups: [
      { uuid: "near", name: "Near", query },
      { uuid: "none", name: "None", query: 'weight != ""' },
    ],
    fields: [
      { key: "age", name: "Age", type: "number" },
      { key: "joined", name: "Joined", type: "datetime" },
      { key: "home", name: "Home", type: "district" },
      { key: "note", name: "Note", type: "text" },
      { key: "weight", name: "Weight", type: "number" },
    ],
  };
  const fields = {
    age: { text: "20 years", number: 20 },
    joined: { text: "early this year", datetime: "2026-01-05T10:00:00Z" },
    home: { text: "in huye", district: "Rwanda > Southern > Huye" },
    note: { text: "age 9", number: 9 },
    weight: { text: "heavy" },
  };
  const stdin = JSON.stringify({ ...line, assets, contact: { ...line.contact, fields } });
  const { stdout } = await handset(["flow", "play"], { stdin });
  const { sprints } = JSON.parse(stdout) as { sprints: object[] };
  expect(sprints).toMatchObject([{ events: [{ groups_added: [{ uuid: "near", name: "Near" }] }] }]);
});

it("checks files: what is unsupported, and what cannot be loaded", async () => {
  const file = fileOf("flows.json", {
    version: "13",
    flows: [definition([act("a", [{ type: "call_llm" }])]), definition([act("a", [], "gone")], { name: "Broken" })],
  });
  const { code, stdout } = await handset(["flow", "check", file]);
  expect(code).toBe(2);
  expect(stdout).toContain("1 flow, 1 unsupported");
  expect(stdout).toContain("Main, at call_llm: action call_llm is skipped with an error");
  expect(stdout).toContain("Broken: cannot be loaded");
  expect((await handset(["flow", "check", fileOf("no.json", "{")])).code).toBe(2);
});

it("walks through each flow of a file, and fails if one fails", async () => {
  const loop = definition([act("a", [], "b"), act("b", [], "a")], { uuid: "loop", name: "Loop" });
  const good = await handset(["flow", "walk", fileOf("good.json", flow), "--json", "--answers", "50"]);
  expect(good.code).toBe(0);
  expect(JSON.parse(good.stdout)).toMatchObject({ flow: "main", name: "Main", ended: "completed", errors: [] });
  const bad = await handset(["flow", "walk", fileOf("bad.json", { version: "13", flows: [flow, loop] }), "--json"]);
  expect(bad.code).toBe(1);
  expect(JSON.parse(bad.stdout.trim().split("\n")[1] ?? "")).toMatchObject({ name: "Loop", ended: "failed" });
});
