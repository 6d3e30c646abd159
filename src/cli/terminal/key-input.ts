import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";

const CTRL_C = "\u0003";
const CTRL_Z = "\u001A";

/**
 * Calls `callback` for each key that is pressed at the terminal, without waiting for Enter. Ctrl-C and Ctrl-Z keep
 * their usual effect.
 *
 * @returns restores the terminal, may be called twice; undefined where stdin is no terminal, or the process is in the
 *   background: there the kernel stops a process that changes the terminal
 */
export function listenToKeys(callback: (key: string) => void): (() => void) | undefined {
  const { stdin } = process;
  if (!stdin.isTTY || !isInForeground()) return undefined;
  const listen = (chunk: string): void => {
    // Arrow and function keys come as one chunk that begins with an escape; runs do not use them.
    if (chunk.startsWith("\u001B")) return;
    for (const key of chunk) {
      if (key === CTRL_C) process.kill(process.pid, "SIGINT");
      else if (key === CTRL_Z) suspend();
      else callback(key);
    }
  };
  const suspend = (): void => {
    // In the background, reading the terminal would stop the process again.
    stdin.pause();
    stdin.setRawMode(false);
    process.kill(process.pid, "SIGTSTP");
  };
  const resumeReading = (): void => {
    if (!isInForeground()) return;
    stdin.setRawMode(true);
    stdin.resume();
  };
  stdin.setEncoding("utf8");
  stdin.setRawMode(true);
  stdin.on("data", listen);
  stdin.resume();
  process.on("SIGCONT", resumeReading);
  let isEnded = false;
  return () => {
    if (isEnded) return;
    isEnded = true;
    process.off("SIGCONT", resumeReading);
    stdin.off("data", listen);
    // In the background the process cannot restore the terminal; the shell has already restored it.
    if (isInForeground()) stdin.setRawMode(false);
    stdin.pause();
  };
}

/** Whether this process is in the terminal's foreground group: by proc(5), elsewhere by the plus that `ps` prints. */
function isInForeground(): boolean {
  if (process.platform === "win32") return true;
  try {
    const stat = readFileSync("/proc/self/stat", "utf8");
    // Fields after the command's name, which is in parentheses: state, parent, group, session, terminal, its group.
    const [, , group, , , terminalGroup] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return group === terminalGroup;
  } catch {
    const { stdout } = spawnSync("ps", ["-o", "stat=", "-p", String(process.pid)], { encoding: "utf8" });
    return (stdout ?? "").includes("+");
  }
}
