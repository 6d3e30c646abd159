import { createServer } from "node:http";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { handset } from "../cli/terminal.js";
import { temporaryFolder } from "../support/folder.js";
import { listen } from "../support/server.js";
import { play } from "./support.js";

/** Ten texts, one a minute, of ten people. */
const day = (delivery: string): string => `
name: Who is to blame
starts: 2026-03-04T06:00:00.000Z
lasts: 1h
handsets: { clinic: { phone: "+250788000001" } }
people: { farmers: { count: 10, of: clinic, phone: "+25078811110{0}" } }
${delivery === "" ? "" : `delivery: ${delivery}`}
story:
${Array.from({ length: 10 }, (_, index) => `  - { at: ${index + 1}m, text: { from: farmers/${index}, to: clinic, body: hello } }`).join("\n")}
  - { at: 11m, text: { from: farmers/0, to: clinic, body: again } }
`;

/** A receiver that answers 200, and thanks for each text; @param dedupes - only for the first request of an event */
async function thankingReceiver({ dedupes }: { readonly dedupes: boolean }): Promise<string> {
  const known = new Set<string>();
  const server = createServer((request, response) => {
    let body = "";
    request.setEncoding("utf8").on("data", (chunk: string) => (body += chunk));
    request.on("end", () => {
      const event = new URLSearchParams(body);
      const isKnown = known.has(body);
      known.add(body);
      const thanks = JSON.stringify({ urn: [`tel:${event.get("phone")}`], text: "thanks" });
      response.end(event.get("event") === "mo_sms" && !(dedupes && isKnown) ? thanks : "{}");
    });
  });
  return (await listen(server)).url;
}

/** Whether a finding is a count; one that is inferred from times may be this machine's doing. */
function isCounted({ kind }: { readonly kind: string }): boolean {
  return !["host", "slow", "trend", "stalls", "silence", "saturation"].includes(kind);
}

async function findings(delivery: string, { dedupes = true } = {}) {
  const receiver = await thankingReceiver({ dedupes });
  const recording = join(temporaryFolder(), "run.db");
  const { result, exitCode } = await play(day(delivery), { receiver, recording });
  expect(exitCode).toBe(0);
  return { recording, found: result.findings ?? [], outages: result.outages ?? [] };
}

describe("a right receiver is not accused of trouble on the way:", () => {
  it("without trouble nothing is found", async () => {
    const { found } = await findings("");
    expect(found.filter((one) => isCounted(one) || one.cause !== undefined)).toEqual([]);
  });

  it.each([
    ["{ types: [mo_sms], answers-lost: 40% }", "the answer was lost on the way back"],
    ["{ types: [mo_sms], requests-lost: 40% }", "never reached the receiver"],
    ["{ types: [mo_sms], refused: 40% }", "had the connection refused on the way"],
    ["{ types: [mo_sms], cut: body, share: 40% }", "had the connection cut on the way"],
  ])("%s", async (delivery, words) => {
    const { found, outages } = await findings(delivery);
    expect(outages).toEqual([]);
    const failures = found.filter(({ kind }) => kind === "failures");
    expect(failures).toHaveLength(1);
    expect(failures[0]).toMatchObject({ weight: "note", cause: "story" });
    expect(failures[0]?.text).toContain(words);
    expect(failures[0]?.text).toContain('"delivery"');
    expect(found.filter(isCounted).filter(({ weight }) => weight === "bad")).toEqual([]);
  });

  it("events out of order name the trouble, not a race", async () => {
    const { found } = await findings("{ types: [mo_sms], person: farmers/0, delay: 15m, times: 1 }");
    const [order] = found.filter(({ kind }) => kind === "reordering");
    expect(order).toMatchObject({ weight: "note", cause: "story" });
    expect(order?.text).toContain('1 because trouble on the way ("delivery") held it back');
  });

  it("a receiver that acts twice on a copy is accused of it, with the copies as what provoked it", async () => {
    const right = await findings("{ types: [mo_sms], copies: 2 }");
    expect(right.found.filter(isCounted).filter(({ weight }) => weight === "bad")).toEqual([]);
    const wrong = await findings("{ types: [mo_sms], copies: 2 }", { dedupes: false });
    const [doubles] = wrong.found.filter(({ kind }) => kind === "doubles");
    expect(doubles?.weight).toBe("bad");
    expect(doubles?.text).toContain('Trouble on the way ("delivery") sent 11 copies at once');
  });

  it("handset why says what an event met", async () => {
    const { recording } = await findings("{ types: [mo_sms], answers-lost: true, times: 1 }");
    const { stdout, code } = await handset(["why", recording, "1/1"]);
    expect(code).toBe(0);
    const told = stdout.replaceAll(/\s+/g, " ");
    expect(told).toContain("trouble on the way to the receiver, at try 1: the answer gets lost");
    expect(told).toContain("the receiver got the request, and trouble on the way lost its answer");
    expect(told).toContain('The scenario puts this trouble there ("delivery")');
  });
});
