// A run in a process of its own that somebody steers, and that is killed after that. Arguments: the built library, the
// scenario's file, the recording, the pace.
import { readFileSync } from "node:fs";

const [library, file, recording, pace] = process.argv.slice(2);
const { parseScenario, runScenario } = await import(library);
const { scenario } = parseScenario(readFileSync(file, "utf8"), { file, nowMs: 0 });

const pausing =
  pace === "lockstep" || pace === "max"
    ? []
    : [
        { events: 50, act: ({ hands }) => hands.pause() },
        { events: 50, act: ({ hands }) => hands.resume() },
      ];
const hands = [
  { events: 30, act: ({ hands }) => hands.perform("traffic", { times: "3x" }) },
  ...pausing,
  { events: 90, act: ({ hands }) => hands.perform("text", { from: "farmers/3", to: "clinic/0", body: "by hand" }) },
  { events: 150, act: () => process.kill(process.pid, "SIGKILL") },
];

await runScenario(scenario, {
  recording,
  pace,
  onStart: (start) => {
    setInterval(() => {
      if (start.progress().events > hands[0].events) hands.shift().act(start);
    }, 1);
  },
});
