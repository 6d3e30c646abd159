import { describe, expect, it } from "vitest";
import { receiverBugs, startReceiver } from "../../../src/receiver/index.js";
import { auditReceiver } from "../../../src/study/index.js";
import { unseenBugs } from "../../../src/study/audit/mutants/unseen.js";

/** For each built-in bug, a trial that finds it. */
const foundBy: readonly (readonly [bug: string, trial: string])[] = [
  ["no-dedupe", "duplicate-acts-twice"],
  ["dedupe-texts-only", "duplicate-call-acts-twice"],
  ["dedupe-reports-only", "duplicate-acts-twice"],
  ["dedupe-by-text", "repeat-swallowed"],
  ["dedupe-by-second", "same-second"],
  ["dedupe-across-types", "delivery-lost"],
  ["dedupe-across-phones", "same-id-other-phone"],
  ["duplicate-500", "duplicate-refused"],
  ["duplicate-409", "duplicate-refused"],
  ["delivered-first-crashes", "type-mt-dlvd"],
  ["delivered-first-404", "delivered-before-sent"],
  ["status-goes-back", "status-goes-back"],
  ["third-report-crashes", "report-after-failure"],
  ["answers-reports", "reply-loop"],
  ["unknown-type-500", "unknown-type"],
  ["unknown-field-500", "unknown-field"],
  ["unknown-field-400", "unknown-field"],
  ["missing-status-500", "missing-status"],
  ["missing-contact-name-500", "contact-fields"],
  ["type-by-position", "unknown-type"],
  ["ids-32-bit", "id-64-bit"],
  ["name-as-number", "sender-name"],
  ["short-code-500", "sender-short-code"],
  ["withheld-crashes", "caller-withheld"],
  ["no-mt-miss", "type-mt-miss"],
  ["huge-duration-500", "call-huge"],
  ["zero-duration-missed", "call-zero-missed"],
  ["wireless-power-500", "alarm-source-wir"],
  ["unknown-network-500", "alarm-network-nr"],
  ["unknown-battery-500", "alarm-level-unknown"],
  ["alarm-needs-all", "missing-alarm-fields"],
  ["flow-empty-crashes", "flow-empty"],
  ["flow-category-map-crashes", "spelling-historic"],
  ["flow-number-crashes", "flow-number"],
  ["flow-too-large", "flow-huge"],
  ["decodes-twice", "text-plus"],
  ["percent-crashes", "text-percent"],
  ["splits-after-decoding", "text-ampersand"],
  ["splits-at-semicolon", "text-ampersand"],
  ["cuts-at-equals", "text-plus"],
  ["latin-1", "text-gsm-extension"],
  ["ascii-only", "text-gsm-extension"],
  ["basic-letters-only", "text-emoji"],
  ["drops-gsm-extension", "text-gsm-extension"],
  ["cuts-at-160", "text-161"],
  ["long-text-500", "text-459"],
  ["long-text-413", "text-1600"],
  ["emoji-500", "text-emoji"],
  ["emoji-cut", "text-emoji"],
  ["emoji-split", "text-emoji"],
  ["joiners-lost", "text-emoji-joined"],
  ["marks-lost", "text-ucs2"],
  ["nul-500", "text-nul"],
  ["empty-text-500", "text-empty"],
  ["blank-text-500", "text-blank"],
  ["line-ends-lost", "text-line-ends"],
  ["quote-crashes", "text-quotes"],
  ["sql-words-403", "text-sql"],
  ["template-runs", "text-template"],
  ["format-crashes", "text-gsm-extension"],
  ["formula-runs", "text-formula"],
  ["escapes-markup", "text-ampersand"],
  ["swallows-errors", "text-emoji"],
  ["needs-fraction", "time-no-fraction"],
  ["three-digits-only", "spelling-historic"],
  ["zone-crashes", "time-zone-z"],
  ["no-leap-day", "time-leap-day"],
  ["leap-day-shifts", "time-leap-day"],
  ["spring-hour-crashes", "time-spring"],
  ["spring-hour-shifts", "time-spring"],
  ["future-400", "time-future"],
  ["late-ignored", "time-late"],
  ["newer-only", "older-text"],
  ["reply-too-long", "text-459"],
  ["reply-one-too-long", "text-459"],
  ["reply-splits-emoji", "reply-emoji"],
  ["reply-by-hand", "text-gsm-extension"],
  ["reply-urn-space", "reply-ignored"],
  ["query-404", "query-kept"],
  ["redirects", "type-mo-sms"],
  ["closes-without-notice", "keep-alive"],
  ["chunked-crashes", "body-chunked"],
  ["first-packet-only", "body-slow"],
  ["expect-417", "expect-continue"],
  ["charset-415", "content-type-charset"],
  ["deadlock-for-one-person", "one-person-at-once"],
  ["shared-variable", "people-mixed"],
  ["loses-updates", "lost-update"],
  ["dedupe-window", "duplicate-later"],
  ["dedupe-by-body", "duplicate-other-order"],
  ["dedupe-race", "duplicate-parallel"],
  ["flow-key-without-values", "flow-step-again"],
  ["acts-before-failing", "failed-acts-twice"],
  ["loses-after-failing", "failed-acts-twice"],
  ["delivered-first-ignored", "status-goes-back"],
  ["keeps-plus", "text-words"],
  ["fails-under-load", "load-60"],
  ["resets-under-load", "load-60"],
  ["one-at-a-time", "load-60"],
];

/** Trials that look at speed: they are played one after the other. */
const isLoad = ([, trial]: readonly [string, string]): boolean => trial.startsWith("load-");

async function isFound([bug, trial]: readonly [string, string]): Promise<boolean> {
  const receiver = await startReceiver({ logbook: { bugs: [bug] } });
  try {
    const { findings } = await auditReceiver(receiver.url, {
      effects: `GET ${receiver.url}_handset-lab/effects`,
      only: [trial],
      timeoutMs: 1500,
      timeLimitMs: 600_000,
      watchesHost: false,
    });
    return findings.length > 0;
  } finally {
    await receiver.close();
  }
}

describe("the audit's mutation score", () => {
  it("finds at least 95 % of the built-in bugs that can be seen", async () => {
    const missed: string[] = [];
    const play = async (pair: readonly [string, string]): Promise<void> => {
      if (!(await isFound(pair))) missed.push(pair.join(" by "));
    };
    const queue = foundBy.filter((pair) => !isLoad(pair));
    const worker = async (): Promise<void> => {
      for (let pair = queue.shift(); pair !== undefined; pair = queue.shift()) await play(pair);
    };
    await Promise.all(Array.from({ length: 8 }, worker));
    for (const pair of foundBy.filter(isLoad)) await play(pair);
    expect(missed.length, missed.join(", ")).toBeLessThanOrEqual(0.05 * foundBy.length);
  });

  it("has a trial for each built-in bug, or says why no audit can see it", () => {
    const names = [...foundBy.map(([bug]) => bug), ...Object.keys(unseenBugs)];
    expect(names.toSorted()).toEqual(receiverBugs.map(({ name }) => name).toSorted());
  });
});
