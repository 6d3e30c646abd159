import { join } from "node:path";
import { autocannon, installPeers, type Peers, peersFolder, post, besideNginx } from "./peers.js";
import { eventsPerSecond, play, replay } from "./pipeline.js";
import { count, Rates, times } from "./rates.js";
import { printTable } from "./table.js";

const ROUNDS = Number(process.env["BENCH_ROUNDS"] ?? 4);
const SECONDS = 6;
const NUMBERS = [10, 50, 100, 200];

/** How the number of connections bears on what we post, and on what autocannon does. */
export async function benchConnections(): Promise<void> {
  console.log(`By connections, nginx answering 200 {}; ${ROUNDS} rounds in turns\n`);
  installPeers();
  await besideNginx(async ({ folder, nginx }) => {
    const peers: Peers = { folder: peersFolder, url: nginx.url, body: post };
    const recording = join(folder, "load.db");
    const rates = new Rates();
    for (let round = 0; round < ROUNDS; round++)
      for (const number of NUMBERS) {
        const peer = `autocannon ${number}`;
        const beside = (name: string, rate: number): void => {
          rates.note(`${name} ${number}`, rate);
          rates.beside(peer, `${name} ${number}`, rate, () => autocannon(peers, SECONDS, number));
        };
        rates.note(peer, autocannon(peers, SECONDS, number));
        const played = await play(nginx.url, recording, ["--pace", "max", "--set", "lasts=10m"], number);
        beside("max", eventsPerSecond(played));
        beside("replay", eventsPerSecond(await replay(recording, nginx.url, join(folder, "again.db"), number)));
        const [max, again] = ["max", "replay"].map((name) => rates.lastRatio(`${name} ${number}`, peer));
        console.log(`round ${round + 1}, ${number} connections: max ${max} and replay ${again} of autocannon`);
      }
    console.log();
    printTable(
      ["connections", "autocannon/s", "max/s", "replay/s", "max / autocannon", "replay / autocannon"],
      NUMBERS.map((number) => [
        String(number),
        count(rates.median(`autocannon ${number}`)),
        count(rates.median(`max ${number}`)),
        count(rates.median(`replay ${number}`)),
        times(rates.ratio(`max ${number}`, `autocannon ${number}`)),
        times(rates.ratio(`replay ${number}`, `autocannon ${number}`)),
      ]),
    );
  });
}
