import { describe, expect, it } from "vitest";
import { curlCommand } from "./curl.js";
import { readDocument } from "./document.js";
import { faultyDocument, type PlantedFault, plantedFaults, startFaultyService } from "./faulty-service.js";
import { describeFaults, fuzz, type FuzzReport } from "./fuzz.js";

async function fuzzWith(fault: PlantedFault | undefined, options = {}): Promise<FuzzReport & { seen: string[] }> {
  const { url, token, seen } = await startFaultyService(fault);
  return { ...(await fuzz(url, token, { document: faultyDocument, requests: 700, ...options })), seen };
}

describe("the fuzzer", () => {
  it("finds no fault in a correct service, and reaches each of its answers", async () => {
    const report = await fuzzWith(undefined, { requests: 2500 });
    expect(describeFaults(report)).toBe("");
    const expected = {
      "GET /api/v2/groups.json": [200, 403, 406],
      "POST /api/v2/groups.json": [200, 201, 400, 403, 404, 406, 413, 415],
      "DELETE /api/v2/groups.json": [204, 400, 403, 404, 406],
    };
    for (const [id, statuses] of Object.entries(expected)) {
      expect(Object.keys(report.statuses[id] ?? {}).map(Number), id).toEqual(expect.arrayContaining(statuses));
    }
    expect(report.tried).toBeGreaterThan(10);
  });

  it.each(Object.entries(plantedFaults) as [PlantedFault, string][])("finds %s", async (fault, rule) => {
    const report = await fuzzWith(fault);
    expect([...new Set(report.faults.map((each) => each.rule))]).toEqual([rule]);
    expect(report.faults[0]?.curl).toContain("curl -sS");
  });

  it("sends the same requests for the same seed, and others for another", async () => {
    const sent = async (seed: number): Promise<string[]> => {
      const { seen } = await fuzzWith(undefined, { seed, inFlight: 1, requests: 300, trials: 0 });
      return seen;
    };
    const first = await sent(7);
    expect(await sent(7)).toEqual(first);
    expect(await sent(8)).not.toEqual(first);
  });

  it("refuses a document with unresolved references", () => {
    const lost = { openapi: "3.1.0", paths: { "/x": { get: { responses: { 200: { $ref: "#/components/lost" } } } } } };
    expect(() => readDocument(lost).operations[0]?.response(200)).toThrow("#/components/lost");
    expect(() => readDocument({ openapi: "3.0.3", paths: {} })).toThrow("not OpenAPI 3.1");
  });
});

describe("a request as a shell command", () => {
  const base = "http://127.0.0.1:1";
  const headers = { accept: "application/json" };

  it.each([
    [
      { method: "GET", target: "/a?b=c%20d&e[]=1", headers: { ...headers, "content-type": "" }, body: undefined },
      `curl -sS -i --path-as-is -g -H 'accept: application/json' -H 'content-type;' 'http://127.0.0.1:1/a?b=c%20d&e[]=1'`,
    ],
    [
      { method: "POST", target: "/a", headers, body: Buffer.from(`{"a":"it's"}`) },
      String.raw`printf %s '{"a":"it'\''s"}' | curl -sS -i --path-as-is -g -X POST -H content-type: -H 'accept: application/json' --data-binary @- http://127.0.0.1:1/a`,
    ],
    [
      { method: "POST", target: "/\u00ff", headers, body: Buffer.from("ff00", "hex") },
      String.raw`printf %s /wA= | base64 -d | curl -sS -i --path-as-is -g -X POST -H content-type: -H 'accept: application/json' --data-binary @- $'http://127.0.0.1:1/\xff'`,
    ],
    [
      { method: "POST", target: "/a", headers, body: Buffer.from(`{"a":"${"x".repeat(9000)}"}`) },
      String.raw`(printf %s '{"a":"'; head -c 9000 /dev/zero | tr '\0' '\170'; printf %s '"}') | curl -sS -i --path-as-is -g -X POST -H content-type: -H 'accept: application/json' --data-binary @- http://127.0.0.1:1/a`,
    ],
  ])("%#", (request, expected) => {
    expect(curlCommand(base, request)).toBe(expected);
  });
});
