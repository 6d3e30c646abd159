import { ArrayValue, Decimal, objectValue, type Value } from "../../expression/index.js";
import { readContact } from "../contact/contact-json.js";
import type { SessionContact } from "../contact-state.js";
import type { FlowDefinition } from "../definition.js";
import type { ContextHost } from "../host.js";
import type { NamedReference } from "../named-reference.js";
import type { RunSummary } from "../run-summary.js";
import type { PathStep, Run } from "../session.js";
import { contactContext, fieldsContext, readableContact, urnsContext } from "./contact-context.js";
import { ComputedObject, type ComputedProperties } from "./computed-object.js";
import { instantValue } from "./instants.js";
import { type Results, resultsContext, resultsOfSummary } from "./results-context.js";

/** Source of a run's context. */
interface RunSource {
  readonly run: Run;
  /** Undefined when the flow no longer exists. */
  readonly flow: FlowDefinition | undefined;
  readonly contact: SessionContact;
  readonly host: ContextHost;
}

const runProperties: ComputedProperties<RunSource> = {
  uuid: ({ run }) => run.uuid,
  contact: ({ contact, host }) => contactContext(contact, host),
  flow: ({ run, flow }) => flowContext(flow ?? run.flow, flow),
  status: ({ run }) => run.status,
  results: ({ run }) => resultsContext(run.results),
  path: ({ run }) => new ArrayValue(() => run.path.map(stepContext)),
  created_on: ({ run }) => instantValue(run.createdAtMs),
  exited_on: ({ run }) => (run.exitedAtMs === undefined ? null : instantValue(run.exitedAtMs)),
};

/** `@run`: docs/reference/flows.md#context-roots. */
export function runContext(source: RunSource): Value {
  return new ComputedObject(runProperties, source, () => summaryText(source, source.flow ?? source.run.flow));
}

function stepContext(step: PathStep): Value {
  return objectValue({
    uuid: step.uuid,
    node_uuid: step.node,
    arrived_on: instantValue(step.arrivedAtMs),
    exit_uuid: step.exit ?? "",
  });
}

function flowContext({ uuid, name }: NamedReference, flow: FlowDefinition | undefined): Value {
  return objectValue({ uuid, name, revision: new Decimal(flow?.revision ?? 0) }, name);
}

function summaryText(
  { contact, host }: Pick<RunSource, "contact" | "host">,
  { name }: Pick<NamedReference, "name">,
): string {
  return `${readableContact(contact, host)}@${name}`;
}

/** `@node` of the last step of a run; null: the run has no step. */
export function nodeContext({ path }: Run): Value {
  const node = path.at(-1)?.node;
  if (node === undefined) return null;
  return new ComputedObject(nodeProperties, { path, node });
}

const nodeProperties: ComputedProperties<{ readonly path: readonly PathStep[]; readonly node: string }> = {
  uuid: ({ node }) => node,
  visit_count: ({ path, node }) => new Decimal(path.filter((step) => step.node === node).length),
};

/** A run of the same session as `@child` or `@parent`. */
export function relatedRun({ run, flow, contact, host }: RunSource): Value {
  const { uuid, status, results } = run;
  return relatedContext({ uuid, status, results, flow: flow ?? run.flow, contact, revision: flow }, host);
}

/** The run that started the session, as `@parent`. */
export function summarisedRun(summary: RunSummary, host: ContextHost): Value {
  const { uuid, status } = summary;
  const flow = host.assets.flow(summary.flow.uuid);
  return relatedContext(
    {
      uuid,
      status,
      flow: flow ?? summary.flow,
      revision: flow,
      contact: readContact(summary.contact),
      results: resultsOfSummary(summary),
    },
    host,
  );
}

interface RelatedRun {
  readonly uuid: string;
  readonly status: string;
  readonly flow: NamedReference;
  readonly revision: FlowDefinition | undefined;
  readonly contact: SessionContact;
  readonly results: Results;
}

function relatedContext(run: RelatedRun, host: ContextHost): Value {
  const { contact } = run;
  return new ComputedObject(relatedProperties, { run, host }, () => summaryText({ contact, host }, run.flow));
}

const relatedProperties: ComputedProperties<{ readonly run: RelatedRun; readonly host: ContextHost }> = {
  uuid: ({ run }) => run.uuid,
  status: ({ run }) => run.status,
  contact: ({ run, host }) => contactContext(run.contact, host),
  fields: ({ run, host }) => fieldsContext(run.contact, host.assets),
  urns: ({ run, host }) => urnsContext(run.contact, host),
  flow: ({ run }) => flowContext(run.flow, run.revision),
  results: ({ run }) => resultsContext(run.results),
  // Most exports route a sub-flow by the older `@child.run.status`.
  run: ({ run: { status } }) => objectValue({ status }),
};
