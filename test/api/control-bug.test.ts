import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, it, onTestFinished } from "vitest";
import { parseExact } from "../../src/scenario/index.js";
import { threadMinimiser } from "../../src/study/index.js";
import type { Answered } from "../end-to-end/served.js";
import { ControlRig } from "./control-rig.js";

interface FormReceiver {
  readonly url: string;
  readonly texts: string[];
}

/** A receiver that answers each event by its form. */
async function receiverOf(
  answer: (form: URLSearchParams, path: string) => [status: number, body: object],
): Promise<FormReceiver> {
  const texts: string[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const form = new URLSearchParams(Buffer.concat(chunks).toString());
      texts.push(form.get("text") ?? "");
      const [status, body] = answer(form, request.url ?? "");
      response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`, texts };
}

const bug = `# A percent sign is not understood.
#
# It was seen on a Tuesday.
about: A percent sign is not understood
requests:
  - fields: { event: mo_sms, phone: "+250788000001", text: hello }
  - at: 2m
    fields: { event: mo_sms, phone: "+250788000001", text: 50% }
expect:
  - { request: 2, status: 200..299 }
seen: { condition: status 500, request: 2, status: "500" }
versions: { handset: 0.1.0 }
`;

/** An answer that fails for a percent sign. */
const percent = (form: URLSearchParams): [number, object] =>
  form.get("text")?.includes("%") === true ? [500, { error: "URI malformed" }] : [200, {}];

/** The finished work. */
async function finished(rig: ControlRig): Promise<Answered["body"]> {
  let work: Answered["body"];
  await expect
    .poll(async () => (work = await rig.done("/bug/work")).is_running, { timeout: 20_000, interval: 20 })
    .toBe(false);
  return work;
}

it("reads a bug file as steps with what is right and what came, and says where a broken one is wrong", async () => {
  const rig = await ControlRig.start({ receiver: "bundled" });
  expect(await rig.done("/bug?name=percent.bug.yaml", bug)).toMatchObject({
    kind: "exact",
    title: "A percent sign is not understood",
    story: ["It was seen on a Tuesday."],
    requests: [
      { type: "mo_sms", person: "+250788000001", text: "hello", after_ms: null },
      { text: "50%", after_ms: 120_000, with_previous: false },
    ],
    right: [{ text: "{ request: 2, status: 200..299 }", words: "a status of 200 to 299", request: 2 }],
    seen: { condition: "status 500", request: "2", status: "500" },
    versions: { handset: "0.1.0" },
    problems: [],
    not_here: null,
  });
  const broken = await rig.done(
    "/bug?name=x.yaml",
    bug.replace("request: 2, status: 200..299", "request: 7, status: 200"),
  );
  expect(broken).toMatchObject({
    problems: [{ line: 10, column: 16, is_error: true, message: expect.stringContaining("there are 2 requests") }],
    receiver: null,
    not_here: "The file has errors.",
  });
  expect(await rig.post("/bug?name=day.csv", "at,body\n")).toMatchObject({ status: 400 });
});

it("plays a bug file at the lab's receiver without a trace in the lab, and concludes what is true", async () => {
  let isMended = false;
  const receiver = await receiverOf((form) => (isMended ? [200, {}] : percent(form)));
  const rig = await ControlRig.start({ receiver: receiver.url });
  const before = await rig.done("/");
  await rig.done("/bug/play?name=percent.bug.yaml", bug);
  expect(await finished(rig)).toMatchObject({
    problem: null,
    play: {
      verdict: "there",
      answers: [
        { request: 1, status: 200 },
        { request: 2, status: 500, text: expect.stringContaining("URI malformed") },
      ],
      expectations: [{ held: false }],
    },
  });
  isMended = true;
  await rig.done("/bug/play?name=percent.bug.yaml", bug);
  expect((await finished(rig)).play).toMatchObject({ verdict: "not-there", expectations: [{ held: true }] });
  expect(receiver.texts).toEqual(["hello", "50%", "hello", "50%"]);
  expect(await rig.done("/")).toEqual(before);
});

it("does not play where there is no receiver, and judges none that is away", async () => {
  const none = await ControlRig.start({ receiver: "none" });
  expect((await none.done("/bug", bug)).not_here).toMatch(/no receiver/);
  expect(await none.post("/bug/play", bug)).toMatchObject({ status: 409 });
  const away = await ControlRig.start({ receiver: "http://127.0.0.1:1/" });
  await away.done("/bug/play", bug);
  expect((await finished(away)).play).toMatchObject({ verdict: "not-judged" });
});

/** A lab in which one person has written ten texts, the eighth with a percent sign. @returns the id of its event */
async function labWithFailure(rig: ControlRig): Promise<string> {
  for (let text = 1; text <= 10; text++) {
    await rig.done("/do/text", { from: "people/3", to: "clinic/0", body: text === 8 ? "50% left" : `text ${text}` });
    await rig.done("/clock", { step: "1m" });
  }
  let failed: string | undefined;
  await expect
    .poll(async () => {
      await rig.done("/clock", { step: "1s" });
      const { results } = await rig.done("/events?contains=50%25");
      return (failed = results[0]?.attempts?.length === 0 ? undefined : results[0]?.id);
    })
    .toBeDefined();
  return failed ?? "";
}

it("makes a bug file of a chain by what its answers show, or by what the user says", async () => {
  const receiver = await receiverOf(percent);
  const rig = await ControlRig.start({ receiver: receiver.url });
  const id = await labWithFailure(rig);
  const made = await rig.done(`/chain/bug?id=${id}`);
  expect(made).toMatchObject({ condition: "status 500 of mo_sms", is_proposed: true, failing: expect.any(Number) });
  const { input, diagnostics } = parseExact(made.yaml, "x.bug.yaml");
  expect(diagnostics).toEqual([]);
  expect(input).toMatchObject({
    requests: expect.arrayContaining([expect.objectContaining({ type: "mo_sms", path: "/hook" })]),
    expect: [{ request: made.failing, status: expect.anything() }],
    seen: { condition: "status 500 of mo_sms", status: "500" },
  });
  await rig.done("/bug/play?name=x.bug.yaml", made.yaml);
  expect((await finished(rig)).play.verdict).toBe("there");
  // Nothing is wrong with another one, until somebody says it.
  const right = (await rig.done("/events?contains=text+3")).results[0].id;
  expect(await rig.done(`/chain/bug?id=${right}`)).toMatchObject({ condition: null, yaml: null });
  const said = await rig.done(`/chain/bug?id=${right}&while=${encodeURIComponent("no reply of mo_sms")}`);
  expect(said).toMatchObject({ condition: "no reply of mo_sms", failing: 1, right: "a reply" });
  expect(parseExact(said.yaml, "x").input?.expect).toMatchObject([{ request: 1, replies: true }]);
  expect(await rig.get(`/chain/bug?id=${right}&while=stutus+500`)).toMatchObject({
    status: 400,
    body: { while: [expect.stringContaining("column 1")] },
  });
  expect(made.no_minimise).toMatch(/without it/);
});

it("minimises a chain's failure to the one request that it takes", async () => {
  const receiver = await receiverOf(percent);
  const rig = await ControlRig.start({ receiver: receiver.url, minimiser: threadMinimiser });
  const id = await labWithFailure(rig);
  expect((await rig.done(`/chain/bug?id=${id}`)).no_minimise).toBeNull();
  const begun = await rig.done("/bug/minimise", { id, while: "status 500 of mo_sms" });
  expect(begun).toMatchObject({ is_running: true, minimise: { condition: "status 500 of mo_sms", ending: null } });
  // Another one must wait, and the lab answers meanwhile.
  expect((await rig.post("/bug/play", bug)).status).toBe(409);
  const { minimise, problem } = await finished(rig);
  expect(problem).toBeNull();
  expect(minimise).toMatchObject({ ending: "found", events: 1 });
  expect(minimise.before).toBeGreaterThanOrEqual(8);
  expect(parseExact(minimise.yaml, "x").input).toMatchObject({
    requests: [{ type: "mo_sms", body: expect.stringContaining("%25") }],
    seen: { status: "500" },
  });
});

it("does not accuse a receiver that does not fail again, and names the command that can tell", async () => {
  let isMended = false;
  const receiver = await receiverOf((form) => (isMended ? [200, {}] : percent(form)));
  const rig = await ControlRig.start({ receiver: receiver.url, minimiser: threadMinimiser });
  const id = await labWithFailure(rig);
  isMended = true;
  await rig.done("/bug/minimise", { id, while: "status 500 of mo_sms" });
  const { minimise } = await finished(rig);
  expect(minimise).toMatchObject({ ending: "passes", yaml: null });
  expect(minimise.words.join(" ")).toMatch(/did not come again/);
  // The lab is in memory: the page gives what it was sent as a file for the command.
  const input = await rig.done(`/chain/bug/input?id=${id}&while=${encodeURIComponent("status 500 of mo_sms")}`);
  expect(minimise.command).toBe(
    `handset minimise ${input.name} -r ${receiver.url} --while 'status 500 of mo_sms' -- COMMAND`,
  );
  const all = parseExact(input.yaml, input.name).input;
  expect(all?.requests).toHaveLength(minimise.before);
  expect(all?.expect).toMatchObject([{ request: input.requests, status: expect.anything() }]);
});

it("stops a search with the smallest failing input so far, or says that nothing had failed", async () => {
  const receiver = await receiverOf(percent);
  const rig = await ControlRig.start({ receiver: receiver.url, minimiser: threadMinimiser });
  const id = await labWithFailure(rig);
  await rig.done("/bug/minimise", { id, while: "status 500 of mo_sms" });
  await rig.done("/bug/stop", {});
  const { minimise, problem } = await finished(rig);
  expect(problem === null ? minimise.words.join(" ") : problem).toMatch(/stopped by hand|stopped/i);
  const sent = receiver.texts.length;
  await rig.done("/bug/play", bug);
  expect((await finished(rig)).play.verdict).toBe("there");
  expect(receiver.texts.length).toBe(sent + 2);
});

/** A receiver that fails at the second text with one word, until it is reset. */
async function rememberingReceiver(): Promise<FormReceiver> {
  const told = new Set<string>();
  return receiverOf((form, path) => {
    if (path === "/reset") {
      told.clear();
      return [200, {}];
    }
    const text = form.get("text") ?? "";
    if (form.get("event") !== "mo_sms" || !text.startsWith("50%")) return [200, {}];
    if (told.has("all")) return [500, { error: "used up" }];
    told.add("all");
    return [200, {}];
  });
}

const twice = `requests:
  - fields: { event: mo_sms, phone: "+250788000001", text: 50% left }
expect:
  - { request: 1, status: 200..299 }
`;

it("resets a receiver that remembers before each play, and refuses a command and a host that is not allowed", async () => {
  const receiver = await rememberingReceiver();
  const rig = await ControlRig.start({ receiver: receiver.url, minimiser: threadMinimiser });
  const play = async (reset: string): Promise<string> => {
    await rig.done(`/bug/play?reset=${encodeURIComponent(reset)}`, twice);
    return (await finished(rig)).play.verdict as string;
  };
  expect([await play(""), await play("")]).toEqual(["not-there", "there"]);
  expect([await play("POST /reset"), await play("/reset")]).toEqual(["not-there", "not-there"]);
  for (const reset of ["rm -rf x", "POST", "http://192.0.2.1/reset"]) {
    expect(await rig.post(`/bug/play?reset=${encodeURIComponent(reset)}`, twice)).toMatchObject({
      status: 400,
      body: { reset: [expect.any(String)] },
    });
  }
});
