import { join } from "node:path";
import { expect, it } from "vitest";
import { openRecording, renderHtml, renderJunit, renderSummary, resultOf, verdictOf } from "../../src/index.js";
import { type Finding, measureRecording, measuresOf } from "../../src/report/index.js";
import { temporaryFolder } from "../support/folder.js";
import { play, receiverThat, smallDay } from "./support.js";

/** Answers each text as given, and all else with nothing. */
async function receiverThatReplies(answerTo: (phone: string, nth: number) => string): Promise<string> {
  let texts = 0;
  const { url } = await receiverThat((body, response) => {
    const fields = new URLSearchParams(body);
    response.end(fields.get("event") === "mo_sms" ? answerTo(fields.get("phone") ?? "", ++texts) : "");
  });
  return url;
}

function ignoredIn(findings: readonly Finding[] | undefined): Finding[] {
  return (findings ?? []).filter(({ kind }) => kind === "ignored-replies");
}

it("replies without a recipient: how many of how many, an example, and how to fix it, wherever a result is shown", async () => {
  const receiver = await receiverThatReplies(() => JSON.stringify({ text: "Thanks" }));
  const path = join(temporaryFolder(), "run.db");
  const { result } = await play(smallDay, { receiver, recording: path });
  const [finding, ...more] = ignoredIn(result.findings);
  expect(more).toEqual([]);
  const count = result.replies.ignored;
  expect(count).toBeGreaterThan(100);
  expect(finding).toMatchObject({ weight: "bad", of: "no-recipient" });
  expect(finding?.text).toMatch(
    new RegExp(
      `^${count} of ${count} replies were ignored, as they name no recipient; nobody heard them\\. For example ` +
        `\\{"text":"Thanks"\\} to \\d+/\\d+; to fix it, add "phone" .* or set \`service: \\{ reply-to-sender: true \\}\``,
    ),
  );
  expect(verdictOf(result)).toMatchObject({ state: "held with warnings", finding });
  const summary = renderSummary(result, { colour: false, width: 80 }).replaceAll(/\s+/g, " ");
  expect(summary).toContain(`${count} of ${count} replies were ignored`);
  const recording = openRecording(path);
  try {
    const kept = resultOf(recording);
    expect(ignoredIn(kept.findings)).toEqual([finding]);
    expect(renderHtml(recording)).toContain(`${count} of ${count} replies were ignored`);
    expect(renderJunit(kept, recording.meta())).toContain("replies were ignored, as they name no recipient");
  } finally {
    recording.close();
  }
});

it("the fix holds: with reply-to-sender the same answers reach the people", async () => {
  const receiver = await receiverThatReplies(() => JSON.stringify({ text: "Thanks" }));
  const text = `${smallDay}service: { preset: documented, reply-to-sender: true }\n`;
  const { result } = await play(text, { receiver });
  expect(ignoredIn(result.findings)).toEqual([]);
  expect(result.replies).toMatchObject({ ignored: 0 });
});

it.each([
  ["a word", "OK"],
  ["a page", "<!doctype html><html><body>thanks, text: {}</body></html>"],
  ["a status", JSON.stringify({ status: "ok" })],
  ["a status with a message", JSON.stringify({ success: true, message: "received" })],
  ["a list", "[]"],
  ["null", "null"],
  ["nothing", ""],
])("a receiver that answers %s is not accused of bad replies", async (_, answer) => {
  const receiver = await receiverThatReplies(() => answer);
  const { result } = await play(smallDay, { receiver });
  expect(ignoredIn(result.findings)).toEqual([]);
  expect(verdictOf(result).state).toBe("held");
});

it.each<[reason: string, answer: (phone: string) => string, fix: string]>([
  ["not-json", (phone) => `{'phone': '${phone}', 'text': 'Thanks'}`, "by a JSON library"],
  ["not-an-object", (phone) => JSON.stringify([{ phone, text: "Thanks" }]), "one object"],
  ["no-text", (phone) => JSON.stringify({ phone, message: "Thanks" }), 'under "text"'],
  ["bad-text", (phone) => JSON.stringify({ phone, text: { body: "Thanks" } }), 'under "text"'],
  ["text-too-long", (phone) => JSON.stringify({ phone, text: "x".repeat(481) }), "shorten it"],
  ["bad-urn", () => JSON.stringify({ phone: "Ada", text: "Thanks" }), '"phone": "+250788123456"'],
  ["urn-and-phone", (phone) => JSON.stringify({ phone, urn: `tel:${phone}`, text: "Thanks" }), "leave one of them out"],
  ["bad-contact", () => JSON.stringify({ contact: "Ada", text: "Thanks" }), 'by "phone"'],
  [
    "unknown-contact",
    () => JSON.stringify({ contact: "00000000-0000-4000-8000-000000000000", text: "Thanks" }),
    'by "phone"',
  ],
  ["unknown-channel", (phone) => JSON.stringify({ phone, text: "Thanks", channel: 99 }), 'leave "channel" out'],
])("%s: the finding has its own remedy", async (reason, answer, fix) => {
  const receiver = await receiverThatReplies(answer);
  const { result } = await play(smallDay, { receiver });
  const [finding] = ignoredIn(result.findings);
  expect(finding).toMatchObject({ weight: "bad", of: reason });
  expect(finding?.text).toContain(fix);
});

it("a rare long text among good replies is a note, and the run has held", async () => {
  const receiver = await receiverThatReplies((phone, nth) =>
    JSON.stringify({ phone, text: nth === 50 ? "x".repeat(481) : "Thanks" }),
  );
  const { result } = await play(smallDay, { receiver });
  expect(ignoredIn(result.findings)).toMatchObject([{ weight: "note", of: "text-too-long" }]);
  expect(ignoredIn(result.findings)[0]?.text).toMatch(/^1 of \d+ replies \(\d.* %\) was ignored/);
  expect(verdictOf(result).state).toBe("held");
});

it("a run that was killed: the recording's tables give the same finding", async () => {
  const receiver = await receiverThatReplies((phone, nth) =>
    nth % 2 === 0 ? JSON.stringify({ text: "Thanks" }) : JSON.stringify({ phone, text: "Thanks" }),
  );
  const path = join(temporaryFolder(), "run.db");
  const { result } = await play(smallDay, { receiver, recording: path });
  const recording = openRecording(path);
  try {
    const { meter, texts, behaviour } = measureRecording(recording);
    const again = measuresOf(meter, { model: "lockstep", texts, behaviour });
    expect(ignoredIn(again.findings)).toEqual(ignoredIn(result.findings));
  } finally {
    recording.close();
  }
});
