import { join } from "node:path";
import { autocannon, installPeers, type Peers, peersFolder, post, withNginx } from "./peers.js";
import { eventsPerSecond, play, replay } from "./command.js";
import { formatCount, formatRatio, Rates } from "./rates.js";
import { printTable } from "./table.js";

const ROUNDS = Number(process.env["BENCH_ROUNDS"] ?? 4);
const SECONDS = 6;
const NUMBERS = [10, 50, 100, 200];

/** Events a second by the number of connections, for the command and for autocannon. */
export async function benchConnections(): Promise<void> {
  console.log(`Events a second by connections, nginx answering 200 {}; ${ROUNDS} rounds in turns\n`);
  installPeers();
  await withNginx(async ({ folder, nginx }) => {
    const peers: Peers = { folder: peersFolder, url: nginx.url, body: post };
    const recording = join(folder, "load.db");
    const rates = new Rates();
    for (let round = 0; round < ROUNDS; round++)
      for (const number of NUMBERS) {
        const peer = `autocannon ${number}`;
        const compare = (name: string, rate: number): void => {
          rates.record(`${name} ${number}`, rate);
          rates.compare(`${name} ${number}`, rate, peer, () => autocannon(peers, SECONDS, number));
        };
        rates.record(peer, autocannon(peers, SECONDS, number));
        const max = await play(nginx.url, recording, ["--pace", "max", "--set", "lasts=10m"], number);
        compare("max", eventsPerSecond(max));
        compare("replay", eventsPerSecond(await replay(recording, nginx.url, join(folder, "again.db"), number)));
        const ratio = (name: string): string => rates.lastRatio(`${name} ${number}`, peer);
        console.log(
          `round ${round + 1}, ${number} connections: max ${ratio("max")} and replay ${ratio("replay")} of autocannon`,
        );
      }
    console.log();
    printTable(
      ["connections", "autocannon/s", "max/s", "replay/s", "max / autocannon", "replay / autocannon"],
      NUMBERS.map((number) => [
        String(number),
        formatCount(rates.median(`autocannon ${number}`)),
        formatCount(rates.median(`max ${number}`)),
        formatCount(rates.median(`replay ${number}`)),
        formatRatio(rates.ratio(`max ${number}`, `autocannon ${number}`)),
        formatRatio(rates.ratio(`replay ${number}`, `autocannon ${number}`)),
      ]),
    );
  });
}
