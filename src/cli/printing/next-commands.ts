import type { NextCommand } from "../../report/index.js";

/**
 * Commands to try after a run.
 *
 * @param run - `file`: the scenario; absent: a recording was resumed; `targets`: from `deliveryTargets`
 */
export function nextCommands(run: {
  readonly file: string | undefined;
  readonly recording: string | null;
  readonly targets: readonly string[];
}): NextCommand[] {
  const { file, recording, targets } = run;
  const isOwn = (target: string): boolean => target !== "bundled" && target !== "none";
  // -r does not apply to groups that have their own receiver.
  const isUnreceived = !targets.every(isOwn);
  const next: NextCommand[] = [];
  if (recording !== null) {
    const about = "every event with its attempts, as JSON lines";
    next.push({ command: `npx handset events ${recording}`, about });
  }
  if (recording !== null && targets.some(isOwn)) {
    const about = "your receiver's own records against what was delivered";
    next.push({ command: `npx handset reconcile ${recording} your-table.csv`, about });
  }
  if (isUnreceived && file !== undefined) {
    next.push({ command: `npx handset run ${file} -r http://127.0.0.1:8080/`, about: "against your own receiver" });
  } else if (recording !== null) {
    next.push({ command: `npx handset report ${recording}`, about: "this summary again" });
  }
  return [...next, { command: "npx handset new my-day.yaml", about: "a scenario of your own to begin with" }];
}
