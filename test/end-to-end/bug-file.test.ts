import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { handset } from "../cli/terminal.js";
import type { AnswersEvent } from "../support/answering-apps.js";
import { temporaryFolder } from "../support/folder.js";
import { receiverThat } from "./support.js";

const twice = `about: One text makes two members
requests:
  - { at: 0s, fields: { event: mo_sms, sms: 17, phone: "+250781100001", text: JOIN, time: 2026-03-03T07:00:00.000Z } }
  - { at: 2m, fields: { event: mo_sms, sms: 18, phone: "+250781100001", text: JOIN, time: 2026-03-03T07:00:00.000Z } }
expect:
  - { request: 2, status: 200..299 }
  - never-twice
seen: { condition: hears-twice, request: 2, runs: 11 of 11 }
`;

/** Registers each person who texts. @param keyOf - what it knows a text by */
function register(keyOf: (fields: URLSearchParams) => string): AnswersEvent {
  const known = new Set<string>();
  return (body, response) => {
    const fields = new URLSearchParams(body);
    const isNew = !known.has(keyOf(fields));
    known.add(keyOf(fields));
    response.end(isNew ? JSON.stringify({ phone: fields.get("phone"), text: `You are member ${known.size}.` }) : "{}");
  };
}

const byId = (fields: URLSearchParams): string => fields.get("sms") ?? "";
const byWords = (fields: URLSearchParams): string =>
  `${fields.get("phone")} ${fields.get("text")} ${fields.get("time")}`;

function bugFile(text: string): string {
  const path = join(temporaryFolder(), "twice.bug.yaml");
  writeFileSync(path, text);
  return path;
}

describe("handset run with a bug file of exact requests", () => {
  it("ends with 1 while the bug is there, and shows the answers that show it", async () => {
    const receiver = await receiverThat(register(byId));
    const { code, stdout } = await handset(["run", bugFile(twice), "-r", receiver.url]);
    expect(code).toBe(1);
    expect(stdout).toContain("  2  mo_sms +250781100001 “JOIN”, 2 min later\n");
    expect(stdout.replaceAll(/\s+/g, " ")).toContain(
      "✘ never-twice: broken, seen +250781100001 got “You are member 1.” for request 1, and “You are member 2.” for request 2, the same event",
    );
    expect(stdout).toContain(
      "✘ the bug is there: 1 of 2 expectations broken; seen before: hears-twice at\nrequest 2 in 11 of 11 runs\n",
    );
    for (const line of stdout.split("\n")) expect(line.length).toBeLessThanOrEqual(80);
  });

  it("ends with 0 when it is fixed; --json says the same", async () => {
    const receiver = await receiverThat(register(byWords));
    const file = bugFile(twice);
    const shown = await handset(["run", file, "-r", receiver.url]);
    expect(shown.code).toBe(0);
    expect(shown.stdout).toContain("✔ the bug is not there (it was: hears-twice at request 2 in 11 of 11 runs)\n");
    const { code, stdout } = await handset(["run", file, "-r", receiver.url, "--json"]);
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({
      bug: "twice",
      verdict: "not-there",
      requests: [{}, { answer: { status: 200 } }],
    });
  });

  it("sends the exact bytes to the recorded path, parallel ones at the same moment", async () => {
    const got: string[] = [];
    let open = 0;
    let most = 0;
    const receiver = await receiverThat((body, response) => {
      got.push(body);
      most = Math.max(most, ++open);
      response.on("close", () => open--);
      // The first answer waits for the second request, which a sender in sequence would never send.
      const answer = (): unknown => (got.length < 2 ? setImmediate(answer) : response.end("{}"));
      answer();
    });
    const bodies = ["event=mo_sms&text=a%2bb+c%00", "event=mo_sms&text=%F0%9F%98"];
    const file = bugFile(
      `requests:\n  - body: ${bodies[0]}\n    path: /hook?channel=3\n  - body: ${bodies[1]}\n    with: previous\n`,
    );
    const { code, stdout } = await handset(["run", file, "-r", receiver.url]);
    expect({ code, most }).toEqual({ code: 0, most: 2 });
    expect(got.toSorted()).toEqual(bodies.toSorted());
    expect(stdout).toContain("the file says nothing about what is right");
  });

  it("judges nobody who cannot be reached", async () => {
    const { code, stdout } = await handset(["run", bugFile(twice), "-r", "http://127.0.0.1:9/"]);
    expect(code).toBe(3);
    expect(stdout).toContain("✘ not judged: the receiver cannot be reached: connection refused\n");
  });

  it("takes no options that it would ignore, and says where a file is wrong", async () => {
    const pace = await handset(["run", bugFile(twice), "--pace", "1x"]);
    expect(pace).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("--pace does not apply to a bug file") as string,
    });
    const file = bugFile(twice.replace("status: 200..299", "statsu: 200"));
    const wrong = await handset(["check", file]);
    expect(wrong.code).toBe(2);
    expect(wrong.stderr).toContain("twice.bug.yaml:6:19");
    expect(wrong.stderr).toContain("did you mean 'status'?");
    const right = await handset(["check", bugFile(twice)]);
    expect(right.stdout).toContain("ok: 2 requests, 2 expectations");
  });
});
