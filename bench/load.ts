import { join } from "node:path";
import {
  artillery,
  autocannon,
  bareSockets,
  CONNECTIONS,
  installPeers,
  type Peers,
  peersFolder,
  post,
  besideNginx,
  wrk,
} from "./peers.js";
import { eventsPerSecond, play, replay } from "./pipeline.js";
import { count, Rates, times } from "./rates.js";
import { printTable } from "./table.js";
import { timerLateness } from "./timer-lateness.js";

const ROUNDS = Number(process.env["BENCH_ROUNDS"] ?? 4);
const SECONDS = 8;

/** The whole way of an event, everything recorded, beside tools that send one body again and again. */
export async function benchLoad(): Promise<void> {
  console.log(
    `Events a second, closed model, ${CONNECTIONS} connections, nginx answering 200 {}; ${ROUNDS} rounds in turns\n`,
  );
  installPeers();
  await besideNginx(async ({ folder, nginx }) => {
    const peers: Peers = { folder: peersFolder, url: nginx.url, body: post };
    const recording = join(folder, "load.db");
    const rates = new Rates();
    const besideAutocannon = (name: string, rate: number): void => {
      rates.note(name, rate);
      rates.beside("autocannon", name, rate, () => autocannon(peers, SECONDS));
    };
    for (let round = 0; round < ROUNDS; round++) {
      rates.note("artillery", artillery(peers, SECONDS));
      rates.note("autocannon", autocannon(peers, SECONDS));
      const ours = await play(nginx.url, recording, ["--pace", "max"]);
      besideAutocannon("ours", eventsPerSecond(ours));
      rates.beside("artillery", "ours", eventsPerSecond(ours), () => artillery(peers, SECONDS));
      rates.note("whole command", eventsPerSecond({ ...ours, wallMs: ours.commandMs }));
      besideAutocannon("replay", eventsPerSecond(await replay(recording, nginx.url, join(folder, "again.db"))));
      besideAutocannon("unrecorded", eventsPerSecond(await play(nginx.url, "none", ["--pace", "max"])));
      rates.note("wrk", wrk(peers, SECONDS));
      rates.note("bare sockets", bareSockets(peers, SECONDS));
      const ratio = (name: string, peer: string): string => rates.lastRatio(name, peer);
      console.log(
        `round ${round + 1}: max ${ratio("ours", "autocannon")} and replay ${ratio("replay", "autocannon")} of autocannon, ` +
          `max ${ratio("ours", "artillery")} of Artillery`,
      );
    }
    console.log();
    const row = (what: string, ours: string, peer: string, must: string, aim: string): string[] => [
      what,
      count(rates.median(ours)),
      count(rates.median(peer)),
      times(rates.ratio(ours, peer)),
      must,
      aim,
    ];
    printTable(
      ["what", "ours/s", "peer/s", "ratio", "must", "aim"],
      [
        row("max against autocannon", "ours", "autocannon", "1.1x", "1.5x"),
        row("max against wrk", "ours", "wrk", "0.25x", "0.5x"),
        row("replay against autocannon", "replay", "autocannon", "1.4x", "2x"),
        row("max against Artillery", "ours", "artillery", "20x", "30x"),
        row("with full recording / without", "ours", "unrecorded", "0.70x", "0.85x"),
        row("replay against Node's sockets alone", "replay", "bare sockets", "", ""),
      ],
    );
    console.log(
      `max, from the command's start to its end, with the recording's tables filled and indexed: ` +
        `${count(rates.median("whole command"))} events a second\n`,
    );
    await lateness(nginx.url, recording);
  });
}

/** Paced: how late requests leave, beside a loop that does nothing but watch the time. */
async function lateness(url: string, recording: string): Promise<void> {
  console.log("Lateness of sending at 5,000 events a second, paced 1x, 20 s, everything recorded\n");
  const set = ["--set", "traffic.0.rate=5000/s", "--set", "lasts=20s", "--pace", "1x"];
  const { latenessMs } = await play(url, recording, set);
  const bare = await timerLateness({ ratePerSecond: 5000, seconds: 10 });
  const ms = (value: number | undefined): string => `${(value ?? NaN).toFixed(2)} ms`;
  printTable(
    ["what", "p50", "p99", "max", "must", "aim"],
    [
      ["handset run", ms(latenessMs?.p50), ms(latenessMs?.p99), ms(latenessMs?.max), "p99 2 ms", "1 ms"],
      ["bare timer loop", ms(bare.p50), ms(bare.p99), ms(bare.max), "", ""],
    ],
  );
}
