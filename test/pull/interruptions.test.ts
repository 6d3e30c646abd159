import { appendFileSync, existsSync, readFileSync, statSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { contactRecords, fakeService, fakeToken, type Interference } from "./fake-service.js";
import { contentOf, outputPath, pull } from "./rig.js";

const records = {
  org: { name: "Far away", uuid: "1f0a3c52-6a0e-4c57-9f0e-5d2f4c1f7a10" },
  groups: [],
  fields: [],
  contacts: contactRecords(110),
};

/** The file that an uninterrupted pull writes. */
async function undisturbed(): Promise<string> {
  const output = outputPath();
  await pull(await fakeService(records), output);
  return contentOf(output);
}

/** Interferes with the requests of a list's page, as long as `isOn` says. */
function atPage(cursor: number, done: ReturnType<Interference>, isOn = () => true): Interference {
  return (path) => (path === `/api/v2/contacts.json?cursor=${cursor}` && isOn() ? done : undefined);
}

describe("a pull of several pages", () => {
  it("follows the cursors at the address that the user gave, not at that of next", async () => {
    const service = await fakeService(records);
    const output = outputPath();
    const { resources } = await pull(service, output);
    expect(resources).toContainEqual({ resource: "contacts", read: 110, written: 110 });
    expect(service.paths.filter((path) => path.includes("contacts"))).toEqual([
      "/api/v2/contacts.json",
      ...[25, 50, 75, 100].map((cursor) => `/api/v2/contacts.json?cursor=${cursor}`),
    ]);
    expect(contentOf(output).match(/Contact \d+/g)?.[0]).toBe("Contact 1");
  });

  it("refuses pages that do not end", async () => {
    const service = await fakeService(records, (path) =>
      path.includes("contacts")
        ? { status: 200, body: JSON.stringify({ next: "http://x/?cursor=again", results: [] }) }
        : undefined,
    );
    await expect(pull(service, outputPath())).rejects.toThrow("the pages of contacts.json do not end");
  });
});

describe("an interrupted pull", () => {
  it("continues at the page where it stopped, and writes the same file", async () => {
    let isBroken = true;
    const service = await fakeService(
      records,
      atPage(75, "cut", () => isBroken),
    );
    const output = outputPath();
    const failed = pull(service, output);
    await expect(failed).rejects.toMatchObject({
      code: "no-service",
      hint: expect.stringContaining(".pull has what was read"),
    });
    expect(existsSync(output)).toBe(false);
    expect(statSync(`${output}.pull`).mode & 0o777).toBe(0o600);
    expect(readFileSync(`${output}.pull`, "utf8")).not.toContain(fakeToken);
    // A kill in the middle of a write leaves half a line.
    appendFileSync(`${output}.pull`, '{"list":"contacts","results":[{"uuid":"c7d2c9f0-0f3b');
    isBroken = false;
    const before = service.paths.length;
    const { resumed } = await pull(service, output);
    expect(resumed).toBe(true);
    expect(service.paths.slice(before).filter((path) => /org|groups|contacts/.test(path))).toEqual([
      "/api/v2/org.json",
      "/api/v2/contacts.json?cursor=75",
      "/api/v2/contacts.json?cursor=100",
    ]);
    expect(contentOf(output)).toBe(await undisturbed());
    expect(existsSync(`${output}.pull`)).toBe(false);
  });

  it("is ended by a signal at any request, and continues", async () => {
    const expected = await undisturbed();
    const all = (await pullAll()).paths.length;
    async function pullAll(): Promise<{ paths: string[] }> {
      const service = await fakeService(records);
      await pull(service, outputPath());
      return service;
    }
    for (let at = 2; at <= all; at += 3) {
      const interruption = new AbortController();
      const service = await fakeService(records, (_, count) => void (count === at && interruption.abort()));
      const output = outputPath();
      await expect(pull(service, output, { signal: interruption.signal })).rejects.toThrow("interrupted");
      await pull(service, output);
      expect(contentOf(output)).toBe(expected);
    }
  });

  it("begins the list again when the service no longer knows the cursor, and counts nobody twice", async () => {
    let isBroken = true;
    const lost = { status: 404, body: '{"detail":"Invalid cursor"}' };
    let isForgotten = true;
    const service = await fakeService(records, (path) => {
      if (!path.endsWith("cursor=50")) return undefined;
      if (isBroken) return "cut";
      if (!isForgotten) return undefined;
      isForgotten = false;
      return lost;
    });
    const output = outputPath();
    await expect(pull(service, output)).rejects.toThrow("the connection failed");
    isBroken = false;
    await pull(service, output);
    expect(contentOf(output)).toBe(await undisturbed());
  });

  it("does not continue with another account or from another service", async () => {
    const service = await fakeService(records, atPage(25, "cut"));
    const output = outputPath();
    await expect(pull(service, output)).rejects.toThrow("the connection failed");
    const other = await fakeService({ ...records, org: { name: "Near by" } });
    await expect(pull(other, output)).rejects.toThrow("is the state of a pull from");
    const state = readFileSync(`${output}.pull`, "utf8").replace(service.url, other.url);
    appendFileSync(`${output}.2.pull`, state);
    await expect(pull(other, `${output}.2`)).rejects.toMatchObject({
      code: "bad-options",
      hint: expect.stringContaining("'Near by'"),
    });
  });
});

describe("a service that throttles", () => {
  it("is waited for as long as it asks, and nothing is lost", async () => {
    let refusals = 0;
    const throttled = (headers: Record<string, string>, body: string) => ({ status: 429, headers, body });
    const service = await fakeService(records, (_, count) => {
      if (count % 2 === 0) return undefined;
      refusals++;
      if (refusals === 2) return throttled({}, '{"detail":"Request was throttled. Expected available in 3 seconds."}');
      return throttled({ "retry-after": "7" }, "");
    });
    const output = outputPath();
    const { waits, throttledMs } = await pull(service, output);
    expect(waits).toEqual(Array.from({ length: refusals }, (_, i) => (i === 1 ? 3000 : 7000)));
    expect(throttledMs).toBe(waits.reduce((sum, ms) => sum + ms, 0));
    expect(contentOf(output)).toBe(await undisturbed());
  });

  it("is not waited for beyond the bound", async () => {
    const service = await fakeService(
      records,
      atPage(50, { status: 429, headers: { "retry-after": "3100" }, body: "" }),
    );
    const output = outputPath();
    await expect(pull(service, output)).rejects.toMatchObject({
      code: "no-service",
      message: "the service throttles (429) and asks to wait 3100 s",
      hint: expect.stringMatching(/--max-wait 52m[^]*\.pull has what was read/),
    });
    await expect(pull(service, output, { maxWaitMs: 3_100_000 * 2 })).rejects.toThrow("asks to wait 3100 s");
  });

  it("is asked no more often than the rate", async () => {
    const service = await fakeService({ ...records, contacts: [] });
    const { waits, requests } = await pull(service, outputPath(), { rate: 0.001 });
    expect(waits).toHaveLength(requests - 1);
    for (const ms of waits) expect(ms).toBeGreaterThan(900_000);
  });
});

describe("a service that fails", () => {
  it("is asked again, and nothing is lost", async () => {
    let failures = 0;
    const service = await fakeService(records, (path) => {
      if (!path.endsWith("cursor=50") || failures === 4) return undefined;
      failures++;
      return failures % 2 === 0 ? "cut" : { status: 500, body: "An error has occurred." };
    });
    const output = outputPath();
    const { waits } = await pull(service, output);
    expect(waits).toEqual([1000, 2000, 4000, 8000]);
    expect(contentOf(output)).toBe(await undisturbed());
  });

  it("is given up after five tries, with its words and the state", async () => {
    const service = await fakeService(records, atPage(50, { status: 502, body: "<h1>Bad gateway</h1>" }));
    const output = outputPath();
    await expect(pull(service, output)).rejects.toMatchObject({
      code: "no-service",
      message: `${service.url}: answered 502 ('Bad gateway'), 5 times (GET /api/v2/contacts.json)`,
      hint: expect.stringContaining(".pull has what was read"),
    });
  });

  it("that breaks off its JSON is asked again", async () => {
    let isFirst = true;
    const service = await fakeService(records, (path) => {
      if (!path.endsWith("cursor=25") || !isFirst) return undefined;
      isFirst = false;
      return { status: 200, body: '{"next":null,"results":[{"uuid"' };
    });
    const output = outputPath();
    await pull(service, output);
    expect(contentOf(output)).toBe(await undisturbed());
  });

  it("that does not answer in time is given up", async () => {
    const service = await fakeService(records, () => "silence");
    await expect(pull(service, outputPath(), { timeoutMs: 20 })).rejects.toThrow("no answer within 0.02 s");
  });
});
