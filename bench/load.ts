import { join } from "node:path";
import { eventsPerSecond, eventsPerSecondOfCommand, play, replay } from "./command.js";
import {
  artillery,
  autocannon,
  bareSockets,
  CONNECTIONS,
  installPeers,
  type Peers,
  peersFolder,
  post,
  withNginx,
  wrk,
} from "./peers.js";
import { formatCount, formatRatio, Rates } from "./rates.js";
import { printTable } from "./table.js";
import { timerLateness } from "./timer-lateness.js";

const ROUNDS = Number(process.env["BENCH_ROUNDS"] ?? 4);
const SECONDS = 8;

/** The whole path of an event, everything recorded, compared with tools that post one body repeatedly. */
export async function benchLoad(): Promise<void> {
  console.log(
    `Events a second, closed model, ${CONNECTIONS} connections, nginx answering 200 {}; ${ROUNDS} rounds in turns\n`,
  );
  installPeers();
  await withNginx(async ({ folder, nginx }) => {
    const peers: Peers = { folder: peersFolder, url: nginx.url, body: post };
    const recording = join(folder, "load.db");
    const rates = new Rates();
    const compareWithAutocannon = (name: string, rate: number): void => {
      rates.record(name, rate);
      rates.compare(name, rate, "autocannon", () => autocannon(peers, SECONDS));
    };
    for (let round = 0; round < ROUNDS; round++) {
      rates.record("artillery", artillery(peers, SECONDS));
      rates.record("autocannon", autocannon(peers, SECONDS));
      const max = await play(nginx.url, recording, ["--pace", "max"]);
      const commandRate = eventsPerSecondOfCommand(max);
      rates.record("command", commandRate);
      rates.record("wrk", wrk(peers, SECONDS));
      compareWithAutocannon("max", eventsPerSecond(max));
      rates.compare("command", commandRate, "artillery", () => artillery(peers, SECONDS));
      compareWithAutocannon("replay", eventsPerSecond(await replay(recording, nginx.url, join(folder, "again.db"))));
      rates.record("unrecorded", eventsPerSecond(await play(nginx.url, "none", ["--pace", "max"])));
      rates.record("bare sockets", bareSockets(peers, SECONDS));
      console.log(
        `round ${round + 1}: command ${formatCount(commandRate)}/s, ${rates.lastRatio("command", "artillery")} of Artillery; ` +
          `max ${rates.lastRatio("max", "autocannon")} of autocannon`,
      );
    }
    console.log();
    const row = (what: string, ours: string, peer: string, target: number | undefined, note = ""): string[] => {
      const ratio = rates.ratio(ours, peer);
      return [
        what,
        formatCount(rates.median(ours)),
        formatCount(rates.median(peer)),
        formatRatio(ratio),
        target === undefined ? note : `${formatRatio(target)}${ratio >= target ? "" : " MISSED"}`,
      ];
    };
    printTable(
      ["what", "ours/s", "peer/s", "ratio", "target"],
      [
        row("whole command against wrk", "command", "wrk", 0.25),
        row("whole command against Artillery", "command", "artillery", 12),
        row("max, while it plays, against wrk", "max", "wrk", undefined),
        row("max, recorded / not recorded", "max", "unrecorded", undefined),
        row("max against autocannon", "max", "autocannon", undefined, "retired"),
        row("replay against autocannon", "replay", "autocannon", undefined, "retired"),
        row("replay against bare Node sockets", "replay", "bare sockets", undefined),
      ],
    );
    await benchLateness(nginx.url, recording);
  });
}

/** Paced: how late requests leave, compared with a loop that only waits for the due times. */
async function benchLateness(url: string, recording: string): Promise<void> {
  console.log("Lateness of sending at 5,000 events a second, paced 1x, 20 s, everything recorded\n");
  const options = ["--set", "traffic.0.rate=5000/s", "--set", "lasts=20s", "--pace", "1x"];
  const { latenessMs } = await play(url, recording, options);
  const bare = await timerLateness({ ratePerSecond: 5000, seconds: 10 });
  const ms = (value: number | undefined): string => `${(value ?? NaN).toFixed(2)} ms`;
  const isMissed = latenessMs === undefined || latenessMs.p99 > 2;
  printTable(
    ["what", "p50", "p99", "max", "target"],
    [
      [
        "handset run",
        ms(latenessMs?.p50),
        ms(latenessMs?.p99),
        ms(latenessMs?.max),
        `p99 2 ms${isMissed ? " MISSED" : ""}`,
      ],
      ["bare timer loop", ms(bare.p50), ms(bare.p99), ms(bare.max), ""],
    ],
  );
}
