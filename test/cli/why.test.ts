import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { runScenario } from "../../src/index.js";
import { parse, play } from "../end-to-end/support.js";
import { sharedFolder, temporaryFolder } from "../support/folder.js";
import { serveTcp, startServer } from "../support/server.js";
import { handset } from "./terminal.js";

const tale = `
name: Tale
seed: 5
starts: 2026-03-04T09:00:00.000Z
lasts: 2h
carriers:
  net: { delay: 1s..3s, reports-delivery: 100% }
handsets:
  farm: { count: 3, phone: "+2507880008{00}", carrier: net, battery: 80%, network: LTE }
people:
  workers: { count: 3, of: farm, phone: "+2507820{00000}" }
story:
  - { at: 9m, sync: { of: farm/0, loses: response, times: 1 } }
  - { at: 10m, text: { from: workers/0, to: farm/0, body: "12 bags" } }
  - { at: 29m, network: { of: farm/1, type: none, for: 35m } }
  - { at: 30m, text: { from: workers/1, to: farm/1, body: "held" } }
  - { at: 30m, coverage: { of: farm/2, state: none, for: 10m } }
  - { at: 31m, text: { from: workers/2, to: farm/2, body: "out of reach" } }
`;

/** What the command prints as one line of words: where lines break is no part of what it says. */
async function why(recording: string, id: string): Promise<string> {
  const { code, stdout } = await handset(["why", recording, id]);
  expect(code).toBe(0);
  for (const line of stdout.split("\n")) expect(line.length).toBeLessThanOrEqual(80);
  return stdout.replace(/\s+/g, " ");
}

describe("handset why", () => {
  const folder = sharedFolder();
  const recording = join(folder, "run.db");
  const thanks = JSON.stringify({ urn: ["tel:+250782000000"], text: "thank you" });
  beforeAll(async () => {
    const server = createServer((request, response) => {
      let body = "";
      request.on("data", (chunk: Buffer) => (body += chunk.toString()));
      request.on("end", () => response.end(/12(\+|%20)bags/.test(body) ? thanks : "{}"));
    });
    const { url, close } = await startServer(server);
    await runScenario(parse(tale), { recording, receiver: url });
    await close();
  });

  it("says of a duplicate at the receiver why it is one, and what the service has twice", async () => {
    const text = await why(recording, "1/2");
    expect(text).toContain('mo_sms "12 bags" from workers/0 (+250782000000) at farm/0');
    expect(text).toContain(
      "Event 1/2 is a copy of 1/1: the network lost the service's answer to the sync, so the phone reported again.",
    );
    const inOrder = [
      "workers/0 (+250782000000) sends the text to farm/0",
      "farm/0 receives the text",
      "makes event 1/1 (mo_sms) ",
      "try 1 at the receiver: answered 200",
      "the phone's sync, begun 2 min before, fails: the network lost the answer",
      "> 0:12:",
      "makes event 1/2 (mo_sms), a copy of 1/1",
    ].map((part) => text.indexOf(part));
    expect(inOrder).not.toContain(-1);
    expect(inOrder).toEqual(inOrder.toSorted((a, b) => a - b));
  });

  it("says how long a phone or a carrier held a text, and why", async () => {
    expect(await why(recording, "2/2")).toMatch(
      /It took 34 min \d+ s to reach the service\. The longest delay: 34 min( \d+ s)?, because the phone has no data network\./,
    );
    expect(await why(recording, "3/1")).toMatch(/the carrier holds it for 9 min .*: the phone has no coverage/);
  });

  it("follows a reply from the event that asked for it to the person who reads it", async () => {
    const { stdout } = await handset(["why", recording, "1/1", "--json"]);
    const life = JSON.parse(stdout) as { entries: { kind: string; message?: number; text: string; at: string }[] };
    const reply = life.entries.find(({ kind }) => kind === "queued");
    expect(reply?.text).toContain('the answer to 1/1 asks for message 1048578: "thank you" to workers/0');
    const kinds = life.entries.filter(({ message }) => message === reply?.message).map(({ kind }) => kind);
    expect(kinds).toEqual(["queued", "taken", "heard"]);
    expect(life.entries[0]?.at).toBe("2026-03-04T09:10:00.000Z");
    const message = await why(recording, String(reply?.message));
    expect(message).toContain("its answer asks for this message");
    expect(message).toContain("learns that the message was delivered");
    expect(message).toContain("workers/0 (+250782000000) reads message 1048578");
  });

  it.each([
    ["9/9", "the recording has no channel 9"],
    ["1/99", "channel 1 (farm/0) has no event 99"],
    ["farm/0", "'farm/0' is not the id of an event, a message or a call"],
    ["77", "no message or call has the number 77"],
  ])("refuses the id %s with what would be right", async (id, message) => {
    const { code, stdout, stderr } = await handset(["why", recording, id]);
    expect([code, stdout]).toEqual([2, ""]);
    expect(stderr).toContain(message);
    expect(stderr.split("\n").length).toBeGreaterThan(2);
  });

  it("says where the receiver may have an event more than once, though it is no copy", async () => {
    const file = join(temporaryFolder(), "cut.db");
    let count = 0;
    const { url } = await serveTcp((socket) => {
      socket.on("data", () =>
        count++ === 0 ? socket.destroy() : socket.end("HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}"),
      );
    });
    const text = tale.split("story:")[0] + `story:\n  - { at: 10m, text: { from: workers/0, to: farm/0, body: hi } }\n`;
    await play(text, { recording: file, receiver: url });
    const told = await why(file, "1/1");
    expect(told).toContain("The receiver may have event 1/1 more than once");
    expect(told).toContain("the receiver closed the connection without an answer (no-answer)");
  });

  it("quotes the beginning of a long text", async () => {
    const file = join(temporaryFolder(), "long.db");
    const body = "a".repeat(100_000);
    const text = `${tale.split("story:")[0]}story:\n  - { at: 10m, text: { from: workers/0, to: farm/0, body: ${body} } }\n`;
    await play(text, { recording: file, receiver: "none" });
    const told = await why(file, "1/1");
    expect(told.replace(/\s/g, "")).toContain(`"${"a".repeat(300)}…"`);
    expect(told.length).toBeLessThan(2000);
  });

  it("has its place in the HTML report, where copies are listed with their lives and what is left out is counted", async () => {
    const page = join(folder, "report.html");
    const { code } = await handset(["report", recording, "--format", "html", "-o", page]);
    expect(code).toBe(0);
    const text = readFileSync(page, "utf8").replace(/\s+/g, " ");
    const section = text.slice(text.indexOf('<h2 id="events">'));
    expect(section).toMatch(/1 of 1 copy.* are left out/);
    expect(section).toContain("<b>1/2</b> <span>copy</span>");
    expect(section).toContain("Event 1/2 is a copy of 1/1");
    expect(section).toContain("farm/0 receives the text");
  });
});
