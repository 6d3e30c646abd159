import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { tmpdir } from "node:os";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

const run = promisify(execFile);
const root = resolve();
let project = "";

/** A project outside the repository with the packed package; its dependencies are those of the repository. */
beforeAll(async () => {
  project = mkdtempSync(join(tmpdir(), "handset-runners-"));
  const modules = join(project, "node_modules");
  mkdirSync(modules);
  const { stdout } = await run("npm", ["pack", "--ignore-scripts", "--silent", "--pack-destination", project], {
    cwd: root,
  });
  await run("tar", ["-xzf", join(project, stdout.trim()), "-C", project]);
  await run("mv", [join(project, "package"), join(modules, "handset-lab")]);
  for (const name of readdirSync(join(root, "node_modules"))) {
    if (!name.startsWith(".") && name !== "handset-lab")
      symlinkSync(join(root, "node_modules", name), join(modules, name));
  }
  write("package.json", JSON.stringify({ type: "module" }));
  write(
    "receiver.js",
    `export async function receiver(request, response) {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  const event = new URLSearchParams(Buffer.concat(chunks).toString());
  if (event.get("event") !== "mo_sms") return response.end();
  response.end(JSON.stringify({ urn: ["tel:" + event.get("phone")], text: "welcome" }));
}
`,
  );
  write(
    "wrong.bug.yaml",
    `about: A stranger is welcomed
requests:
  - { at: 0s, fields: { event: mo_sms, sms: 1, phone: "+250788123456", text: hi } }
expect:
  - { request: 1, not-reply: welcome }
`,
  );
});

afterAll(() => rmSync(project, { recursive: true, force: true }));

function write(name: string, text: string): void {
  mkdirSync(dirname(join(project, name)), { recursive: true });
  writeFileSync(join(project, name), text);
}

/** Runs a program of the project: its exit code and all that it printed. */
async function spawned(
  program: string,
  args: readonly string[],
): Promise<{ readonly code: number; readonly text: string }> {
  const env = { PATH: process.env["PATH"], HOME: project, NO_COLOR: "1" };
  try {
    const { stdout, stderr } = await run(program, args, { cwd: project, env });
    return { code: 0, text: stdout + stderr };
  } catch (error) {
    const { code, stdout, stderr } = error as { code: number; stdout: string; stderr: string };
    return { code, text: stdout + stderr };
  }
}

const bin = (path: string): string => join(root, "node_modules", path);

const tests = (expectations: string): string => `
  const lab = await startLab({ receiver });
  try {
    const ada = lab.person("+250788123456");
    ada.texts("clinic", "join");
${expectations}
  } finally {
    await lab.close();
  }
`;

/** Audits the receiver at a port of its own. It answers a copy once more. */
const audited = `
  const server = createServer(receiver);
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = "http://127.0.0.1:" + server.address().port + "/events";
  try {
    await expectAudit(url, { only: ["duplicate-acts-twice"], effects: "replies" });
  } finally {
    server.closeAllConnections();
    server.close();
  }
`;

/** What a failed audit says in each runner. */
const auditWords = [
  "The audit of http://127.0.0.1:",
  "1. A retry of a text acts twice (high)",
  "sent: event=mo_sms",
  "to play it: npx handset audit http://127.0.0.1:",
];

const matched = `
    await expect(ada).toHear(/welcome/, { within: "5m" });
    expect(lab).toHaveDelivered("mo_sms", { times: 1 });
    expect(lab).toBalance();`;

describe("the packed package, in a project of its own", () => {
  it("works in node:test, where a failure is shown in words", async () => {
    write(
      "node.test.js",
      `import { createServer } from "node:http";
import { test } from "node:test";
import { assertBalance, assertDelivered, assertHears, expectAudit, expectReplay, startLab } from "handset-lab/testing";
import { receiver } from "./receiver.js";
test("holds", async () => {${tests(`
    await assertHears(ada, /welcome/);
    assertDelivered(lab, "mo_sms");
    assertBalance(lab);`)}});
test("fails", async () => {${tests("    await ada.hears(/goodbye/);")}});
test("replays", () => expectReplay("wrong.bug.yaml", { receiver }));
test("audits", async () => {${audited}});
`,
    );
    const { code, text } = await spawned(process.execPath, ["--test", "node.test.js"]);
    expect(code).toBe(1);
    expect(text).toMatch(/ok 1 - holds|✔ holds/);
    expect(text).toContain("+250788123456 did not hear /goodbye/ within 5m");
    expect(text).toContain("The bug of wrong.bug.yaml is there: A stranger is welcomed");
    expect(text).toMatch(/pass 1\b/);
    for (const words of auditWords) expect(text).toContain(words);
  });

  it("works in vitest, with its matchers", async () => {
    write("vitest.config.js", 'export default { test: { include: ["vitest.spec.js"] } };\n');
    write(
      "vitest.spec.js",
      `import "handset-lab/testing/vitest";
import { expectReplay, startLab } from "handset-lab/testing";
import { expect, it } from "vitest";
import { receiver } from "./receiver.js";
it("holds", async () => {${tests(matched)}});
it("fails", async () => {${tests("    await expect(ada).toHear(/goodbye/);")}});
it("replays", () => expectReplay("wrong.bug.yaml", { receiver }));
`,
    );
    const { code, text } = await spawned(process.execPath, [bin("vitest/vitest.mjs"), "run"]);
    expect(code).toBe(1);
    expect(text).toContain("2 failed | 1 passed");
    expect(text).toContain("+250788123456 did not hear /goodbye/ within 5m");
    expect(text).toContain("The bug of wrong.bug.yaml is there");
  });

  it("works in jest without a flag, as CommonJS, file after file in one process", async () => {
    write("jest/package.json", "{}");
    write("jest/jest.config.js", 'module.exports = { setupFilesAfterEnv: ["handset-lab/testing/jest"] };\n');
    const head = `const { createServer } = require("node:http");
const { expectAudit, expectReplay, startLab } = require("handset-lab/testing");
const receiver = (request, response) => {
  let body = "";
  request.on("data", (chunk) => (body += chunk));
  request.on("end", () => {
    const event = new URLSearchParams(body);
    if (event.get("event") !== "mo_sms") return response.end();
    response.end(JSON.stringify({ urn: ["tel:" + event.get("phone")], text: "welcome" }));
  });
};
`;
    write("jest/one.test.js", `${head}it("holds", async () => {${tests(matched)}});\n`);
    write(
      "jest/two.test.js",
      `${head}it("fails", async () => {${tests("    await expect(ada).toHear(/goodbye/);")}});
it("replays", () => expectReplay("wrong.bug.yaml", { receiver }));
it("audits", async () => {${audited}}, 30_000);
`,
    );
    const args = [
      bin("jest/bin/jest.js"),
      "--config",
      "jest/jest.config.js",
      "--runInBand",
      "--no-cache",
      "--no-watchman",
    ];
    const { code, text } = await spawned(process.execPath, args);
    expect(text).toContain("+250788123456 did not hear /goodbye/ within 5m");
    expect(text).toContain("The bug of wrong.bug.yaml is there");
    for (const words of auditWords) expect(text).toContain(words);
    expect(text).toContain("3 failed, 1 passed");
    expect(code).toBe(1);
  });

  it.each([
    ["nodenext", { module: "nodenext" }],
    ["bundler", { module: "preserve", moduleResolution: "bundler" }],
  ] as const)("has types that compile strictly and without skipLibCheck: %s", async (name, resolution) => {
    write(
      "typed.ts",
      `import { assertHears, expectAudit, expectReplay, startLab, type TestLab } from "handset-lab/testing";
import { runScenario, scenario } from "handset-lab";
const lab: TestLab = await startLab({ receiver: async (request: Request) => new Response(await request.text()) });
lab.powerCut({ of: "clinic", for: "2h" });
lab.handset("clinic").network({ type: "none" });
await assertHears(lab.person("+250788123456"), /welcome/);
await expectReplay("one.bug.yaml", { receiver: "http://127.0.0.1:8080/" });
const { findings } = await expectAudit("http://127.0.0.1:8080/", { only: ["text-plus"], effects: "replies" });
export const titles: string[] = findings.map(({ title }) => title);
export const day = scenario({ name: "Day", lasts: "1h", handsets: { clinic: { phone: "+250788000001" } } });
export const { exitCode } = await runScenario(day, { receiver: "http://127.0.0.1:8080/" });
// @ts-expect-error the mains are on or off
lab.power({ of: "clinic", mains: 3 });
// @ts-expect-error there is no such verb
lab.explode({ of: "clinic" });
`,
    );
    const options = {
      ...resolution,
      target: "es2023",
      strict: true,
      exactOptionalPropertyTypes: true,
      noUncheckedIndexedAccess: true,
      noPropertyAccessFromIndexSignature: true,
      noEmit: true,
      skipLibCheck: false,
      types: ["node"],
    };
    write(`tsconfig.${name}.json`, JSON.stringify({ compilerOptions: options, files: ["typed.ts"] }));
    const { code, text } = await spawned(process.execPath, [bin("typescript/bin/tsc"), "-p", `tsconfig.${name}.json`]);
    expect({ code, text }).toEqual({ code: 0, text: "" });
  });
});

describe("the example in plain Node", () => {
  it("passes its own tests", async () => {
    const { stdout } = await run(process.execPath, ["--test", "docs/examples/node-receiver/stock.test.js"], {
      env: { PATH: process.env["PATH"] },
    });
    expect(stdout).toMatch(/fail 0/);
  });
});
