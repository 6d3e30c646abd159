import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { exploreScenario } from "../src/study/index.js";

/** Seeds of the guided search, and of the random one, whose trials end at ten times the median of the guided one. */
const SEEDS = { guided: 5, random: 2 };
const TRIALS_MAX = 2000;

const scenario = `lasts: 1h
handsets:
  clinic: { count: 2, phone: "+2507880{00000}" }
people:
  farmers: { count: 3, phone: "+2507811{00000}" }
story:
  - { at: 5m, text: { from: farmers/0, to: clinic/0, body: JOIN } }
  - { at: 15m, text: { from: farmers/1, to: clinic/1, body: maize 12kg } }
`;

/** Stands for an answer of 500. */
const FAILS = "fails";

/** The fields of an event. */
type Fields = Readonly<Record<string, string | undefined>>;

/** An application in its first state: answers an event with a text, with nothing, or with `FAILS`. */
type Application = () => (fields: Fields) => string | undefined;

/** Applications that fail when three causes coincide, and show that they remember each of the first two. */
const applications: Readonly<Record<string, Application>> = {
  "a copy, a missed call, a percent sign": () => {
    const seen = new Set<string>();
    const twice = new Set<string>();
    const missed = new Set<string>();
    return ({ event, phone = "", text = "", time = "" }) => {
      if (event === "mo_miss") {
        if (twice.has(phone)) missed.add(phone);
        return twice.has(phone) ? "we call back soon" : "call noted";
      }
      if (event !== "mo_sms") return undefined;
      const key = `${phone} ${text} ${time}`;
      const isCopy = seen.has(key);
      seen.add(key);
      if (text.includes("%")) return missed.has(phone) ? FAILS : "percent noted";
      if (isCopy) twice.add(phone);
      return isCopy ? "we have this already" : "thanks";
    };
  },
  "a flat battery, letters of another alphabet, a text that comes again": () => {
    const low = new Set<string>();
    const held = new Set<string>();
    const seen = new Set<string>();
    return ({ event, relayer = "", phone = "", text = "", sms = "", power_level, battery }) => {
      if (event === "alarm" && Number(power_level ?? battery) < 15) low.add(relayer);
      if (event !== "mo_sms") return undefined;
      const key = `${relayer} ${sms} ${phone}`;
      const isAgain = seen.has(key);
      seen.add(key);
      if (!low.has(relayer)) return "thanks";
      if (/[^\0-\xFF]/u.test(text)) {
        held.add(phone);
        return "held until the phone has power";
      }
      if (isAgain && held.has(phone)) return FAILS;
      return isAgain ? "once more" : "short of power";
    };
  },
  "a member of two handsets, who leaves, a missed call": () => {
    const members = new Map<string, { at?: string; moved: boolean; left: boolean }>();
    return ({ event, relayer = "", phone = "", text = "" }) => {
      const one = members.get(phone) ?? { moved: false, left: false };
      members.set(phone, one);
      if (event === "mo_miss") return one.moved && one.left ? FAILS : one.at === undefined ? undefined : "we call you";
      if (event !== "mo_sms") return undefined;
      const [word] = text.trim().toUpperCase().split(/\s+/);
      if (word === "JOIN") {
        const isMoved = one.at !== undefined && one.at !== relayer;
        one.at = relayer;
        one.left = false;
        one.moved ||= isMoved;
        return isMoved ? "you are moved here" : "welcome. LEAVE ends it";
      }
      if (word !== "LEAVE") return one.at === undefined ? "send JOIN first" : "noted";
      if (one.at === undefined) return "you are not a member";
      delete one.at;
      one.left = true;
      return one.moved ? "goodbye to both" : "goodbye";
    };
  },
};

/** Trials until a failure of three causes is found: guided by the receiver's answers, and by chance alone. */
export async function benchExplore(): Promise<void> {
  for (const [name, application] of Object.entries(applications)) {
    const guided = await trialsOf(application, { isGuided: true, seeds: SEEDS.guided, trials: TRIALS_MAX });
    const median = guided.toSorted((a, b) => a - b)[guided.length >> 1] ?? Infinity;
    const trials = Math.min(10 * TRIALS_MAX, 10 * median);
    const random = await trialsOf(application, { isGuided: false, seeds: SEEDS.random, trials });
    const found = random.filter((one) => one < Infinity);
    console.log(
      `explore, ${name}: guided ${median} trials (median of ${guided.join(", ")}); random: ${found.length} of ${random.length} found it within ${trials} trials${found.length === 0 ? "" : ` (${found.join(", ")})`}`,
    );
  }
}

async function trialsOf(
  application: Application,
  { isGuided, seeds, trials }: { readonly isGuided: boolean; readonly seeds: number; readonly trials: number },
): Promise<number[]> {
  let act = application();
  const server = createServer((request, response) => {
    let body = "";
    request.on("data", (part: Buffer) => (body += part.toString()));
    request.on("end", () => {
      if (request.url === "/reset") act = application();
      const fields: Fields = Object.fromEntries(new URLSearchParams(body));
      const text = request.url === "/reset" ? undefined : act(fields);
      if (text === FAILS) response.writeHead(500).end("{}");
      else response.end(text === undefined ? "{}" : JSON.stringify({ phone: [fields["phone"]], text }));
    });
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const folder = mkdtempSync(join(tmpdir(), "handset-bench-"));
  const taken: number[] = [];
  try {
    for (let seed = 1; seed <= seeds; seed++) {
      const { found } = await exploreScenario(scenario, {
        path: join(folder, "day.yaml"),
        output: folder,
        receiver: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
        reset: "POST /reset",
        seed,
        isGuided,
        forMs: 3_600_000,
        trials,
        failures: 1,
      });
      taken.push(found[0]?.trial ?? Infinity);
    }
    return taken;
  } finally {
    server.close();
    server.closeAllConnections();
    rmSync(folder, { recursive: true });
  }
}
