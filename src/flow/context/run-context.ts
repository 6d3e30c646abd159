import { ArrayValue, Decimal, lazyObject, objectValue, type Value } from "../../expression/index.js";
import { readContact } from "../contact/contact-json.js";
import type { ContactState } from "../contact-state.js";
import type { FlowDefinition } from "../definition.js";
import type { Assets } from "../host.js";
import type { NamedReference } from "../named-reference.js";
import { isRecord } from "../read/json-object.js";
import type { RunSummary } from "../run-summary.js";
import type { PathStep, Run, RunResult } from "../session.js";
import { readInstant } from "../contact/contact-json.js";
import { contactContext, fieldsContext, readableContact, urnsContext } from "./contact-context.js";
import { instantValue } from "./instants.js";
import { type Results, resultsContext } from "./results-context.js";

/** `@run`: docs/reference/flows.md#context-roots. @param flow - undefined: it is missing */
export function runContext(run: Run, flow: FlowDefinition | undefined, contact: ContactState, assets: Assets): Value {
  return lazyObject(
    () => ({
      uuid: run.uuid,
      get contact() {
        return contactContext(contact, assets);
      },
      get flow() {
        return flowContext(flow ?? run.flow, flow);
      },
      status: run.status,
      get results() {
        return resultsContext(run.results);
      },
      get path() {
        return new ArrayValue(() => run.path.map(stepContext));
      },
      get created_on() {
        return instantValue(run.createdAtMs);
      },
      get exited_on() {
        return run.exitedAtMs === undefined ? null : instantValue(run.exitedAtMs);
      },
    }),
    () => summaryText(contact, flow ?? run.flow),
  );
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

function summaryText(contact: ContactState, { name }: NamedReference): string {
  return `${readableContact(contact)}@${name}`;
}

/** `@node` of the last step of a run; null: the run has no step. */
export function nodeContext({ path }: Run): Value {
  const node = path.at(-1)?.node;
  if (node === undefined) return null;
  return lazyObject(() => ({
    uuid: node,
    visit_count: new Decimal(path.filter((step) => step.node === node).length),
  }));
}

/** A run of the same session as `@child` or `@parent`. */
export function relatedRun(run: Run, flow: FlowDefinition | undefined, contact: ContactState, assets: Assets): Value {
  return relatedContext({ ...run, flow: flow ?? run.flow, contact, revision: flow }, assets);
}

/** The run that started the session, as `@parent`. */
export function summarisedRun(summary: RunSummary, assets: Assets): Value {
  const { uuid, status } = summary;
  const flow = assets.flow(summary.flow.uuid);
  return relatedContext(
    {
      uuid,
      status,
      flow: flow ?? summary.flow,
      revision: flow,
      contact: readContact(summary.contact),
      results: resultsOf(summary),
    },
    assets,
  );
}

interface RelatedRun {
  readonly uuid: string;
  readonly status: string;
  readonly flow: NamedReference;
  readonly revision: FlowDefinition | undefined;
  readonly contact: ContactState;
  readonly results: Results;
}

function relatedContext(run: RelatedRun, assets: Assets): Value {
  const { uuid, status, contact } = run;
  return lazyObject(
    () => ({
      uuid,
      status,
      get contact() {
        return contactContext(contact, assets);
      },
      get fields() {
        return fieldsContext(contact, assets);
      },
      get urns() {
        return urnsContext(contact);
      },
      get flow() {
        return flowContext(run.flow, run.revision);
      },
      get results() {
        return resultsContext(run.results);
      },
      // Most exports route a sub-flow by the older `@child.run.status`.
      get run() {
        return objectValue({ uuid, status });
      },
    }),
    () => summaryText(contact, run.flow),
  );
}

/** Results of a summary in the form of a run. */
function resultsOf(summary: RunSummary): Results {
  const results: Record<string, RunResult> = {};
  for (const [key, json] of Object.entries(summary.results ?? {})) {
    if (!isRecord(json)) continue;
    const text = (name: string): string => {
      const value = json[name];
      return typeof value === "string" ? value : "";
    };
    const localized = text("category_localized");
    results[key] = {
      name: text("name"),
      value: text("value"),
      category: text("category"),
      ...(localized !== "" && { categoryLocalized: localized }),
      node: text("node_uuid"),
      input: text("input"),
      ...(json["extra"] !== undefined && json["extra"] !== null && { extraJson: JSON.stringify(json["extra"]) }),
      createdAtMs: readInstant(json["created_on"]) ?? 0,
    };
  }
  return results;
}
