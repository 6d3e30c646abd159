import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { openRecording } from "../../src/index.js";
import { gatherFigures, renderHtml } from "../../src/report/index.js";
import type { RecordingReader } from "../../src/store/index.js";
import { Client } from "../end-to-end/served.js";
import { play, receiverThat } from "../end-to-end/support.js";
import { temporaryFolder } from "../support/folder.js";

const cast = `
name: Telling
seed: 5
starts: 2026-03-04T06:00:00.000Z
lasts: 20m
handsets:
  clinic: { count: 2, phone: "+2507880{00000}", network: LTE }
people:
  farmers: { count: 10, of: clinic, phone: "+2507811{00000}" }
`;

async function played(story: string, options: Parameters<typeof play>[1] = {}): Promise<RecordingReader> {
  const recording = join(temporaryFolder(), "run.db");
  await play(`${cast}${story}`, { receiver: "none", ...options, recording });
  const reader = openRecording(recording);
  onTestFinished(() => reader.close());
  return reader;
}

it("a story of many texts: all causes are listed, and the number of omitted texts is shown", async () => {
  const texts = Array.from(
    { length: 234 },
    (_, at) => `  - { at: ${at + 1}s, text: { from: farmers/${at % 10}, to: clinic, body: "text ${at}" } }`,
  );
  const causes = [
    "  - { at: 10m, clock: { of: clinic/0, skew: -12m } }",
    "  - { at: 11m, network: { of: clinic/1, type: none, for: 2m } }",
    "  - { at: 12m, note: the mast is back }",
  ];
  const recording = await played(`story:\n${[...texts, ...causes].join("\n")}\n`);
  const { marks, marksLeftOut } = gatherFigures(recording);
  expect(marks).toHaveLength(100);
  expect(marks.filter(({ kind }) => kind === "cause").map(({ text }) => text)).toEqual([
    "clock: of clinic/0, skew -12m",
    "network: of clinic/1, type none, for 2m",
    "the mast is back",
  ]);
  expect(marks.map(({ atMs }) => atMs)).toEqual(marks.map(({ atMs }) => atMs).toSorted((a, b) => a - b));
  expect(marksLeftOut).toEqual({ cause: 0, hand: 0, api: 0, text: 137 });
  const page = wordsOf(renderHtml(recording));
  expect(page).toContain("100 dotted lines in the charts: the story, and what was done by hand");
  expect(page).toContain("(left out: 137 texts, calls and messages)");
  expect(page).toContain("skew -12m");
});

it.each([
  ["lockstep", "virtual time"],
  ["max", "wall time"],
] as const)("at pace %s the times of findings are in %s", async (pace, clock) => {
  const text = "text: { from: farmers/0, to: clinic/0, body: hello }";
  const recording = await played(`receiver: { answers: 500 }\nstory:\n  - { at: 1m, ${text} }\n`, {
    receiver: "bundled",
    pace,
  });
  expect(wordsOf(renderHtml(recording))).toContain(`Findings Times count from the run's start, in ${clock}.`);
});

it("texts that a phone holds without a data link count as waiting on the phone", async () => {
  const texts = [1, 2, 3].map((at) => `  - { at: ${at}m, text: { from: farmers/0, to: clinic/0, body: hello } }`);
  const story = `  - { at: 0s, network: { of: clinic, type: none, for: 10m } }\n${texts.join("\n")}\n`;
  const recording = await played(`story:\n${story}`);
  const { fleet } = gatherFigures(recording);
  const [clinic] = fleet.groups;
  expect(Math.max(...(clinic?.waiting ?? []))).toBe(3);
  expect(clinic?.waiting.at(-1)).toBe(0);
});

it("requests to the REST API are listed separately, without dotted lines", async () => {
  let api: Client | undefined;
  const receiver = await receiverThat((body, response) => {
    const event = new URLSearchParams(body);
    const answer = (): unknown => response.end("{}");
    if (event.get("event") !== "mo_sms" || api === undefined) answer();
    else
      void api
        .done("POST", "broadcasts.json", { text: "thanks", urns: [`tel:${event.get("phone")}`] })
        .then(answer, answer);
  });
  const recording = await played(
    "story:\n" +
      "  - { at: 1m, text: { from: farmers/0, to: clinic/0, body: one } }\n" +
      "  - { at: 2m, text: { from: farmers/1, to: clinic/0, body: two } }\n",
    {
      receiver: receiver.url,
      api: { port: 0 },
      onStart: ({ api: offered }) => {
        if (offered !== undefined) api = new Client(`${offered.url}/api/v2/`, offered.token);
      },
    },
  );
  const { marks } = gatherFigures(recording);
  const requests = marks.filter(({ kind }) => kind === "api").map(({ text }) => text);
  expect(requests).toEqual(["API request: POST /api/v2/broadcasts.json", "API request: POST /api/v2/broadcasts.json"]);
  const page = wordsOf(renderHtml(recording));
  expect(page).toContain("2 dotted lines in the charts: the story, and what was done by hand and 2 API requests");
  expect(page).not.toContain("by hand: api");
});

it("texts without effect are counted and listed if others had one", async () => {
  const receiver = await receiverThat((body, response) => {
    const event = new URLSearchParams(body);
    const isHeard = event.get("event") === "mo_sms" && event.get("text") === "hello";
    const reply = { urn: [`tel:${event.get("phone")}`], text: "thanks" };
    response.setHeader("content-type", "application/json");
    response.end(isHeard ? JSON.stringify(reply) : "{}");
  });
  const recording = await played(
    "story:\n" +
      "  - { at: 1m, text: { from: farmers/0, to: clinic/0, body: hello } }\n" +
      "  - { at: 2m, text: { from: farmers/1, to: clinic/0, body: <b>HELP</b> } }\n",
    { receiver: receiver.url },
  );
  expect(gatherFigures(recording).withoutEffect).toEqual([
    {
      event: expect.any(String) as string,
      handset: "clinic/0",
      atMs: expect.any(Number) as number,
      phone: "+250781100001",
      text: "<b>HELP</b>",
    },
  ]);
  const page = wordsOf(renderHtml(recording));
  expect(page).toContain("1 of 2 texts led to no message by the receiver");
  expect(page).toContain("&lt;b&gt;HELP&lt;/b&gt;");
});

it("the header names the receivers of groups with separate receivers", async () => {
  const [shared, own] = [await receiverThat((_, response) => response.end("{}")), await receiverThat(() => undefined)];
  const school = `  school: { count: 1, phone: "+2507890{00000}", receiver: "${own.url}" }\npeople:`;
  const recording = join(temporaryFolder(), "run.db");
  await play(`${cast.replace("people:", school)}story: []\n`, { receiver: shared.url, recording });
  const reader = openRecording(recording);
  onTestFinished(() => reader.close());
  const [one, other] = [shared, own].map(({ url }) => url.replace("?key=secret", "?…"));
  expect(wordsOf(renderHtml(reader))).toContain(`Receivers ${one} (2 handsets), ${other} (1 handset)`);
});

/** The visible text of a page. */
function wordsOf(page: string): string {
  const body = page.slice(page.indexOf("<body>"), page.indexOf('<script type="application/json"'));
  return body.replaceAll(/<[^>]*>/g, " ").replaceAll(/\s+/g, " ");
}
