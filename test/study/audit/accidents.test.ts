/* Receivers that are right, or nearly so, in ways that real applications have: the audit must say the true cause. */
import { describe, expect, it } from "vitest";
import { auditReceiver, type AuditResult, renderAudit } from "../../../src/study/index.js";
import { plain, type RightReceiver } from "./right-receivers.js";

async function auditOf(open: () => Promise<RightReceiver>, only: readonly string[]): Promise<AuditResult> {
  const receiver = await open();
  try {
    return await auditReceiver(receiver.url, { only, watchesHost: false, timeLimitMs: 120_000 });
  } finally {
    await receiver.close();
  }
}

const idsOf = ({ findings }: AuditResult): string[] => findings.map(({ id }) => id);

describe("an answer that is the event itself", () => {
  const replyTrials = ["reply-is-event", "reply-too-long", "reply-emoji", "reply-ignored", "text-1600", "sender-name"];

  /** Answers with the record that it made, as an interface of resources does. */
  const answersRecord = (keys?: readonly string[]) => (): Promise<RightReceiver> =>
    plain((form, response) => {
      response.writeHead(201, { "content-type": "application/json" });
      const fields = [...form].filter(([key]) => keys?.includes(key) ?? true);
      response.end(JSON.stringify(Object.fromEntries(fields)));
    });

  it("is one finding where the service takes it for a reply, and its length is none", async () => {
    expect(idsOf(await auditOf(answersRecord(), replyTrials))).toEqual(["reply-is-event"]);
  });

  it("is observed where it names no recipient", async () => {
    const { findings, observed } = await auditOf(answersRecord(["text", "event", "relayer", "sms"]), replyTrials);
    expect(findings).toEqual([]);
    expect(observed.map(({ id }) => id)).toContain("reply-is-event");
  });

  it("is no finding where it has no text", async () => {
    expect(idsOf(await auditOf(answersRecord(["event", "relayer", "sms", "phone"]), replyTrials))).toEqual([]);
  });
});

describe("a redirect", () => {
  const leadsTo = (status: number, location: (path: string) => string) => (): Promise<RightReceiver> =>
    plain(
      (form, response) => {
        response.writeHead(status, { location: location(form.get("sms") ?? "1") });
        response.end();
      },
      () => ({ kept: true }),
    );

  it("to the page of what was kept is observed, and the page's answer counts", async () => {
    const { findings, observed, untested } = await auditOf(
      leadsTo(302, (id) => `/messages/${id}`),
      ["type-mo-sms", "text-emoji", "body-slow", "connection-close", "keep-alive"],
    );
    expect(findings).toEqual([]);
    expect(untested).toEqual([]);
    expect(observed.map(({ text }) => text)).toEqual([
      expect.stringMatching(/^it is answered with 302 to another page, such as \/messages\/\d+: the service asks/),
    ]);
  });

  it.each([
    ["that says that the address has moved", 301, "/moved"],
    ["to the same path with a slash", 302, "/?"],
    ["to a login", 302, "/accounts/login"],
    ["to another host", 302, "http://127.0.0.2:9/messages/1"],
  ])("%s loses the event", async (_, status, location) => {
    expect(
      idsOf(
        await auditOf(
          leadsTo(status, () => location),
          ["type-mo-sms"],
        ),
      ),
    ).toEqual(["type-mo-sms"]);
  });
});

/** Fails at every event that does not pass. */
const takes = (passes: (form: URLSearchParams) => boolean) => (): Promise<RightReceiver> =>
  plain((form, response) => {
    response.statusCode = passes(form) ? 200 : 500;
    response.end();
  });

describe("an address that one step of a flow calls", () => {
  const types = ["type-mo-sms", "type-mo-miss", "type-alarm", "type-flow"];

  it("is not accused of failing at events that never come there", async () => {
    const { findings, observed } = await auditOf(
      takes((form) => form.has("values")),
      types,
    );
    expect(findings).toEqual([]);
    expect(observed.map(({ text }) => text)).toContainEqual(expect.stringContaining("takes flow events alone"));
  });

  it("gets the fields of a historic flow: contact, run, time, text and steps", async () => {
    const needs = ["contact", "urn", "run", "time", "text", "steps", "flow_uuid"];
    const { passedIds } = await auditOf(
      takes((form) => needs.every((key) => form.has(key)) && (JSON.parse(form.get("steps") ?? "[]") as []).length > 1),
      types,
    );
    expect(passedIds).toEqual(["type-flow"]);
  });

  it("does not excuse a receiver that takes texts as well", async () => {
    const passes = (form: URLSearchParams): boolean => form.has("values") || form.get("event") === "mo_sms";
    expect(idsOf(await auditOf(takes(passes), types))).toEqual(["type-mo-miss", "type-alarm"]);
  });
});

describe("a receiver that needs the contact of historic events", () => {
  it("gets one of short codes, names and withheld numbers too", async () => {
    const ids = ["type-mo-sms", "sender-short-code", "sender-name", "sender-none", "caller-withheld"];
    const { passedIds } = await auditOf(
      takes((form) => form.get("contact") !== null),
      ids,
    );
    expect(passedIds).toEqual(expect.arrayContaining(ids));
  });
});

describe("a receiver that reads the digits of a text as its own code", () => {
  it("is found to fail at the answer 0", async () => {
    const open = takes((form) => form.get("text") !== "0");
    expect(idsOf(await auditOf(open, ["text-zero", "text-empty", "text-accents"]))).toEqual(["text-zero"]);
  });
});

describe("a receiver that limits requests", () => {
  it("is not said to fail now and then: the trials after its limit are untested for that reason", async () => {
    let left = 8;
    const open = (): Promise<RightReceiver> =>
      plain((_, response) => {
        response.statusCode = left-- > 0 ? 200 : 429;
        response.end();
      });
    const ids = ["text-160", "text-161", "text-accents", "text-rtl", "unknown-field", "key-order", "duplicate-refused"];
    const { findings, observed, untested } = await auditOf(open, ["type-mo-sms", ...ids, "id-64-bit", "time-late"]);
    expect(findings).toEqual([]);
    expect(observed).toEqual([]);
    expect(new Set(untested.map(({ why }) => why))).toEqual(
      new Set(["the receiver limits requests and answers 429: raise the limit for the audit"]),
    );
  });
});

describe("the report card", () => {
  it("does not call a receiver faultless whose effects nobody has seen", async () => {
    const card = async (effects: boolean): Promise<string> => {
      const receiver = await plain(
        (_, response) => response.end(),
        () => ({}),
      );
      const how = effects && receiver.effects !== undefined ? { effects: receiver.effects } : {};
      const result = await auditReceiver(receiver.url, { only: ["duplicate-acts-twice"], watchesHost: false, ...how });
      await receiver.close();
      return renderAudit(result, { colour: false, width: 80 });
    };
    expect(await card(false)).toContain("Grade A  no fault found in its answers; what it keeps was not seen");
    expect(await card(true)).toContain("Grade A  no fault found\n");
  });
});

describe("a receiver that accepts nothing", () => {
  const failureOf = async (open: () => Promise<RightReceiver>): Promise<string> => {
    const failure = await auditOf(open, ["type-mo-sms"]).then(
      () => undefined,
      (error: unknown) => error as Error & { hint?: string },
    );
    return `${failure?.message} ${failure?.hint}`;
  };

  it("is shown with its own words, which name what is missing", async () => {
    const open = (): Promise<RightReceiver> =>
      plain((_, response) => {
        response.statusCode = 400;
        response.end("<p>Invalid password.</p>");
      });
    expect(await failureOf(open)).toMatch(/status 400: Invalid password\. .*may need a secret/);
  });

  it("gets the advice that it takes JSON alone, which the service does not send", async () => {
    const open = (): Promise<RightReceiver> =>
      plain((form, response) => {
        response.statusCode = [...form.keys()][0]?.startsWith("{") === true ? 200 : 500;
        response.end();
      });
    expect(await failureOf(open)).toMatch(/accepts the same event as JSON: the service sends forms/);
  });

  it("is not passed in silence when it tells of an error with status 200", async () => {
    const open = (): Promise<RightReceiver> =>
      plain((_, response) => {
        response.end(JSON.stringify({ payload: { success: false, error: "Secret Key Mismatch" } }));
      });
    const { observed } = await auditOf(open, ["type-mo-sms"]);
    expect(observed[0]?.text).toMatch(/the answer tells of an error: .*Secret Key Mismatch/);
  });
});
