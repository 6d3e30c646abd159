import { writeFileSync } from "node:fs";
import { lookup } from "node:dns/promises";
import { connect } from "node:net";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { type HttpResult, postOnce } from "../../src/http/index.js";
import {
  type AnswerMode,
  answerModes,
  type Application,
  type ApplicationEvent,
  loadApplication,
  parseAnswers,
  parseFailureScript,
  type ReceivedEvent,
  type Receiver,
  type ReceiverOptions,
  type ReplyTo,
  startReceiver,
} from "../../src/receiver/index.js";
import { readReply, type ReplyReading } from "../../src/wire/index.js";
import { temporaryFolder } from "../support/folder.js";

async function start(options: ReceiverOptions = {}): Promise<Receiver & { events: ReceivedEvent[] }> {
  const events: ReceivedEvent[] = [];
  const receiver = await startReceiver({ onEvent: (event) => events.push(event), ...options });
  onTestFinished(() => receiver.close());
  return Object.assign(receiver, { events });
}

const sms =
  "event=mo_sms&relayer=31&relayer_phone=%2B12065550110&sms=90430&phone=%2B12065550142&text=Pump+3%2C+50%25+%26+up";

function post(
  receiver: Receiver,
  body: string = sms,
  options: { path?: string; timeoutMs?: number } = {},
): Promise<HttpResult> {
  return postOnce({ url: `${receiver.url}${options.path ?? "events"}`, body, timeoutMs: options.timeoutMs ?? 3000 });
}

function reading({ body }: HttpResult): ReplyReading {
  return readReply(body ?? "", { replyToSender: false });
}

function text({ body }: HttpResult): string {
  return body === null ? "" : Buffer.from(body).toString();
}

describe("a request", () => {
  it("is reported unchanged", async () => {
    const receiver = await start();
    const beforeMs = Date.now();
    expect(await post(receiver, sms, { path: "events?key=a%20b&empty=" })).toMatchObject({ status: 200, body: null });
    expect(receiver.received).toBe(1);
    expect(receiver.events).toMatchObject([
      {
        method: "POST",
        path: "/events?key=a%20b&empty=",
        event: "mo_sms",
        key: "mo_sms 31 90430",
        duplicate: false,
        times: 1,
        answers: "ok",
        pairs: [
          ["event", "mo_sms"],
          ["relayer", "31"],
          ["relayer_phone", "+12065550110"],
          ["sms", "90430"],
          ["phone", "+12065550142"],
          ["text", "Pump 3, 50% & up"],
        ],
      },
    ]);
    const [event] = receiver.events;
    expect(event?.headers["content-type"]).toBe("application/x-www-form-urlencoded");
    expect(event?.at).toBeGreaterThanOrEqual(beforeMs);
  });

  it.each([
    ["an unknown event", "event=power_restored&relayer=31&relayer_phone=%2B12065550110"],
    ["nothing", ""],
    ["JSON", '{"type":"sms"}'],
    ["bytes that are no UTF-8", "event=mo_sms&text=%FF%FE\u00ff"],
    ["half an escape", "event=%4&text=%"],
    ["no keys", "&&&=&=x&"],
  ])("%s is accepted", async (_what, body) => {
    const receiver = await start();
    expect(await post(receiver, body)).toMatchObject({ status: 200 });
    expect(receiver.events).toMatchObject([{ key: null, duplicate: false }]);
  });

  it.each(["", "text/plain", "application/json", "multipart/form-data; boundary=x", "nonsense", "a/b; ;;="])(
    "content type %j is welcome",
    async (type) => {
      const receiver = await start();
      const answer = await fetch(receiver.url, {
        method: "POST",
        body: Buffer.from(sms),
        headers: { "content-type": type },
      });
      expect(answer.status).toBe(200);
      expect(receiver.events).toMatchObject([{ event: "mo_sms" }]);
    },
  );

  it("a body that is too large is refused", async () => {
    const receiver = await start({ maxBodyBytes: 1000 });
    const answer = await post(receiver, `text=${"a".repeat(2000)}`);
    expect(answer).toMatchObject({ status: 413 });
    expect(JSON.parse(text(answer))).toMatchObject({ statusCode: 413, code: "FST_ERR_CTP_BODY_TOO_LARGE" });
    expect(receiver.received).toBe(0);
  });

  it.each([
    ["PROPFIND", "events", 404, { message: "Route PROPFIND:/events not found", error: "Not Found" }],
    ["POST", "%ff?a=1", 400, { code: "FST_ERR_BAD_URL", message: "'/%ff?a=1' is not a valid url component" }],
  ])("%s /%s is answered %i and is no event", async (method, path, statusCode, body) => {
    const receiver = await start();
    const request: RequestInit = { method, body: sms };
    const answer = await fetch(receiver.url + path, request);
    expect(answer.status).toBe(statusCode);
    expect(await answer.json()).toMatchObject({ statusCode, ...body });
    expect(await post(receiver, sms, { path: "a%2Fb?c=%ff" })).toMatchObject({ status: 200 });
    expect(receiver.events).toMatchObject([{ path: "/a%2Fb?c=%ff" }]);
  });

  const duplicates: readonly [what: string, first: string, second: string, same: boolean][] = [
    ["the same text", sms, sms, true],
    ["the sample spelling", sms, "event=mo_sms&channel=31&id=90430", true],
    ["another message", sms, sms.replace("90430", "90431"), false],
    ["another channel", sms, sms.replace("relayer=31", "relayer=32"), false],
    ["another type", sms, sms.replace("mo_sms", "mt_sent"), false],
    ["the same call", "event=mo_miss&relayer=1&call=7", "event=mo_miss&relayer=1&id=7&duration=0", true],
    ["another call", "event=mo_miss&relayer=1&call=7", "event=mo_miss&relayer=1&call=8", false],
    ["the same alarm", "event=alarm&relayer=1&last_seen=x&battery=3", "event=alarm&relayer=1&last_seen=x", true],
    ["a later alarm", "event=alarm&relayer=1&last_seen=x", "event=alarm&relayer=1&last_seen=y", false],
    [
      "a flow that continued",
      "event=flow&phone=%2B1&flow=5&step=s&values=%5B%5D",
      "event=flow&phone=%2B1&flow=5&step=s&values=%5B%7B%7D%5D",
      false,
    ],
    [
      "a flow step again",
      "event=flow&phone=%2B1&flow=5&step=s&values=%5B%7B%7D%5D",
      "event=flow&phone=%2B1&flow=5&step=s&values=%5B%7B%22a%22%3A1%7D%5D",
      true,
    ],
    ["unknown events", "event=power_restored&relayer=31", "event=power_restored&relayer=31", false],
  ];
  it.each(duplicates)("duplicates: %s", async (_what, first, second, same) => {
    const receiver = await start();
    await post(receiver, first);
    await post(receiver, second);
    expect(receiver.events.map(({ duplicate }) => duplicate)).toEqual([false, same]);
  });
});

describe("an answer", () => {
  it("may have any status", async () => {
    for (const status of [201, 204, 302, 400, 404, 500, 503]) {
      const receiver = await start({ answers: { answers: "status", status } });
      expect(await post(receiver)).toMatchObject({ status, error: null, body: null });
      expect(receiver.events).toMatchObject([{ answers: String(status) }]);
    }
  });

  it("may have a configured body", async () => {
    const receiver = await start({ status: 202, body: "<p>ok</p>", contentType: "text/html" });
    const exchange = await post(receiver);
    expect(exchange).toMatchObject({ status: 202 });
    expect(exchange.headers).toMatch(/^content-type: text\/html/im);
    expect(text(exchange)).toBe("<p>ok</p>");
  });

  it("may be a reply with the event's fields filled in, to texts only", async () => {
    const receiver = await start({ answers: { answers: "reply" }, reply: "{phone} said “{text}” ({unknown})" });
    const exchange = await post(receiver);
    expect(JSON.parse(text(exchange))).toEqual({
      urn: ["tel:+12065550142"],
      text: "+12065550142 said “Pump 3, 50% & up” ({unknown})",
    });
    expect(reading(exchange)).toMatchObject({ kind: "reply" });
    expect(await post(receiver, "event=mt_sent&relayer=31&sms=1&phone=%2B12065550142&text=hi")).toMatchObject({
      status: 200,
      body: null,
    });
  });

  it("writes a reply of 481 characters as configured", async () => {
    const receiver = await start({ answers: { answers: "reply" }, reply: "é".repeat(481) });
    expect(reading(await post(receiver))).toMatchObject({
      kind: "ignored",
      reason: "text-too-long",
    });
  });

  it("may be an echo, cut to the maximum length of a reply", async () => {
    const receiver = await start({ answers: { answers: "echo" } });
    expect(JSON.parse(text(await post(receiver)))).toEqual({ urn: ["tel:+12065550142"], text: "Pump 3, 50% & up" });
    const long = await post(
      receiver,
      `event=mo_sms&relayer=1&sms=2&phone=%2B12065550142&text=${encodeURIComponent("💧".repeat(600))}`,
    );
    expect(reading(long)).toEqual({
      kind: "reply",
      reply: { urns: ["tel:+12065550142"], contacts: [], text: "💧".repeat(480) },
    });
  });

  it.each([
    ["slow", { status: 200 }],
    ["close", { error: "no-answer" }],
    ["hang", { error: "ETIMEDOUT", headers: null }],
    ["garbage", { error: "HPE_INVALID_CONSTANT" }],
    ["half", { error: "incomplete-answer" }],
    ["endless", { error: "body-too-large" }],
    ["drip", { error: "ETIMEDOUT" }],
    ["big", { status: 200, bodyBytes: 10_000_000 }],
  ] as const)("%s", async (answers, expected) => {
    const receiver = await start({ answers: { answers }, slowMs: 100 });
    const exchange = await post(receiver, sms, { timeoutMs: answers === "hang" || answers === "drip" ? 300 : 3000 });
    expect(exchange).toMatchObject(expected);
    if (answers === "slow") expect(exchange.durationMs).toBeGreaterThan(90);
    await receiver.answer({ answers: "ok" });
    expect(await post(receiver)).toMatchObject({ status: 200 });
  });

  it("is delayed by the same time for the same seed and event", async () => {
    // The order of the answers shows the delays: with these seeds any two differ by at least 49 ms.
    const order = async (seed: number): Promise<number[]> => {
      const receiver = await start({ delayMs: { min: 0, max: 300 }, seed });
      const answered: number[] = [];
      const ask = async (id: number): Promise<void> => {
        await post(receiver, `event=mo_sms&relayer=1&sms=${id}`);
        answered.push(id);
      };
      await Promise.all([1, 2, 3, 4, 5].map(ask));
      return answered;
    };
    const first = await order(28);
    expect(first).toEqual([4, 2, 5, 1, 3]);
    expect(await order(28)).toEqual(first);
    expect(await order(58)).not.toEqual(first);
  });
});

describe("scripted failures", () => {
  const statuses = async (receiver: Receiver, bodies: readonly string[]): Promise<(number | null)[]> => {
    const seen: (number | null)[] = [];
    for (const body of bodies) seen.push((await post(receiver, body)).status);
    return seen;
  };
  const [a, b] = ["event=mo_sms&relayer=1&sms=1", "event=mo_sms&relayer=1&sms=2"];

  it("each event follows the script by its tries", async () => {
    const receiver = await start({ script: { statuses: [500, 404] } });
    expect(await statuses(receiver, [a, b, a, a, b, b])).toEqual([500, 500, 404, 200, 404, 200]);
  });

  it("events without a key are identified by their bodies", async () => {
    const receiver = await start({ script: { statuses: [500] } });
    expect(await statuses(receiver, ["event=x&n=1", "event=x&n=2", "event=x&n=1"])).toEqual([500, 500, 200]);
  });

  it("all requests together may follow the script", async () => {
    const receiver = await start({ script: { statuses: [500, 500, 201], per: "request" } });
    expect(await statuses(receiver, [a, b, a, a])).toEqual([500, 500, 201, 200]);
  });

  it("a share of requests fails regardless of their order, and each try has its own chance", async () => {
    const bodies = Array.from({ length: 60 }, (_, id) => `event=mo_sms&relayer=1&sms=${id}`);
    const play = async (seed: number, order: readonly string[]): Promise<Map<string, number | null>> => {
      const receiver = await start({ fails: { share: 0.3, status: 503 }, seed });
      const answers = await statuses(receiver, order);
      return new Map(order.map((body, index) => [body, answers[index] ?? null]));
    };
    const first = await play(7, bodies);
    const failed = [...first.values()].filter((status) => status === 503).length;
    expect(failed).toBeGreaterThan(8);
    expect(failed).toBeLessThan(32);
    const backwards = await play(7, bodies.toReversed());
    for (const body of bodies) expect(backwards.get(body)).toBe(first.get(body));
    expect(await play(8, bodies)).not.toEqual(first);
  });

  it.each([
    ["500x2", [500, 500]],
    ["500,500,200", [500, 500, 200]],
    ["500x2, 404 ,200x1", [500, 500, 404, 200]],
    ["", undefined],
    ["500x", undefined],
    ["500x0", undefined],
    ["600", undefined],
    ["100", undefined],
    ["500x2000", undefined],
    ["ok", undefined],
  ])("script %j", (given, expected) => {
    expect(parseFailureScript(given)).toEqual(expected);
  });
});

describe("the control path", () => {
  const control = (receiver: Receiver, body: string, type = "application/json"): Promise<Response> =>
    fetch(`${receiver.url}_handset-lab/answers`, { method: "POST", body, headers: { "content-type": type } });

  it("identifies itself and switches the answers", async () => {
    const receiver = await start();
    await post(receiver);
    expect(await (await fetch(`${receiver.url}_handset-lab`)).json()).toEqual({
      receiver: "handset-lab",
      answers: "ok",
      received: 1,
    });
    expect(await (await control(receiver, '{"answers":"garbage"}')).json()).toEqual({ answers: "garbage" });
    expect(await post(receiver)).toMatchObject({ error: "HPE_INVALID_CONSTANT" });
    for (const answers of ["503", '"503"']) {
      expect((await control(receiver, `{"answers":${answers}}`)).status).toBe(200);
      expect(receiver.answers).toEqual({ answers: "status", status: 503 });
    }
    expect(await post(receiver)).toMatchObject({ status: 503 });
    expect(receiver.received).toBe(3);
  });

  it.each([
    "",
    "{}",
    "slow",
    '{"answers":"sideways"}',
    '{"answers":"status"}',
    '{"answers":99}',
    '{"answers":null}',
    "[]",
  ])("%j is refused", async (body) => {
    const receiver = await start();
    expect((await control(receiver, body)).status).toBe(400);
    expect(receiver.answers).toEqual({ answers: "ok" });
  });

  it("a form from a web page is refused", async () => {
    const receiver = await start();
    expect((await control(receiver, '{"answers":"hang"}', "text/plain")).status).toBe(415);
    expect(receiver.answers).toEqual({ answers: "ok" });
  });

  it("every answer mode has a word", () => {
    const word = (mode: AnswerMode): string => (mode === "status" ? "404" : mode);
    for (const mode of answerModes) expect(parseAnswers(word(mode))?.answers).toBe(mode);
    expect(parseAnswers("404")).toEqual({ answers: "status", status: 404 });
  });
});

describe("the listener", () => {
  it("listens on loopback only by default", async () => {
    const receiver = await start();
    expect(receiver.url).toBe(`http://127.0.0.1:${receiver.port}/`);
    const other = new Promise((resolve) => {
      const socket = connect({ host: "127.0.0.2", port: receiver.port });
      socket.once("connect", () => resolve("connected"));
      socket.once("error", (error: NodeJS.ErrnoException) => resolve(error.code));
    });
    expect(await other).toBe("ECONNREFUSED");
  });

  it("listens on each address of localhost, and closes them all", async () => {
    const receiver = await start({ host: "localhost" });
    const addresses = await lookup("localhost", { all: true });
    const urls = addresses.map(({ address, family }) => {
      return `http://${family === 6 ? `[${address}]` : address}:${receiver.port}/`;
    });
    for (const url of urls) expect(await postOnce({ url, body: sms, timeoutMs: 3000 })).toMatchObject({ status: 200 });
    expect(receiver.received).toBe(urls.length);
    await receiver.close();
    for (const url of urls)
      expect(await postOnce({ url, body: sms, timeoutMs: 3000 })).toMatchObject({ error: "ECONNREFUSED" });
  });

  it("a port in use is an error", async () => {
    const receiver = await start();
    await expect(startReceiver({ port: receiver.port })).rejects.toMatchObject({ code: "EADDRINUSE" });
  });

  it("closes at once while requests hang, and may be closed twice", async () => {
    const receiver = await start({ answers: { answers: "hang" } });
    const hanging = [post(receiver, sms, { timeoutMs: 600_000 }), post(receiver, sms, { timeoutMs: 600_000 })];
    while (receiver.received < 2) await new Promise((resolve) => setTimeout(resolve, 5));
    await receiver.close();
    await receiver.close();
    for (const exchange of await Promise.all(hanging)) expect(exchange.error).toMatch(/^(no-answer|ECONNRESET)$/);
  });
});

describe("an application", () => {
  const hello = "event=mo_sms&relayer=31&sms=1&phone=%2B12065550142&text=hello&time=2026-03-04T07%3A00%3A00.000&pad=7";
  const bye = hello.replace("sms=1", "sms=2").replace("text=hello", "text=bye");
  /** Answers with the texts that it remembers. */
  const application: Application = () => {
    const texts: string[] = [];
    return ({ text: said }) => {
      texts.push(said);
      return texts.join(" ");
    };
  };
  const textOf = (result: HttpResult): string => (JSON.parse(text(result)) as { text: string }).text;

  it("gets each event, and its replies are the usual answers", async () => {
    const events: ApplicationEvent[] = [];
    const receiver = await start({
      application: () => (event) => {
        events.push(event);
        return event.type === "mo_sms" ? `heard ${event.text}` : undefined;
      },
    });
    const answer = await post(receiver, hello);
    expect(JSON.parse(text(answer))).toEqual({ urn: ["tel:+12065550142"], text: "heard hello" });
    expect(text(await post(receiver, "event=mt_sent&relayer=31&sms=3&phone=%2B12065550142&text=hello"))).toBe("");
    expect(events).toMatchObject([
      { type: "mo_sms", phone: "+12065550142", text: "hello", atMs: Date.parse("2026-03-04T07:00:00Z") },
      { type: "mt_sent", phone: "+12065550142", text: "hello" },
    ]);
    expect(events.map((event) => event.key)).toEqual(["mo_sms 31 1", "mt_sent 31 3"]);
    expect(events.map((event) => event.field("pad"))).toEqual(["7", undefined]);
  });

  it("replies late in the mode slow, is silent during a fault, and forgets everything when it begins again", async () => {
    const receiver = await start({ application, slowMs: 1 });
    await receiver.answer({ answers: "slow" });
    expect(textOf(await post(receiver, hello))).toBe("hello");
    await receiver.answer({ answers: "status", status: 503 });
    expect(await post(receiver, bye)).toMatchObject({ status: 503 });
    await receiver.answer({ answers: "ok" });
    expect(textOf(await post(receiver, bye))).toBe("hello bye");
    receiver.begin({ application });
    expect(textOf(await post(receiver, bye))).toBe("bye");
    receiver.begin({});
    expect(text(await post(receiver, bye))).toBe("");
  });

  it.each<[string, ReplyTo, string]>([
    [
      "throws",
      () => {
        throw new Error("no stock");
      },
      "the application failed: no stock",
    ],
    [
      "returns no text",
      (() => Promise.resolve("later")) as unknown as ReplyTo,
      "the application must return a text or undefined, it returned a Promise",
    ],
  ])("that %s answers 500 with the reason", async (_, replyTo, reason) => {
    const receiver = await start({ application: () => replyTo });
    const answer = await post(receiver, hello);
    expect(answer).toMatchObject({ status: 500 });
    expect(text(answer)).toBe(reason);
  });
});

describe("a module of an application", () => {
  it("is loaded by its path from a folder", async () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, "echo.mjs"), "export const application = () => ({ text }) => text;\n");
    const receiver = await start({ application: await loadApplication("echo.mjs", folder) });
    expect(text(await post(receiver, sms))).toContain('"text":');
    expect(await loadApplication(undefined, folder)).toBeUndefined();
  });

  it.each([
    ["absent.mjs", undefined, /there is no application .*absent\.mjs for the receiver/],
    ["broken.mjs", "export const = 1", /broken\.mjs cannot be loaded: /],
    ["other.mjs", "export const app = 1;\n", /other\.mjs exports no function 'application'/],
  ])("%s is refused with the reason", async (name, code, reason) => {
    const folder = temporaryFolder();
    if (code !== undefined) writeFileSync(join(folder, name), code);
    const loading = loadApplication(name, folder);
    await expect(loading).rejects.toThrow(reason);
    await expect(loading).rejects.toMatchObject({ code: "bad-options", isUsage: true });
  });
});
