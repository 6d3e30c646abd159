import { describe, expect, it } from "vitest";
import { OPERATIONS } from "../operations.js";
import { startTestService } from "../support.js";
import { readDocument } from "./document.js";
import { describeFaults, fuzz } from "./fuzz.js";
import { runs } from "../../support/effort.js";

const requests = runs(800, 5000);
// Fewer for the control API: only the form of its answers is checked, and each operation occurs often.
const controlRequests = Math.ceil(requests / 3);
const seed = Number(process.env["FUZZ_SEED"] ?? 3);

describe("the service under fuzz", () => {
  it("its document has all operations, each with its answers and errors", async () => {
    const { document } = await startTestService({ account: "bare" });
    const { operations } = readDocument(document);
    expect(operations.map(({ id }) => id)).toEqual(expect.arrayContaining([...OPERATIONS]));
    for (const { id, response } of operations.filter(({ path }) => path.startsWith("/api/v2/"))) {
      const known = [200, 201, 204].filter((status) => response(status) !== undefined);
      expect(known, id).not.toEqual([]);
      for (const status of [403, 406]) expect(response(status)?.validate, `${id} ${status}`).toBeDefined();
    }
  });

  it(`${requests} requests, seed ${seed}`, async () => {
    const { url, token, document } = await startTestService({ account: "ready" });
    const report = await fuzz(url, token, { document, requests, seed, only: / \/api\/v2\// });
    console.log(`${requests} requests in ${report.seconds.toFixed(1)} s, ${report.tried} refusals tried alone`);
    expect(describeFaults(report)).toBe("");
    // The service runs in this process, so prototype pollution would show here.
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
    expect(report.tried).toBeGreaterThan(0);
    const succeeded = ([, counts]: [string, Readonly<Record<number, number>>]): boolean =>
      Object.keys(counts).some((status) => status.startsWith("2"));
    const unreached = Object.entries(report.statuses).filter((each) => !succeeded(each));
    expect(unreached).toEqual([]);
  });

  it(`its control API: ${controlRequests} requests, seed ${seed}`, async () => {
    const { url, labToken, document } = await startTestService({ account: "bare" });
    // Its requests change the world, so the effects of refusals cannot be checked.
    const report = await fuzz(url, labToken, {
      document,
      requests: controlRequests,
      seed,
      only: / \/lab\//,
      trials: 0,
    });
    expect(describeFaults(report)).toBe("");
  });
});
