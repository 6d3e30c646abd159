import { execFileSync } from "node:child_process";
import { truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { temporaryFolder } from "../support/folder.js";
import { handset } from "./terminal.js";

/** What `handset check` says of a scenario that names a file; `make` puts it beside. */
async function checked(lines: string, make: (path: string) => void = () => undefined): Promise<string> {
  const folder = temporaryFolder();
  make(join(folder, "named"));
  const file = join(folder, "day.yaml");
  writeFileSync(file, lines);
  const { code, stderr } = await handset(["check", file]);
  expect(code).toBe(2);
  return stderr.replaceAll(folder, "");
}

const csv = (path: string): string => `lasts: 1h
handsets: { clinic: { phone: "+250788000001" } }
people: { farmers: { phone: "+250788100001", name: { csv: ${path} } } }
`;
const ca = (path: string): string => `lasts: 1h
handsets: { clinic: { phone: "+250788000001" } }
receiver: { url: "https://localhost", ca: ${path} }
`;
const flows = (path: string): string => `account: { name: x }\nflows: [${path}]\n`;

describe("files that a file names", () => {
  const fifo = (path: string): void => void execFileSync("/usr/bin/env", ["mkfifo", path]);
  const large = (path: string): void => {
    writeFileSync(path, "name\n");
    truncateSync(path, 64 * 2 ** 20 + 1);
  };

  it.each([
    ["csv", csv, 3],
    ["ca", ca, 3],
    ["flows", flows, 2],
  ])("%s: a FIFO, a device, a folder and what is too large are refused in their places", async (_, text, line) => {
    expect(await checked(text("named"), fifo)).toMatch(
      new RegExp(`:${line}:\\d+: error.*it is a FIFO, not a regular file`),
    );
    expect(await checked(text("/dev/zero"))).toMatch(
      new RegExp(`:${line}:\\d+: error.*it is a device, not a regular file`),
    );
    expect(await checked(text("."))).toMatch(new RegExp(`:${line}:\\d+: error.*it is a folder, not a regular file`));
    expect(await checked(text("named"), large)).toMatch(
      new RegExp(`:${line}:\\d+: error.*it has 64.0 MiB, at most 64 MiB`),
    );
  });
});

describe("files that an option names", () => {
  it.each([
    ["check", "/dev/zero"],
    ["run", "/dev/zero"],
    ["serve", "--data", "/dev/zero"],
    ["post", "mo_sms", "-r", "https://127.0.0.1:1", "--ca", "/dev/zero"],
  ])("handset %s %s: a device is refused", async (...args) => {
    const { code, stderr } = await handset(args);
    expect([code, stderr]).toEqual([2, expect.stringContaining("it is a device, not a regular file")]);
  });
});

describe("patterns of users", () => {
  const expecting = (pattern: string): string => `lasts: 1h
handsets: { clinic: { phone: "+250788000001" } }
people: { farmers: { phone: "+250788100001", of: clinic } }
story:
  - { at: 1m, send: { via: clinic, to: farmers, body: ${"a".repeat(60)}! } }
  - { at: 10m, expect: { person: farmers, hears: ${pattern} } }
`;

  it("one that would block RegExp for hours is judged at once", async () => {
    const file = join(temporaryFolder(), "day.yaml");
    writeFileSync(file, expecting('"/^(a+)+$/"'));
    const { code, stdout } = await handset(["run", file, "--recording", join(temporaryFolder(), "run.db")]);
    expect([code, stdout]).toEqual([1, expect.stringContaining("never")]);
  });

  it("a lookahead is refused at its column, with what to do", async () => {
    expect(await checked(expecting('"/aa(?=!)/"'))).toMatch(
      /day\.yaml:6:54: error\[bad-pattern\]: 'hears' has a lookahead .*\n.*\n.* \^\^\^ match the required text itself/,
    );
  });
});
