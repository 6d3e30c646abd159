import { createServer } from "node:http";
import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { receiverBugs, storyBugs } from "../../src/receiver/index.js";
import {
  bundledReceivers,
  ownReceivers,
  playZoo,
  readZoo,
  renderPlayed,
  renderZooJunit,
} from "../../src/study/index.js";
import { receiverThat } from "../end-to-end/support.js";

const files = readZoo();
const page = { colour: false, width: 80 };
const words = { receiver: "http://127.0.0.1:8080/", command: [], isFresh: false };

describe("the zoo", () => {
  it("has at least thirty failures, each with sources that exist and a bug that exists", () => {
    expect(files.length).toBeGreaterThanOrEqual(30);
    const bugs = [...receiverBugs, ...storyBugs].map(({ name }) => name);
    for (const { name, field, story, lesson } of files) {
      expect(story.join(" ").length, name).toBeGreaterThan(200);
      expect(lesson, name).toMatch(/receiver/i);
      expect(bugs, name).toContain(field.bug);
      for (const source of field.sources) expect(source, name).toSatisfy(resolves);
    }
  });

  it("uses each bug that only a story can show", () => {
    const used = new Set(files.map(({ field }) => field.bug));
    expect(storyBugs.map(({ name }) => name).filter((name) => !used.has(name))).toEqual([]);
  });

  it("accuses no right receiver, and plays each scenario in seconds", async () => {
    // CPU time, which does not depend on what else this machine does.
    const cpuSeconds: number[] = [];
    let before = process.cpuUsage();
    const onPlayed = (): void => {
      const { user, system } = process.cpuUsage(before);
      cpuSeconds.push((user + system) / 1e6);
      before = process.cpuUsage();
    };
    const result = await playZoo({ files, receivers: bundledReceivers(), onPlayed });
    expect(result.files.filter(({ verdict }) => verdict !== "passed")).toEqual([]);
    expect(result.passed).toBe(files.length);
    expect(cpuSeconds).toHaveLength(files.length);
    expect(Math.max(...cpuSeconds)).toBeLessThan(10);
  });

  it.each(files.map((file) => [file.name, file.field.bug, file] as const))(
    "%s fails with the bug %s, by an expectation of a right receiver",
    async (_, bug, file) => {
      const { files: played } = await playZoo({ files: [file], receivers: bundledReceivers([bug]) });
      expect(played).toMatchObject([{ verdict: "failed" }]);
      expect(played[0]?.broken.map(({ text }) => text).every((text) => file.field.right.includes(text))).toBe(true);
      expect(played[0]?.broken).not.toEqual([]);
    },
  );

  it("does not accuse a receiver that accepts everything and answers nothing: it says what is missing", async () => {
    const { url } = await receiverThat((_, response) => response.end("{}"));
    const names = ["one-text-two-webhooks", "never-offered", "letters-beyond-ascii", "wakes-in-1970"];
    const result = await playZoo({ files: readZoo({ names }), receivers: await ownReceivers({ receiver: url }) });
    expect(result.files.map(({ name, verdict, why }) => [name, verdict, why])).toEqual([
      ["one-text-two-webhooks", "untested", "needs a receiver that answers each text of a person"],
      ["never-offered", "untested", "needs a receiver that answers each text of a person"],
      ["letters-beyond-ascii", "untested", "needs a receiver that quotes a text in its answer"],
      ["wakes-in-1970", "passed", undefined],
    ]);
  });

  it("accuses a foreign receiver of the bug that it has, and of nothing else", async () => {
    const { url } = await receiverThat((body, response) => {
      const event = new URLSearchParams(body);
      const [phone, text] = [event.get("phone") ?? "", event.get("text") ?? ""];
      response.setHeader("content-type", "application/json");
      const isAnswered = event.get("event") === "mo_sms" && phone.startsWith("+");
      response.end(isAnswered ? JSON.stringify({ urn: [`tel:${phone}`], text: `Got ${text}`.slice(0, 480) }) : "{}");
    });
    const names = ["one-text-two-webhooks", "true-repeat-swallowed", "auto-reply-loop", "leap-day"];
    const result = await playZoo({ files: readZoo({ names }), receivers: await ownReceivers({ receiver: url }) });
    expect(result.files.map(({ verdict }) => verdict)).toEqual(["failed", "passed", "passed", "passed"]);
    const [failed] = result.files;
    if (failed === undefined) throw new Error("nothing was played");
    const text = renderPlayed(failed, page, words);
    expect(text).toContain("A receiver must act on the first\n    two events once");
    expect(text).toContain("handset zoo one-text-two-webhooks -r http://127.0.0.1:8080/");
    expect(text.split("\n").every((line) => line.length <= 80)).toBe(true);
    expect(renderZooJunit(result, words, 0)).toContain('tests="4" failures="1" errors="0" skipped="0"');
  });

  it("plays nothing at a receiver that refuses ordinary texts, or that is not there", async () => {
    const { url } = await receiverThat((_, response) => response.writeHead(404).end());
    const receivers = await ownReceivers({ receiver: url });
    await expect(playZoo({ files, receivers })).rejects.toThrow("it answers 404 to an ordinary text");
    await expect(ownReceivers({ receiver: await deadUrl() })).rejects.toThrow("nothing listens at");
  });

  it("does not accuse a receiver of the types that it does not offer, but of a failure at those that it does", async () => {
    const { url } = await receiverThat((body, response) => {
      const event = new URLSearchParams(body);
      if (event.get("event") !== "mo_sms") return response.writeHead(404).end();
      return response.writeHead((event.get("time") ?? "").includes("-02-29") ? 500 : 200).end();
    });
    const names = ["alarm-without-a-phone", "type-that-is-new", "wakes-in-1970", "leap-day"];
    const result = await playZoo({ files: readZoo({ names }), receivers: await ownReceivers({ receiver: url }) });
    expect(result.files.map(({ name, verdict, why }) => [name, verdict, why ?? ""])).toEqual([
      ["alarm-without-a-phone", "untested", "it refuses every alarm (404), also an ordinary one"],
      ["type-that-is-new", "untested", expect.stringMatching(/^it refuses every .* \(404\), also an ordinary one$/)],
      ["wakes-in-1970", expect.stringMatching(/passed|untested/), expect.any(String)],
      ["leap-day", "failed", ""],
    ]);
  });

  it("judges a receiver with words of its own, which quotes nothing", async () => {
    const seen = new Set<string>();
    const receiver = (isDead: (event: URLSearchParams) => boolean) =>
      receiverThat((body, response) => {
        const event = new URLSearchParams(body);
        const [phone, text, id] = ["phone", "text", "sms"].map((name) => event.get(name) ?? "");
        const key = `${phone} ${text} ${event.get("time")}`;
        if (event.get("event") !== "mo_sms" || seen.has(key) || isDead(event)) return response.end("{}");
        seen.add(key);
        expect(id).not.toBe("");
        return response.end(JSON.stringify({ urn: [`tel:${phone}`], text: "Thank you." }));
      });
    const names = ["never-offered", "one-text-two-webhooks", "offered-to-the-other-phone", "pending-for-ever"];
    const right = await receiver(() => false);
    const first = new Map<string, string>();
    const byChannel = await receiver((event) => {
      const [phone, relayer] = [event.get("phone") ?? "", event.get("relayer") ?? ""];
      if (!first.has(phone)) first.set(phone, relayer);
      return first.get(phone) !== relayer;
    });
    const verdicts = async (url: string): Promise<string[]> => {
      seen.clear();
      const { files: all } = await playZoo({
        files: readZoo({ names }),
        receivers: await ownReceivers({ receiver: url }),
      });
      return all.map(({ verdict }) => verdict);
    };
    expect(await verdicts(right.url)).toEqual(["passed", "passed", "passed", "passed"]);
    expect(await verdicts(byChannel.url)).toEqual(["passed", "passed", "failed", "passed"]);
  });

  it("resets the receiver before each scenario", async () => {
    const { url, got } = await receiverThat((_, response) => response.end());
    const receivers = await ownReceivers({ receiver: url, reset: "POST /reset" });
    await playZoo({ files: readZoo({ names: ["leap-day", "type-that-is-new"] }), receivers });
    expect(got.filter(({ path }) => path === "/reset")).toHaveLength(3);
  });

  it("starts several receivers at ports of their own, and reports in the order of the scenarios", async () => {
    const server =
      "require('http').createServer((q, a) => q.resume().on('end', () => a.end())).listen(process.argv[1])";
    const command = [process.execPath, "-e", server, "{port}"];
    const names = ["retry-after-a-lost-answer", "leap-day", "type-that-is-new"];
    const reported: string[] = [];
    const receivers = await ownReceivers({ command });
    expect(receivers).toMatchObject({ name: "http://127.0.0.1:{port}/", width: 2, isFresh: true });
    const result = await playZoo({
      files: readZoo({ names }),
      receivers,
      onPlayed: ({ name }) => void reported.push(name),
    });
    expect(result).toMatchObject({ passed: 3, left: 0 });
    expect(result.files.map(({ name }) => name)).toEqual(names);
    expect(reported).toEqual(names);
  });

  it("names the nearest scenario, and says which are stories only", () => {
    expect(() => readZoo({ names: ["leapday"] })).toThrow("no scenario of the zoo is called 'leapday'");
    expect(() => readZoo({ names: ["incoming-sent-back"] })).toThrow("in which no receiver can go wrong");
  });
});

/** An address at which nobody listens. */
async function deadUrl(): Promise<string> {
  const server = createServer();
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  return `http://127.0.0.1:${typeof address === "object" ? address?.port : 1}/`;
}

/** Whether a section of the reference exists. */
function resolves(source: string): boolean {
  const [path = "", anchor = ""] = source.split("#");
  const file = fileURLToPath(new URL(`../../${path}`, import.meta.url));
  if (!existsSync(file)) return false;
  const anchors = readFileSync(file, "utf8").matchAll(/^#+ (.*)$/gm);
  return [...anchors].some(
    ([, heading = ""]) =>
      heading
        .toLowerCase()
        .replaceAll(/[^a-z0-9 -]/g, "")
        .replaceAll(" ", "-") === anchor,
  );
}
