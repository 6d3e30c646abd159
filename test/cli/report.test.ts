import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { reportFormats } from "../../src/index.js";
import { temporaryFolder } from "../support/folder.js";
import { handset } from "./terminal.js";

const scenario = "scenarios/lost-answers.yaml";

it("run writes the report beside the recording and names both", async () => {
  const recording = join(temporaryFolder(), "day.db");
  const { code, stdout } = await handset(["run", scenario, "--recording", recording], { columns: 200 });
  expect(code).toBe(0);
  const page = recording.replace(/\.db$/, ".html");
  expect(stdout).toMatch(new RegExp(`Recording +${recording}\n`));
  expect(stdout).toMatch(new RegExp(`Report +${page}\n`));
  expect(readFileSync(page, "utf8")).toContain("Handset Lab</title>");
});

it("run writes it where it is asked to, or not at all, and never over a file that is no report", async () => {
  const folder = temporaryFolder();
  const [recording, page, other] = [join(folder, "day.db"), join(folder, "day.html"), join(folder, "other.html")];
  await handset(["run", scenario, "--recording", recording, "--no-report", "-q"]);
  expect(existsSync(page)).toBe(false);
  writeFileSync(page, "my own notes");
  const { code, stderr } = await handset(["run", scenario, "--recording", recording, "--overwrite", "-q"]);
  expect(code).toBe(0);
  expect(stderr).toContain(`no report was written: ${page} exists already and is no report`);
  expect(readFileSync(page, "utf8")).toBe("my own notes");
  await handset(["run", scenario, "--recording", recording, "--overwrite", "--report", other, "-q"]);
  expect(existsSync(other)).toBe(true);
});

it("report gives each form of a recording, and compares two", async () => {
  const recording = join(temporaryFolder(), "day.db");
  await handset(["run", scenario, "--recording", recording, "--no-report", "-q"]);
  const report = (...rest: string[]): ReturnType<typeof handset> => handset(["report", recording, ...rest]);
  expect((await report()).stdout).toContain("Recording");
  expect(JSON.parse((await report("--format", "json")).stdout)).toHaveProperty("figures.axis.kind", "virtual");
  expect((await report("-f", "junit")).stdout).toMatch(/^<\?xml .*<\/testsuites>\n$/s);
  expect((await report("-f", "csv")).stdout.split("\r\n")[0]).toContain("channel,number,try,");
  const har = await report("-f", "har", "--limit", "1");
  expect(JSON.parse(har.stdout)).toHaveProperty("log.entries.length", 1);
  expect(har.stderr).toMatch(/^the first 1 of \d+ attempts/);
  const html = await report("-f", "html");
  expect(html.stdout.trim()).toBe(recording.replace(/\.db$/, ".html"));
  expect(await report("-f", "html"), "a report is written over").toMatchObject({ code: 0 });
  expect((await report("--compare", recording)).stdout).toContain("The events are the same");
  const failing = await report("--compare", recording, "--fail-if", "events > 0.5x", "-f", "json");
  expect(failing.code).toBe(1);
  expect(JSON.parse(failing.stdout)).toMatchObject({ conditions: [{ text: "events > 0.5x", hasFailed: true }] });
  expect(await report("--compare", recording, "--fail-if", "events > 1.5x")).toMatchObject({ code: 0 });
  expect(await report("--compare", recording, "--fail-if", "worse", "--fail-if", "new-findings")).toMatchObject({
    code: 0,
  });
  expect(await report("--compare", recording, "--fail-if", "latenzy.p99 > 2x")).toMatchObject({ code: 2 });
  expect(await report("--fail-if", "events > 2x")).toMatchObject({ code: 2 });
  expect(await report("--compare", recording, "-f", "har")).toMatchObject({ code: 2 });
  expect(await report("-f", "csv", "-o", "/nowhere/at/all.csv")).toMatchObject({ code: 3 });
});

it("each format is in the help and in the docs, and gives a report", async () => {
  const recording = join(temporaryFolder(), "day.db");
  await handset(["run", scenario, "--recording", recording, "--no-report", "-q"]);
  const help = (await handset(["report", "--help"])).stdout;
  const docs = readFileSync("docs/reports.md", "utf8");
  for (const { name, about } of reportFormats) {
    expect(help.split("\n").map((line) => line.trim().split(/ {2,}/))).toContainEqual([name, about]);
    expect(docs, name).toMatch(new RegExp(`^- \`${name}\`: `, "m"));
    const file = join(temporaryFolder(), `day.${name}`);
    expect(await handset(["report", recording, "-f", name, "-o", file])).toMatchObject({ code: 0 });
    expect(readFileSync(file, "utf8")).not.toBe("");
  }
});
