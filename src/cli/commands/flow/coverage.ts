import { Command, InvalidArgumentError } from "commander";
import { coverageCounts, coveredShare, type NodeCoverage } from "../../../flow/index.js";
import { type RecordedFlowCoverage, recordedCoverage } from "../../../inspect/index.js";
import { list } from "../../options/values.js";
import { count } from "../../printing/numbers.js";
import type { ExitCode, Io } from "../../terminal/io.js";

interface Flags {
  readonly flow: readonly string[];
  readonly min?: number;
  readonly all?: true;
  readonly json?: true;
}

/** `handset flow coverage`: what the runs of a recording have reached of its flows. */
export function coverageCommand(io: Io, end: (code: ExitCode) => void): Command {
  return new Command("coverage")
    .summary("list the nodes, exits and categories of flows that a run reached")
    .description(
      "Reads the runs of flows in a recording. Prints for each flow how often its nodes, exits and categories were " +
        "reached, and which never were. The share counts all three together.",
    )
    .argument("<recording>", "file of the recording")
    .option("--flow <flow>", "only this flow: name or UUID; repeatable", list, [])
    .option("--min <share>", "exit 1 if less than this share was reached, such as 80%", share)
    .option("--all", "also list what was reached, and flows without a run")
    .option("--json", "print the result as one JSON object")
    .action((path: string, flags: Flags) => {
      const flows = recordedCoverage(path, { flows: flags.flow });
      const counts = coverageCounts(flows);
      const covered = coveredShare(counts);
      if (flags.json === true) {
        const shown = flows.map((flow) => ({ ...flow, covered: coveredShare(flow.counts) }));
        io.stdout.write(`${JSON.stringify({ covered, counts, flows: shown })}\n`);
      } else io.stdout.write(coverageText(flows, { listsAll: flags.all === true, namesFlows: flags.flow.length > 0 }));
      const isEnough = flags.min === undefined || covered >= flags.min;
      if (!isEnough) {
        io.stderr.write(
          `handset: ${percent(covered)} of the flows was reached, less than ${percent(flags.min ?? 0)}\n`,
        );
      }
      end(isEnough ? 0 : 1);
    });
}

/** A share such as `80%`, as 0..1. */
function share(text: string): number {
  const number = Number(/^(\d+(?:\.\d+)?)%$/.exec(text)?.[1]);
  if (!(number >= 0 && number <= 100)) throw new InvalidArgumentError(`it must be a share such as 80%, got '${text}'.`);
  return number / 100;
}

function coverageText(
  flows: readonly RecordedFlowCoverage[],
  { listsAll, namesFlows }: { readonly listsAll: boolean; readonly namesFlows: boolean },
): string {
  const shown = flows.filter(({ runs }) => runs > 0 || listsAll || namesFlows);
  const idle = flows.length - shown.length;
  const lines = [
    ...shown.flatMap((flow) => [...flowLines(flow, listsAll), ""]),
    ...(idle === 0 ? [] : [`${counted(idle, "flow")} without a run (--all lists ${idle === 1 ? "it" : "them"})`]),
    `${percent(coveredShare(coverageCounts(flows)))} of ${counted(flows.length, "flow")} was reached`,
  ];
  return `${lines.join("\n")}\n`;
}

function flowLines(
  { name, runs, nodes, counts, problem, unknownSteps }: RecordedFlowCoverage,
  listsAll: boolean,
): string[] {
  if (problem !== undefined) return [`${name}: ${counted(runs, "run")}; the definition cannot be read: ${problem}`];
  const kinds = (["nodes", "exits", "categories"] as const).map(
    (kind) => `${kind} ${counts[kind].reached}/${counts[kind].all}`,
  );
  const replaced =
    unknownSteps === 0 ? [] : [`  ${counted(unknownSteps, "step")} at nodes that the flow does not have any more`];
  return [
    `${name}: ${percent(coveredShare(counts))} in ${counted(runs, "run")}: ${kinds.join(", ")}`,
    ...replaced,
    ...nodes.flatMap((node) => nodeLines(node, listsAll)),
  ];
}

/** A line for the node and one for each of its parts; only those never reached, unless all are wanted. */
function nodeLines({ uuid, title, visits, exits, categories }: NodeCoverage, listsAll: boolean): string[] {
  const parts = [
    ...categories.map(({ name, chosen }) => ({ what: `category ${name}`, times: chosen })),
    // A router's exits follow from its categories.
    ...(categories.length > 0 ? [] : exits.map(({ taken }) => ({ what: "exit", times: taken }))),
  ];
  const head = `  ${timesText(visits)}  ${title === "" ? uuid : title}`;
  if (visits === 0 && !listsAll) return [head];
  const told = parts.filter(({ times }) => listsAll || times === 0);
  if (told.length === 0 && !listsAll) return [];
  return [head, ...told.map(({ what, times }) => `    ${timesText(times)}  ${what}`)];
}

function timesText(times: number | null): string {
  return (times === null ? "unknown" : times === 0 ? "never" : `${count(times)}x`).padStart(7);
}

function percent(covered: number): string {
  return `${Math.floor(covered * 1000) / 10}%`;
}

function counted(value: number, one: string): string {
  return `${count(value)} ${value === 1 ? one : `${one}s`}`;
}
