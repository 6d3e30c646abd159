import { LabError } from "../base/index.js";
import {
  type CoverageCounts,
  type CoveredRun,
  coverageCounts,
  type FlowCoverage,
  flowCoverage,
  readAnyDefinition,
} from "../flow/index.js";
import { openRecording, type RecordedFlowRun } from "../store/index.js";

/** The coverage of one flow of a recording. */
export interface RecordedFlowCoverage extends FlowCoverage {
  readonly uuid: string;
  readonly name: string;
  readonly counts: CoverageCounts;
  /** Why the definition cannot be read; such a flow has no nodes. Absent when it can be read. */
  readonly problem?: string;
}

/**
 * Which nodes, exits and categories of a recording's flows were reached, in the order of the flows.
 *
 * @param options - `flows`: names or UUIDs; absent: all
 * @throws LabError `bad-options` for a flow that the recording does not have; StoreError
 */
export function recordedCoverage(
  path: string,
  options: { readonly flows?: readonly string[] } = {},
): RecordedFlowCoverage[] {
  const reader = openRecording(path);
  try {
    const flows = [...reader.flows()];
    const wanted = (options.flows ?? []).map((flow) => flow.toLowerCase());
    const names = new Set(flows.flatMap(({ uuid, name }) => [uuid.toLowerCase(), name.toLowerCase()]));
    const unknown = wanted.find((flow) => !names.has(flow));
    if (unknown !== undefined) {
      throw new LabError("bad-options", `${path} has no flow '${unknown}'`, {
        hint:
          flows.length === 0 ? "its account has no flows" : `its flows: ${flows.map(({ name }) => name).join(", ")}`,
      });
    }
    const runs = new Map<number, CoveredRun[]>();
    for (const run of reader.flowRuns()) {
      const ofFlow = runs.get(run.flow);
      if (ofFlow === undefined) runs.set(run.flow, [coveredRun(run)]);
      else ofFlow.push(coveredRun(run));
    }
    return flows
      .filter(
        ({ uuid, name }) =>
          wanted.length === 0 || wanted.includes(uuid.toLowerCase()) || wanted.includes(name.toLowerCase()),
      )
      .map(({ id, uuid, name, definition }) => {
        const read = readAnyDefinition(definition);
        const ofFlow = runs.get(id) ?? [];
        const coverage =
          "fault" in read
            ? { runs: ofFlow.length, nodes: [], unknownSteps: 0, problem: read.fault }
            : flowCoverage(read.definition, ofFlow);
        return { uuid, name, ...coverage, counts: coverageCounts([coverage]) };
      });
  } finally {
    reader.close();
  }
}

function coveredRun({ path, answers, exit }: RecordedFlowRun): CoveredRun {
  return { path, answers, isCompleted: exit === "completed" };
}
