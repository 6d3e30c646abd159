import { createServer } from "node:http";
import fastify from "fastify";
import { describe, expect, it } from "vitest";
import { startLab } from "../../src/testing/index.js";
import { openRecording } from "../../src/store/index.js";
import { temporaryFolder } from "../support/folder.js";
import { join } from "node:path";
import { ADA, answering, BEN, fieldsOf, labFor, messageOf } from "./support.js";

describe("a lab", () => {
  it("stands still between calls, and passes time to the instant that is asked for", async () => {
    const lab = await labFor({ receiver: answering() });
    expect(lab.now.toISOString()).toBe("2026-03-04T06:00:00.000Z");
    lab.person(ADA).texts("clinic", "join");
    expect(lab.events()).toEqual([]);
    await lab.advance("1h");
    expect(lab.now.toISOString()).toBe("2026-03-04T07:00:00.000Z");
    expect(lab.events().map(({ type, state }) => [type, state])).toEqual([
      ["mo_sms", "delivered"],
      ["mt_sent", "delivered"],
      ["mt_dlvd", "delivered"],
    ]);
  });

  it("stops at the instant at which a text is heard, and counts each text once", async () => {
    const lab = await labFor({ receiver: answering() });
    const ada = lab.person(ADA);
    ada.texts("clinic", "join");
    const heard = await ada.hears(/said join/, { within: "5m" });
    expect(heard).toMatchObject({ text: "You said join", person: ADA, handset: "clinic/0" });
    expect(lab.nowMs).toBe(heard.atMs);
    await expect(ada.hears(/said join/, { within: "1m" })).rejects.toThrow("did not hear /said join/ within 1m");
    expect(ada.heard.map(({ text }) => text)).toEqual(["You said join"]);
  });

  it("finds a text that was heard while time passed before", async () => {
    const lab = await labFor({ receiver: answering() });
    lab.person(ADA).texts("clinic", "one");
    await lab.advance("10m");
    const before = lab.nowMs;
    await lab.hears(ADA, "You said one");
    expect(lab.nowMs).toBe(before);
  });

  it("shows each event with its fields, whatever the spelling, and with the receiver's answers", async () => {
    const lab = await labFor({ receiver: answering(), spelling: "historic" });
    lab.person(ADA).texts("clinic", "join");
    await lab.advance("1m");
    const [event] = lab.events("mo_sms");
    expect(event?.body).toContain("contact=");
    expect(event?.event).toMatchObject({ event: "mo_sms", phone: ADA, text: "join" });
    expect(event?.attempts).toMatchObject([{ try: 1, status: 200, outcome: "accepted" }]);
    expect(JSON.parse(event?.attempts[0]?.answer ?? "")).toEqual({ urn: [`tel:${ADA}`], text: "You said join" });
  });

  it("shows nothing of the world before a reset, also of events with the same ids", async () => {
    const lab = await labFor({ receiver: answering() });
    lab.delivery({ of: "clinic", "answers-lost": true, times: 1 });
    lab.person(ADA).texts("clinic", "join");
    await lab.settle();
    expect(lab.events("mo_sms").map(({ attempts }) => attempts.length)).toEqual([2]);
    await lab.reset();
    lab.person(ADA).texts("clinic", "join");
    await lab.settle();
    expect(lab.events("mo_sms").map(({ attempts }) => attempts.length)).toEqual([1]);
    expect(lab.events("mt_sent").map(({ attempts }) => attempts.length)).toEqual([1]);
  });

  it("begins again with the same world after reset", async () => {
    const lab = await labFor({ receiver: answering() });
    const play = async (): Promise<object> => {
      lab.person(ADA).texts("clinic", "join");
      lab.handset("clinic").network({ type: "none", for: "20m" });
      await lab.advance("2h");
      return lab.snapshot();
    };
    const first = await play();
    await lab.reset();
    expect(lab.nowMs).toBe(0);
    expect(lab.events()).toEqual([]);
    expect(lab.heard).toEqual([]);
    expect(await play()).toEqual(first);
  });

  it("gives the same events to two labs with one seed, and other times with another seed", async () => {
    const digestOf = async (seed: number): Promise<string> => {
      const lab = await labFor({ receiver: answering(), seed });
      lab.person(ADA).texts("clinic", "join");
      await lab.advance("1h");
      return lab.snapshot().digest;
    };
    expect(await digestOf(5)).toBe(await digestOf(5));
    expect(await digestOf(6)).not.toBe(await digestOf(5));
  });

  it("plays twenty labs at the same time, each as if it were alone", async () => {
    const play = async (): Promise<object> => {
      const lab = await labFor({ receiver: answering() });
      lab.person(ADA).texts("clinic", "join");
      lab.person(BEN).texts("clinic", "help");
      await Promise.all([lab.hears(ADA, /join/), lab.hears(BEN, /help/)]);
      await lab.advance("10m");
      return lab.snapshot();
    };
    const alone = await play();
    const together = await Promise.all(Array.from({ length: 20 }, play));
    for (const one of together) expect(one).toEqual(alone);
  });

  it("leaves no socket, server or timer when it is closed, also while a handler hangs", async () => {
    const handles = (): string[] => process.getActiveResourcesInfo().filter((name) => /TCP|Timeout/.test(name));
    const before = handles().length;
    const lab = await startLab({ receiver: () => new Promise<Response>(() => undefined) });
    lab.person(ADA).texts("clinic", "join");
    const passing = lab.advance("1m");
    await lab.advance(0).catch(() => undefined);
    await passing.catch(() => undefined);
    await lab.close();
    await lab.close();
    await new Promise(setImmediate);
    expect(handles().length).toBeLessThanOrEqual(before);
    expect(await messageOf(() => lab.advance("1s"))).toBe("the lab is closed");
  });

  it("ends with its scope", async () => {
    let closed;
    {
      await using lab = await startLab();
      closed = lab;
    }
    expect(await messageOf(() => closed.advance("1s"))).toBe("the lab is closed");
  });

  it("waits until nothing is under way, and says when something still is", async () => {
    const lab = await labFor({ receiver: answering() });
    lab.person(ADA).texts("clinic", "join");
    expect(await lab.settle()).toBe(true);
    expect(lab.ledger().texts).toMatchObject({ in: 2, delivered: 2, queued: 0, gap: 0 });
    lab.network({ of: "clinic", type: "none" });
    lab.person(ADA).texts("clinic", "again");
    expect(await lab.settle({ within: "10m" })).toBe(false);
  });

  it("writes a recording that the other commands read", async () => {
    const lab = await labFor({ receiver: answering() });
    lab.person(ADA).texts("clinic", "join");
    await lab.advance("1m");
    const path = join(temporaryFolder(), "saved.db");
    lab.save(path);
    const recording = openRecording(path);
    expect([...recording.events()].map(({ type }) => type)).toEqual(lab.events().map(({ type }) => type));
    recording.close();
  });
});

describe("the receiver of a lab", () => {
  const says = async (lab: Awaited<ReturnType<typeof labFor>>): Promise<string> => {
    lab.person(ADA).texts("clinic", "hi");
    return (await lab.hears(ADA, /./)).text;
  };

  it("is a fetch handler, by its one parameter or by name", async () => {
    const handle = async (request: Request): Promise<Response> => {
      const fields = new URLSearchParams(await request.text());
      if (fields.get("event") !== "mo_sms") return new Response(null, { status: 204 });
      return Response.json({ urn: [`tel:${fields.get("phone")}`], text: `fetched ${new URL(request.url).search}` });
    };
    expect(await says(await labFor({ receiver: handle, path: "/events?key=1" }))).toBe("fetched ?key=1");
    expect(
      await says(await labFor({ receiver: { fetch: (...all: [Request]) => handle(...all) }, path: "/?a=b" })),
    ).toBe("fetched ?a=b");
  });

  it("is a Fastify instance, which several labs may share", async () => {
    const app = fastify();
    app.addContentTypeParser("application/x-www-form-urlencoded", { parseAs: "string" }, (_, body, done) =>
      done(null, new URLSearchParams(String(body))),
    );
    app.post("/in", (request) => {
      const fields = request.body as URLSearchParams;
      return fields.get("event") === "mo_sms" ? { urn: [`tel:${fields.get("phone")}`], text: "from fastify" } : {};
    });
    const labs = await Promise.all([1, 2].map((seed) => labFor({ receiver: app, path: "/in", seed })));
    expect(await Promise.all(labs.map(says))).toEqual(["from fastify", "from fastify"]);
    await app.close();
  });

  it("is an http.Server, or a URL", async () => {
    const server = createServer((request, response) => void answering(() => "from a server")(request, response));
    expect(await says(await labFor({ receiver: server }))).toBe("from a server");
    await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as { port: number };
    expect(await says(await labFor({ receiver: `http://127.0.0.1:${port}/x` }))).toBe("from a server");
    server.close();
  });

  it("is the bundled one where none is named, which the verb switches", async () => {
    const lab = await labFor();
    lab.receiver({ answers: "reply" });
    expect(await says(lab)).toContain("Thank you");
  });

  it("may be switched to a fault, and replaced by a new release", async () => {
    const lab = await labFor({ receiver: answering(() => "old") });
    lab.receiver({ answers: 500, for: "2m" });
    lab.person(ADA).texts("clinic", "hi");
    await lab.advance("1m");
    await lab.receiver.use(answering(() => "new"));
    expect((await lab.hears(ADA, /./, { within: "10m" })).text).toBe("new");
    expect(lab.events("mo_sms")[0]?.attempts.map(({ status }) => status)).toEqual([500, 200]);
    await lab.reset();
    expect(await says(lab)).toBe("old");
  });

  it("sees an answer that is late in real time at the same virtual instant", async () => {
    const heardAt = async (ms: number): Promise<number> => {
      const lab = await labFor({
        receiver: async (request, response) => {
          await new Promise((resolve) => void setTimeout(resolve, ms));
          await answering()(request, response);
        },
      });
      lab.person(ADA).texts("clinic", "hi");
      return (await lab.hears(ADA, /hi/)).atMs;
    };
    expect(await heardAt(60)).toBe(await heardAt(0));
  });

  it("gets real requests: copies come in parallel", async () => {
    let [open, most] = [0, 0];
    const lab = await labFor({
      receiver: async (request, response) => {
        most = Math.max(most, ++open);
        await fieldsOf(request);
        await new Promise((resolve) => void setTimeout(resolve, 20));
        open--;
        response.end();
      },
    });
    lab.delivery({ of: "clinic", copies: 2 });
    lab.person(ADA).texts("clinic", "hi");
    await lab.advance("1m");
    expect(most).toBe(2);
  });

  it("is refused with a reason where it is none", async () => {
    const refusal = (receiver: unknown): Promise<string> => messageOf(() => startLab({ receiver: receiver as string }));
    expect(await refusal({ listen: 1 })).toBe("'receiver' must be a handler or a URL, got an object with listen");
    expect(await refusal("nowhere")).toBe("'receiver' must be an http URL, got 'nowhere'");
    expect(await refusal("http://example.org/")).toContain("example.org is not this machine");
  });
});

describe("the world of a lab", () => {
  it("is a cast, the text of a scenario, or its object", async () => {
    const cast = { handsets: { post: { count: 2, phone: "+2507880000{00}" } }, people: { ada: { phone: ADA } } };
    expect((await labFor({ cast })).snapshot().handsets.map(({ handset }) => handset)).toEqual(["post/0", "post/1"]);
    const text = "lasts: 1h\nhandsets: { office: { phone: '+250788000009' } }\n";
    expect((await labFor({ scenario: text })).handset("office").phone).toBe("+250788000009");
    const object = { lasts: "1h", handsets: { desk: { phone: "+250788000008" } } };
    expect((await labFor({ scenario: object, seed: 4 })).scenario.seed).toBe(4);
  });

  it("plays the story and the traffic of its scenario as time passes", async () => {
    const lab = await labFor({
      receiver: answering(),
      scenario: {
        lasts: "1h",
        handsets: { clinic: { phone: "+250788000001" } },
        people: { ada: { phone: ADA } },
        story: [{ at: "10m", text: { from: "ada", to: "clinic", body: "from the story" } }],
      },
    });
    await lab.advance("9m");
    expect(lab.events()).toEqual([]);
    await lab.hears("ada", "from the story", { within: "5m" });
  });

  it("says where a scenario is wrong", async () => {
    const wrong = await messageOf(() => startLab({ scenario: "lasts: 1h\nhandset: {}\n" }));
    expect(wrong).toContain("the scenario is not sound");
    expect(wrong).toContain("scenario of the test:2:1");
    expect(await messageOf(() => startLab({ scenario: "missing.yaml" }))).toContain("missing.yaml cannot be read");
    const cast = { handsets: { post: { phone: "+250788000001" } } };
    expect(await messageOf(() => startLab({ scenario: "a: 1\n", cast }))).toBe("'cast' and 'scenario' cannot both be");
  });

  it("says what is wrong with an argument", async () => {
    const lab = await labFor();
    expect(await messageOf(() => lab.person("ada"))).toContain("'ada' names no group");
    expect(await messageOf(() => lab.handset("clinik"))).toContain("'clinik' names no group");
    expect(await messageOf(() => lab.advance("1 hour"))).toBe(
      "'span' must be a duration such as 90s, 5m or 1h30m, got '1 hour'",
    );
    expect(await messageOf(() => lab.power({ of: "clinic", mains: "of" } as never))).toContain("power:");
  });
});
