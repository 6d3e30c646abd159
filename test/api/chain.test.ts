import { execFile } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import type { ServerResponse } from "node:http";
import { join } from "node:path";
import { promisify } from "node:util";
import { gzipSync } from "node:zlib";
import { describe, expect, it, onTestFinished } from "vitest";
import { parseForm } from "../../src/index.js";
import { openRecording } from "../../src/store/index.js";
import { handset } from "../cli/terminal.js";
import { parse, play, receiverThat } from "../end-to-end/support.js";
import { type ServedLab, serving } from "../end-to-end/served.js";
import { temporaryFolder } from "../support/folder.js";

const lostAnswers = readFileSync(new URL("../../scenarios/lost-answers.yaml", import.meta.url), "utf8");

/** `scenarios/lost-answers.yaml` at its 55th minute: one text, four events. */
async function lostAnswersLab(answer: (times: number) => number = () => 200): Promise<{
  readonly lab: ServedLab["lab"];
  readonly step: (span: string) => Promise<unknown>;
  readonly got: readonly { readonly body: string }[];
}> {
  let times = 0;
  const receiver = await receiverThat((_body, response) => void response.writeHead(answer(++times)).end("{}"));
  const served = await serving({ scenario: parse(lostAnswers), receiver: receiver.url });
  await served.step("55m");
  return { lab: served.lab, step: (span) => served.step(span), got: receiver.got };
}

describe("a chain", () => {
  it("names people as the service knows them, and so does the log", async () => {
    const served = await serving({ scenario: parse(lostAnswers), receiver: "bundled" });
    await served.step("55m");
    const { phone } = await served.lab.done("GET", "/person?who=workers/2");
    await served.api.done("POST", `contacts.json?urn=${encodeURIComponent(`tel:${phone}`)}`, { name: "Ada Okoro" });
    const somebody = { selector: "workers/2", phone, name: "Ada Okoro" };
    expect((await served.lab.done("GET", "/events?limit=1&brief=true")).results[0].person).toEqual(somebody);
    const { about, steps } = await served.lab.done("GET", "/chain?id=1/1");
    expect(about).toContain(`from Ada Okoro (${phone})`);
    expect(steps[0].person).toEqual(somebody);
  });

  it("explains a duplicate, with its requests and answers", async () => {
    const { lab } = await lostAnswersLab();
    const { results } = await lab.done("GET", "/events?copies=true");
    expect(results.map(({ id }: { id: string }) => id)).toEqual(["1/4", "1/3", "1/2"]);
    const chain = await lab.done("GET", "/chain?id=1/2");
    expect(chain.headline[0]).toBe(
      "Event 1/2 is a copy of 1/1: the network lost the service's answer to the sync, so the phone reported again.",
    );
    expect(chain.steps.map(({ kind }: { kind: string }) => kind)).toEqual([
      "text",
      "received",
      "event",
      "attempt",
      ...[1, 2, 3].flatMap(() => ["sync-failed", "event", "attempt"]),
    ]);
    expect(chain.steps[0]).toMatchObject({ at_ms: 600_000, handset: "farm/0", person: { selector: "workers/2" } });
    const [original, copy] = chain.events;
    expect(original).toMatchObject({
      id: "1/1",
      copy: null,
      copies: ["1/2", "1/3", "1/4"],
      fields: { text: "12 bags" },
    });
    expect(copy.copy).toMatchObject({
      of: "1/1",
      cause: "answer-lost",
      differs: [
        { field: "sms", original: "1048577", copy: "1048578" },
        { field: "id", original: "1048577", copy: "1048578" },
      ],
    });
    expect(copy.attempts).toMatchObject([
      {
        try: 1,
        outcome: "accepted",
        by_hand: false,
        request: { method: "POST", body: copy.request_body },
        response: { status: 200, body: "{}", body_bytes: 2, is_cut: false },
      },
    ]);
    expect(copy.attempts[0].request.headers).toContainEqual({
      name: "content-type",
      value: "application/x-www-form-urlencoded",
    });
    expect(await lab.done("GET", "/chain?id=1048578")).toMatchObject({ id: "1/2" });
  });

  it("says what comes next while the delivery continues, and how it ended", async () => {
    const oneText = `
      lasts: 1h
      handsets: { clinic: { phone: "+250788000000" } }
      people: { farmers: { count: 1, phone: "+2507811{00000}", of: clinic } }
      story: [{ at: 10m, text: { from: farmers/0, to: clinic, body: hi } }]`;
    const held: ServerResponse[] = [];
    const receiver = await receiverThat((_body, response) => void held.push(response));
    const served = await serving({ scenario: parse(oneText), receiver: receiver.url });
    const { lab } = served;
    const seen = async (): Promise<unknown[]> => {
      const { headline, events } = await lab.done("GET", "/chain?id=1/1");
      const { outcome, error, is_open, ignored } = (await lab.done("GET", "/events?brief=true")).results[0];
      expect(is_open).toBe(events[0].is_open);
      return [headline[0], { outcome, error, is_open, ignored }];
    };
    const whenRequested = (count: number): Promise<void> => expect.poll(() => held.length).toBe(count);
    const whenAnswered = (count: number): Promise<void> =>
      expect.poll(async () => (await lab.done("GET", "/chain?id=1/1")).events[0].attempts.length).toBe(count);

    await served.step("11m");
    await whenRequested(1);
    expect(await seen()).toEqual([
      "Event 1/1 is being posted: the receiver has not answered yet.",
      { outcome: "waiting", error: null, is_open: true, ignored: null },
    ]);
    held[0]?.destroy();
    await whenAnswered(1);
    const closed = "try 1 had no answer: the receiver closed the connection without an answer (no-answer)";
    const broken = { outcome: "connection", error: "no-answer", is_open: true, ignored: null };
    expect(await seen()).toEqual([`Not accepted so far: ${closed}; try 2 follows 5 min after it.`, broken]);
    await served.step("6m");
    await whenRequested(2);
    expect(await seen()).toEqual([`Not accepted so far: ${closed}; try 2 is under way.`, broken]);
    held[1]?.end("}{");
    await whenAnswered(2);
    const [unclear, line] = await seen();
    expect(unclear).toContain("may have event 1/1 more than once");
    expect(line).toMatchObject({ outcome: "accepted", is_open: false, ignored: "the body is not JSON: }{" });
    const { headline } = await lab.done("GET", "/chain?id=1/1");
    expect(headline[1]).toBe("The service ignored the receiver's answer: the body is not JSON: }{.");
  });

  it("keeps the words of a message whose contact was deleted", async () => {
    const served = await serving({ scenario: parse(lostAnswers) });
    const { lab, api } = served;
    const contact = { name: "Joan Ode", urns: ["tel:+250781100077"] };
    const { uuid } = await api.done("POST", "contacts.json", contact);
    await api.done("POST", "broadcasts.json", { text: "market day", contacts: [uuid] });
    await served.step("10m");
    const { id } = (await lab.done("GET", "/events?type=mt_sent")).results[0];
    await api.delete(`contacts.json?uuid=${uuid}`);
    const chain = await lab.done("GET", `/chain?id=${id}`);
    expect(chain.about).toContain('"market day" from farm/0 to +250781100077');
    expect(chain.messages[0].text).toBe("market day");
    const { yaml } = await lab.done("GET", `/chain/scenario?id=${id}`);
    expect((await play(yaml)).exitCode, yaml).toBe(0);
  });

  it("is refused for ids that nothing has", async () => {
    const { lab } = await lostAnswersLab();
    for (const [id, detail] of [
      ["9/9", "its channels are 1 to 1"],
      ["1/99", "its events are 1/1 to 1/4"],
      ["12", "numbers of messages and calls begin at 1048577"],
      ["x'; drop", "such as 3/17"],
    ] as const) {
      const answered = await lab.get(`/chain?id=${encodeURIComponent(id)}`);
      expect([id, answered.status, answered.body.detail]).toEqual([id, 404, expect.stringContaining(detail)]);
    }
    expect((await lab.get("/chain")).status).toBe(400);
  });

  it("has a curl command that posts the same bytes, once, when it is pasted into a shell", async () => {
    const receiver = await receiverThat((_body, response) => void response.end("{}"));
    const served = await serving({ scenario: parse(lostAnswers), receiver: receiver.url });
    const { lab } = served;
    await lab.done("POST", "/delivery-url", { of: "farm", url: `${receiver.url}&of={a,b}&to=[1-3]` });
    const body = 'it\'s $HOME `id` "x" \\ ! !! \t\n\n 😀 שלום ' + "a=b&c=%20 ".repeat(400);
    await lab.done("POST", "/do/text", { from: "workers/1", to: "farm", body });
    await served.step("5m");
    await expect.poll(() => receiver.got.length).toBe(1);
    const { curl } = (await lab.done("GET", "/chain?id=1/1")).events[0].attempts[0];
    await promisify(execFile)("bash", ["-c", curl]);
    expect(receiver.got).toHaveLength(2);
    expect(receiver.got[1]).toEqual(receiver.got[0]);
  });

  it("shows an answer by its charset, and of a binary one its first bytes", async () => {
    const json = JSON.stringify({ note: "abc".repeat(1000) });
    const answers: Readonly<Record<string, { readonly headers: Record<string, string>; readonly body: Buffer }>> = {
      latin: { headers: { "content-type": "text/plain; charset=ISO-8859-1" }, body: Buffer.from("Reçu", "latin1") },
      unknown: { headers: { "content-type": "text/plain; charset=none-such" }, body: Buffer.from("reçu") },
      gzip: { headers: { "content-encoding": "gzip" }, body: gzipSync(json) },
      image: { headers: { "content-type": "image/png" }, body: Buffer.from(new Uint8Array(300).map((_, at) => at)) },
      long: { headers: {}, body: Buffer.from(`${"x".repeat(65_535)}é and more`) },
      none: { headers: {}, body: Buffer.alloc(0) },
    };
    const receiver = await receiverThat((body, response) => {
      const answer = answers[new URLSearchParams(body).get("text") ?? ""];
      response.writeHead(200, answer?.headers).end(answer?.body);
    });
    const served = await serving({ scenario: parse(lostAnswers), receiver: receiver.url });
    const { lab } = served;
    const shown: Record<string, unknown> = {};
    for (const [at, text] of Object.keys(answers).entries()) {
      await lab.done("POST", "/do/text", { from: "workers/1", to: "farm", body: text });
      await served.step("1m");
      const responseOf = async (): Promise<{ readonly body: string | null } | undefined> =>
        (await lab.done("GET", `/chain?id=1/${at + 1}`)).events[0].attempts[0]?.response;
      await expect.poll(responseOf).toBeDefined();
      shown[text] = await responseOf();
    }
    expect(shown).toMatchObject({
      latin: { body: "Reçu", body_bytes: 4, is_binary: false, is_cut: false },
      unknown: { body: "reçu", is_binary: false },
      gzip: { body: json, is_binary: false, is_cut: false },
      image: { body: expect.stringMatching(/^0000 {2}00 01 02 /), body_bytes: 300, is_binary: true, is_cut: true },
      long: { body: "x".repeat(65_535), is_binary: false, is_cut: true },
      none: { body: null, is_binary: false, is_cut: false },
    });
  });
});

describe("sending an event again", () => {
  it("is one more attempt by hand: in the chain, in the ledger, without retries", async () => {
    const { lab, step, got } = await lostAnswersLab((times) => (times <= 4 ? 200 : 500));
    expect(got).toHaveLength(4);
    const resent = await lab.done("POST", "/events/resend", { id: "1/2" });
    expect(resent).toMatchObject({ id: "1/2", try: 2 });
    await expect.poll(() => got.length).toBe(5);
    expect(got[4]?.body).toBe(got[1]?.body);
    await step("2h");
    expect(got).toHaveLength(5);
    const chain = await lab.done("GET", "/chain?id=1/2");
    expect(chain.headline.at(-1)).toContain("sent again by hand once");
    expect(chain.events[1].attempts).toMatchObject([
      { try: 1, by_hand: false, outcome: "accepted" },
      { try: 2, by_hand: true, outcome: "failed", response: { status: 500 } },
    ]);
    const { ledger } = await lab.done("GET", "/");
    expect(ledger.events).toMatchObject({
      in: 1,
      copies: { "answer-lost": 3, "sent-by-hand": 1 },
      delivered: 4,
      failed: 1,
      gap: 0,
    });
    expect(ledger.attempts).toMatchObject({ in: 5, delivered: 4, failed: 1, gap: 0 });
    expect((await lab.done("POST", "/events/resend", { id: "1/2" })).try).toBe(3);
  });

  it("is named as sent by hand by why, HAR and reconcile, also when the receiver is gone", async () => {
    const database = join(temporaryFolder(), "resent.db");
    const receiver = await receiverThat((_body, response) => void response.writeHead(200).end("{}"));
    const served = await serving({ scenario: parse(lostAnswers), receiver: receiver.url, database });
    await served.step("55m");
    const { lab } = served;
    await lab.done("POST", "/events/resend", { id: "1/2" });
    await expect.poll(() => receiver.got.length).toBe(5);
    await lab.done("POST", "/delivery-url", { of: "farm", url: "http://127.0.0.1:1/" });
    await lab.done("POST", "/events/resend", { id: "1/3" });
    const lastOf = async (id: string): Promise<unknown> => {
      const { events } = await lab.done("GET", `/chain?id=${id}`);
      return events.find((event: { readonly id: string }) => event.id === id).attempts.at(-1);
    };
    await expect.poll(() => lastOf("1/3")).toMatchObject({ by_hand: true, outcome: "connection" });
    await served.served.close();
    const why = await handset(["why", database, "1/2"]);
    expect(why.stdout).toContain("sent again by hand once");
    const events = (await handset(["events", database])).stdout.trim().split("\n");
    const tries = events.map((line) => (JSON.parse(line) as { readonly attempts: readonly object[] }).attempts);
    expect(tries.map((attempts) => attempts.map((attempt) => "byHand" in attempt))).toEqual([
      [false],
      [false, true],
      [false, true],
      [false],
    ]);
    const har = JSON.parse((await handset(["report", database, "--format", "har"])).stdout) as {
      readonly log: { readonly entries: readonly { readonly comment: string }[] };
    };
    expect(har.log.entries.map(({ comment }) => comment).filter((comment) => comment.includes("by hand"))).toEqual([
      "event 1/2, try 2, sent again by hand, accepted",
      "event 1/3, try 2, sent again by hand, connection",
    ]);
    const log = join(temporaryFolder(), "got.jsonl");
    writeFileSync(
      log,
      receiver.got.map(({ body }) => `${JSON.stringify(Object.fromEntries(parseForm(body)))}\n`).join(""),
    );
    const reconciled = await handset(["reconcile", database, log]);
    expect(reconciled.stdout.replaceAll(/\s+/g, " ")).toContain(
      "it was posted 2 times, as it was sent again by hand once",
    );
  });

  it("differs from the service's own tries, when only it was accepted", async () => {
    const { lab, got } = await lostAnswersLab((times) => (times <= 4 ? 403 : times === 5 ? 404 : 200));
    await lab.done("POST", "/events/resend", { id: "1/2" });
    await expect.poll(() => got.length).toBe(5);
    const headline = async (): Promise<string[]> => (await lab.done("GET", "/chain?id=1/2")).headline.slice(-2);
    const own = "Its only try was not accepted: it was answered 403.";
    await expect.poll(headline).toEqual([own, "Event 1/2 was sent again by hand once: not accepted either."]);
    await lab.done("POST", "/events/resend", { id: "1/2" });
    await expect.poll(headline).toEqual([own, "Event 1/2 was sent again by hand 2 times: try 3 was accepted."]);
  });

  it("is refused while it is sent by hand already, so that a second click sends nothing", async () => {
    const held: (() => void)[] = [];
    const receiver = await receiverThat((_body, response) => {
      const answer = (): void => void response.writeHead(200).end("{}");
      if (receiver.got.length > 4) held.push(answer);
      else answer();
    });
    const served = await serving({ scenario: parse(lostAnswers), receiver: receiver.url });
    const { lab } = served;
    await served.step("55m");
    await lab.done("POST", "/events/resend", { id: "1/2" });
    const { status, body } = await lab.post("/events/resend", { id: "1/2" });
    expect([status, body.detail]).toEqual([409, "Event 1/2 is being sent by hand right now."]);
    await expect.poll(() => held.length).toBe(1);
    for (const answer of held) answer();
    expect(receiver.got).toHaveLength(5);
  });

  it("is refused while the event is being sent, and where there is nothing to send", async () => {
    const { lab } = await lostAnswersLab(() => 500);
    const refusal = async (id: string): Promise<unknown[]> => {
      const { status, body } = await lab.post("/events/resend", { id });
      return [status, body.detail];
    };
    await lab.done("POST", "/do/text", { from: "workers/1", to: "farm", body: "new" });
    await lab.done("POST", "/clock", { step: "1m" });
    const { results } = await lab.done("GET", "/events?limit=1");
    expect(results[0].outcome).toBe("retried");
    expect(await refusal(results[0].id)).toEqual([409, expect.stringContaining("tries again by itself")]);
    expect(await refusal("7/1")).toEqual([404, expect.stringContaining("no channel 7")]);
    await lab.done("POST", "/delivery-url", { of: "farm", url: null });
    expect(await refusal("1/1")).toEqual([409, expect.stringContaining("go nowhere")]);
  });
});

describe("the scenario of a chain", () => {
  it("is sound, plays, and leads to the same events", async () => {
    const { lab } = await lostAnswersLab();
    const { yaml, notes } = await lab.done("GET", "/chain/scenario?id=1/2");
    expect(notes).toEqual([]);
    expect(yaml).toContain("# Made from event 1/2 (mo_sms) of a recording of 'Duplicates by a lost answer'");
    const recording = join(temporaryFolder(), "made.db");
    const { result, exitCode } = await play(yaml, { recording });
    expect(exitCode).toBe(0);
    expect(result.expectations).toMatchObject([{ held: true, text: expect.stringContaining("count: 4") }]);
    const reader = openRecording(recording);
    onTestFinished(() => reader.close());
    const copies = [...reader.eventRows()].flatMap(({ channel, number, copy }) =>
      copy === null ? [] : [[`${channel}/${number}`, `${channel}/${copy.of}`, copy.cause]],
    );
    expect(copies).toEqual([
      ["1/2", "1/1", "answer-lost"],
      ["1/3", "1/1", "answer-lost"],
      ["1/4", "1/1", "answer-lost"],
    ]);
  });

  it("has the hands that touched its handset, and no others", async () => {
    const { lab } = await lostAnswersLab();
    await lab.done("POST", "/do/network", { of: "farm", type: "none", for: "20m" });
    await lab.done("POST", "/do/text", { from: "workers/4", to: "farm", body: "late news" });
    await lab.done("POST", "/do/text", { from: "workers/0", to: "farm", body: "somebody else" });
    await lab.done("POST", "/clock", { step: "1h" });
    const { results } = await lab.done("GET", "/events?contains=late+news&type=mo_sms");
    const { yaml } = await lab.done("GET", `/chain/scenario?id=${results[0].id}`);
    expect(yaml).toContain("type: none");
    expect(yaml).toContain("body: late news");
    expect(yaml).not.toContain("somebody else");
    expect(yaml).not.toContain("12 bags");
    const { exitCode } = await play(yaml);
    expect(exitCode).toBe(0);
  });
});
