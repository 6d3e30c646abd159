import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { expectReplay } from "../../src/testing/index.js";
import { temporaryFolder } from "../support/folder.js";
import { ADA, answering, fieldsOf, messageOf } from "./support.js";

const twice = `
# A person is answered twice about one event.
about: A person is answered twice about one event
requests:
  - at: 0s
    fields: { event: mo_sms, sms: 17, phone: "${ADA}", text: JOIN, time: 2026-03-03T07:00:00.000Z }
  - at: 2m
    fields: { event: mo_sms, sms: 18, phone: "${ADA}", text: JOIN, time: 2026-03-03T07:00:00.000Z }
expect:
  - { request: 2, status: 200..299 }
  - never-twice
`;

function bugFile(text: string): string {
  const path = join(temporaryFolder(), "twice.bug.yaml");
  writeFileSync(path, text);
  return path;
}

describe("expectReplay", () => {
  it("fails while the bug is there, with the requests, the answers and what is right", async () => {
    const file = bugFile(twice);
    const message = await messageOf(() => expectReplay(file, { receiver: answering() }));
    expect(message).toBe(
      [
        `The bug of ${file} is there: A person is answered twice about one event`,
        "",
        "Sent to your receiver, in this order, and what it answered:",
        `  1. mo_sms of ${ADA}: "JOIN"`,
        `     your receiver answered 200: {"urn":["tel:${ADA}"],"text":"You said JOIN"}`,
        `  2. mo_sms of ${ADA}: "JOIN", 2 min later`,
        `     your receiver answered 200: {"urn":["tel:${ADA}"],"text":"You said JOIN"}`,
        "",
        "What is right, and was not met:",
        "  - never-twice",
        `    but ${ADA} got “You said JOIN” for request 1, and “You said JOIN” for request 2, the same event`,
        "",
        `To play it at a running receiver: npx handset run ${file} -r http://127.0.0.1:PORT/PATH`,
      ].join("\n"),
    );
  });

  it("passes when the bug is fixed, and shows what a handler threw", async () => {
    const file = bugFile(twice);
    const seen = new Set<string>();
    await expectReplay(file, {
      receiver: {
        fetch: async (request) => {
          const fields = new URLSearchParams(await request.text());
          const key = `${fields.get("phone")} ${fields.get("time")}`;
          const isCopy = seen.has(key);
          seen.add(key);
          return isCopy ? new Response() : Response.json({ urn: [`tel:${ADA}`], text: "welcome" });
        },
      },
    });
    const message = await messageOf(() =>
      expectReplay(file, {
        receiver: async (request, response) => {
          const fields = await fieldsOf(request);
          if (fields.get("sms") === "18") throw new RangeError("17 twice");
          response.end();
        },
      }),
    );
    expect(message).toContain("2. mo_sms");
    expect(message).toContain("your receiver answered 500: 17 twice");
    expect(message).toContain("Your handler threw:\n  RangeError: 17 twice");
  });

  it("plays a bug file that is a scenario", async () => {
    const file = bugFile(`
name: Nobody is welcomed
lasts: 10m
handsets: { clinic: { phone: "+250788000001" } }
people: { ada: { phone: "${ADA}" } }
story:
  - { at: 1m, text: { from: ada, to: clinic, body: join } }
  - { at: 1m, expect: { person: ada, hears: welcome, within: 5m } }
`);
    await expectReplay(file, { receiver: answering(() => "welcome") });
    const message = await messageOf(() => expectReplay(file, { receiver: answering(() => "goodbye") }));
    expect(message).toContain(`The bug of ${file} is there: Nobody is welcomed`);
    expect(message).toContain("goodbye");
  });

  it("does not judge what it could not read or reach", async () => {
    expect(await messageOf(() => expectReplay("missing.yaml"))).toContain("the bug file missing.yaml cannot be read");
    expect(await messageOf(() => expectReplay(bugFile("requests: []\n")))).toContain("is not sound");
    expect(await messageOf(() => expectReplay(bugFile(twice), { receiver: "http://127.0.0.1:9/" }))).toContain(
      "was not judged: the receiver cannot be reached",
    );
  });
});
