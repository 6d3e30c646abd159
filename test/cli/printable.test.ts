import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { receiverThat } from "../end-to-end/support.js";
import { temporaryFolder } from "../support/folder.js";
import { handset } from "./terminal.js";

/** Sets the title, clears the screen, hides, reorders, and moves the cursor: by C0, C1, DEL and bidi controls. */
const hostile = "a\u001b]0;owned\u0007b\u001b[2Jc\u009b31md\u202eefg\u2066h\u007fi\rj\u001b[8mk";

// eslint-disable-next-line no-control-regex -- they are what must not be there
const acting = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/;

function expectHarmless(text: string, ...parts: readonly string[]): void {
  expect(JSON.stringify(acting.exec(text)?.[0] ?? "")).toBe('""');
  for (const part of parts) expect(text).toContain(part);
}

describe("what a terminal gets of a text from outside", () => {
  it("is escaped in a receiver's answer", async () => {
    const receiver = await receiverThat((_body, response) => void response.end(hostile));
    const { stdout } = await handset(["post", "mo_sms", "-r", receiver.url, "--text", hostile]);
    expectHarmless(stdout, String.raw`a\u001b]0;owned\u0007b`, String.raw`\u202eefg`);
  });

  it("is escaped, and on one line, in what a lab answers", async () => {
    const answer = { at: "2026-03-04T07:05:00.000Z", done: `done\nforged ${hostile}` };
    const lab = await receiverThat((_body, response) => void response.end(JSON.stringify(answer)));
    const { stdout } = await handset(["do", "alarm", "--of", "clinic", "--lab", lab.url, "--token", "secret"]);
    expectHarmless(stdout, String.raw`done\nforged a\u001b]0;owned`);
    expect(stdout.split("\n")).toHaveLength(2);
  });

  it("is escaped in messages and code frames of check", async () => {
    const file = join(temporaryFolder(), "hostile.yaml");
    writeFileSync(file, `name: "x"\nlasts: ["a\u202eefg\u2066h"]\n`);
    const { code, stderr } = await handset(["check", file]);
    expect(code).toBe(2);
    expectHarmless(stderr);
    const escaped = join(temporaryFolder(), "escaped.yaml");
    writeFileSync(escaped, 'name: x\nlasts: "\\e]0;owned\\a\\e[2J"\nhandsets: { "a\\e[2Jb": {} }\n');
    const { stderr: told } = await handset(["check", escaped]);
    expectHarmless(told);
  });

  it("is escaped in error messages", async () => {
    const { stderr } = await handset(["report", `/nowhere/${hostile}.db`]);
    expectHarmless(stderr, String.raw`a\u001b]0;owned`);
  });

  it("keeps its meaning in JSON", async () => {
    const receiver = await receiverThat((_body, response) => void response.end(hostile));
    const { stdout } = await handset(["post", "mo_sms", "-r", receiver.url, "--json"]);
    expectHarmless(stdout);
    expect(JSON.parse(stdout)).toMatchObject({ answer: hostile });
  });
});
