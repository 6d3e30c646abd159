import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync, symlinkSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { medianOf, printTable } from "./table.js";

const ROUNDS = 7;

/** Wall and CPU time of a process up to some point, milliseconds; the latter is not known everywhere. */
interface Start {
  readonly wallMs: number;
  readonly cpuMs: number | undefined;
}

/** From the start of `handset serve` to its first answer, with the ready account; beside a Node that does nothing. */
export async function benchStart(): Promise<void> {
  console.log("From the start of `handset serve` to its first answer, with the ready account\n");
  // The compiled program finds its scenarios where the package has them.
  const scenarios = new URL("../scenarios", import.meta.url);
  if (!existsSync(scenarios))
    symlinkSync(fileURLToPath(new URL("../../scenarios", import.meta.url)), scenarios, "junction");
  const rounds: { readonly node: Start; readonly ours: Start }[] = [];
  await startOurs();
  for (let round = 0; round < ROUNDS; round++) rounds.push({ node: startNode(), ours: await startOurs() });
  const median = (of: (round: (typeof rounds)[number]) => number | undefined): string => {
    const values = rounds.map(of).filter((value) => value !== undefined);
    return values.length === 0 ? "?" : `${medianOf(values).toFixed(0)} ms`;
  };
  const wallMs = medianOf(rounds.map(({ ours }) => ours.wallMs));
  printTable(
    ["what", "wall", "CPU", "must"],
    [
      ["node -e 0", median(({ node }) => node.wallMs), median(({ node }) => node.cpuMs), ""],
      [
        "handset serve",
        median(({ ours }) => ours.wallMs),
        median(({ ours }) => ours.cpuMs),
        `1000 ms${wallMs < 1000 ? "" : " MISSED"}`,
      ],
    ],
  );
}

function startNode(): Start {
  const startedAt = performance.now();
  const script =
    "process.on('exit', () => { const { user, system } = process.cpuUsage(); console.log(user + system); })";
  const { stdout } = spawnSync(process.execPath, ["-e", script], { encoding: "utf8" });
  return { wallMs: performance.now() - startedAt, cpuMs: Number(stdout) / 1000 };
}

async function startOurs(): Promise<Start> {
  const cli = fileURLToPath(new URL("../src/cli/main.js", import.meta.url));
  const token = "0123456789abcdef";
  const startedAt = performance.now();
  const child = spawn(process.execPath, [cli, "serve", "--port", "0", "--token", token], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const url = await new Promise<string>((resolve, reject) => {
    let said = "";
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      said += text;
      const address = /REST API +(\S+)/.exec(said)?.[1];
      if (address !== undefined) resolve(address);
    });
    child.once("exit", () => reject(new Error(`handset serve ended: ${said}`)));
  });
  const response = await fetch(`${url}contacts.json`, { headers: { authorization: `Token ${token}` } });
  if (response.status !== 200) throw new Error(`the first answer is ${response.status}`);
  const started = { wallMs: performance.now() - startedAt, cpuMs: cpuMsOf(child.pid ?? 0) };
  await response.arrayBuffer();
  const gone = once(child, "exit");
  child.kill("SIGINT");
  await gone;
  return started;
}

/** As Linux tells it (proc(5), `stat`: fields 14 and 15, in hundredths of a second). */
function cpuMsOf(pid: number): number | undefined {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, "utf8")
      .replace(/^.*\) /s, "")
      .split(" ");
    return (Number(fields[11]) + Number(fields[12])) * 10;
  } catch {
    return undefined;
  }
}
