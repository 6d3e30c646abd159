// Commands one after the other in a process of their own, for a disk that is seen there only: the run fills it, then it is
// read, then there is room. Prints how each ended. Arguments: the built commands, the disk, the scenario's file.
import { execFileSync } from "node:child_process";

const [commands, disk, scenario] = process.argv.slice(2);
const { runCommandLine } = await import(commands);
const recording = `${disk}/run.db`;

async function handset(...argv) {
  let [stdout, stderr] = ["", ""];
  const base = { isTTY: false, columns: 80, colours: 0 };
  const code = await runCommandLine(argv, {
    stdout: { ...base, write: (text) => (stdout += text) },
    stderr: { ...base, write: (text) => (stderr += text) },
    onInterrupt: () => () => undefined,
    exit: (code) => process.exit(code),
  });
  return { code, stdout, stderr };
}

const quiet = ["--json", "-q", "--no-report"];
const played = await handset("run", scenario, "--pace", "max", "--recording", recording, ...quiet);
const events = await handset("events", recording);
const reported = await handset("report", recording);
execFileSync("mount", ["-o", "remount,size=400m", disk]);
const resumed = await handset("run", "--resume", recording, ...quiet);
process.stdout.write(JSON.stringify({ played, events, reported, resumed }));
