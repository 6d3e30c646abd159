import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { answers } from "../../src/console/index.js";
import { serveReady } from "../end-to-end/served.js";
import { accountJsonSchema } from "../../src/scenario/index.js";

const page = readFileSync("docs/service.md", "utf8");

/** Names in backticks from a heading to the next one. */
function namesUnder(heading: string): ReadonlySet<string> {
  const section = page.split(`\n### ${heading}\n`)[1]?.split("\n## ")[0] ?? "";
  return new Set([...section.matchAll(/`([^`\n]+)`/g)].map(([, name = ""]) => name));
}

it("names every operation of the control API", () => {
  const paths = [...Object.keys(answers.reads), ...Object.keys(answers.writes)];
  expect(paths.filter((path) => !new RegExp(`/lab${path}(?![\\w/-])`).test(page))).toEqual([]);
});

it("names every field of POST /lab/account and of its answer", async () => {
  const { api, lab } = await serveReady();
  const { properties } = accountJsonSchema() as { readonly properties: Readonly<Record<string, unknown>> };
  const exported = (await api.done("GET", "definitions.json")) as Readonly<Record<string, unknown>>;
  const answer = (await lab.done("POST", "/account", "account: existing\n")) as { readonly added: object };
  const notRead = new Set(["site", "links"]);
  const fields = [
    ...Object.keys(properties),
    ...Object.keys(exported).filter((field) => !notRead.has(field)),
    ...Object.keys(answer),
    ...Object.keys(answer.added),
  ];
  const named = namesUnder("Adding to the account");
  expect(fields.filter((field) => !named.has(field))).toEqual([]);
  expect(fields.length).toBeGreaterThan(30);
});

it("has an example of POST /lab/account that works", async () => {
  const { api, lab } = await serveReady();
  const body = /--data-binary @- <<'EOF'\n(.*?)EOF\n/s.exec(page)?.[1] ?? "";
  expect(await lab.done("POST", "/account", body)).toMatchObject({ added: { contacts: 1, groups: 1 }, problems: [] });
  expect((await api.all("contacts.json?group=Nurses")).map(({ name }) => name as string)).toEqual(["Ada"]);
});

it("says how the body is refused where it names files", async () => {
  const { lab } = await serveReady();
  for (const body of ["account: existing\ndefinitions: [x.json]\n", "{ account: existing, nothing: 1 }"]) {
    const refused = await lab.post("/account", body);
    expect([refused.status, refused.body.detail]).toEqual([400, expect.stringMatching(/account:\d+:\d+: error/)]);
  }
});
