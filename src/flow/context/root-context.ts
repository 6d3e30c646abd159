import {
  ArrayValue,
  Decimal,
  fromJson,
  objectValue,
  type ObjectValue,
  readJson,
  type Value,
} from "../../expression/index.js";
import type { SessionContact } from "../contact-state.js";
import type { ContextHost } from "../host.js";
import type { Input, Run, Session } from "../session.js";
import type { Trigger } from "../trigger.js";
import { channelContext, contactContext, fieldsContext, shownUrn, urnsContext } from "./contact-context.js";
import { ComputedObject, type ComputedProperties } from "./computed-object.js";
import { instantValue } from "./instants.js";
import { legacyExtra } from "./legacy-extra.js";
import { nodeContext, relatedRun, runContext, summarisedRun } from "./run-context.js";
import { resultsContext } from "./results-context.js";

/** Source of a run's root context. It is read at each look-up, so that one context serves a whole sprint. */
export interface ContextSource {
  readonly session: Session;
  readonly contact: SessionContact;
  readonly host: ContextHost;
}

interface RootSource {
  readonly source: ContextSource;
  /** Index of the run whose templates are evaluated. */
  readonly index: number;
}

const rootProperties: ComputedProperties<RootSource> = {
  contact: ({ source: { contact, host } }) => contactContext(contact, host),
  fields: ({ source: { contact, host } }) => fieldsContext(contact, host.assets),
  urns: ({ source: { contact, host } }) => urnsContext(contact, host),
  results: (root) => resultsContext(runOf(root).results),
  input: ({ source: { session, host } }) => inputContext(session.input, host),
  run: (root) => runContext(sourceOf(root.source, runOf(root))),
  child: childContext,
  parent: parentContext,
  trigger: ({ source }) => triggerContext(source.session.trigger),
  resume: ({ source }) => resumeContext(source.session.resume),
  node: (root) => nodeContext(runOf(root)),
  webhook: (root) => {
    const run = runOf(root);
    return webhookContext(run, root.source.host.assets.flow(run.flow.uuid)?.isWebhookBody ?? true);
  },
  globals: ({ source }) => objectValue(source.host.assets.globals),
  legacy_extra: (root) => legacyExtra(root.source.session, runOf(root)),
  ticket: () => null,
  locals: (root) => objectValue(runOf(root).locals ?? {}),
};

/** The roots of a session that was started with embedded data (docs/reference/flows.md#embedded-data). */
const rootsWithEmbed: ComputedProperties<RootSource> = {
  ...rootProperties,
  embed: ({ source }) => fromJson(source.session.trigger.embed),
};

/** The roots of a run's templates. Each is made when a template looks it up. */
export function rootContext(source: ContextSource, index: number): ObjectValue {
  const { embed = null } = source.session.trigger;
  return new ComputedObject(embed === null ? rootProperties : rootsWithEmbed, { source, index });
}

function runOf({ source, index }: RootSource): Run {
  const found = source.session.runs[index];
  if (found === undefined) throw new RangeError(`session has no run ${index}`);
  return found;
}

function sourceOf({ contact, host }: ContextSource, run: Run): Parameters<typeof runContext>[0] {
  return { run, flow: host.assets.flow(run.flow.uuid), contact, host };
}

/** The last run that this run started. */
function childContext({ source, index }: RootSource): Value {
  const child = source.session.runs.findLast(({ parent }) => parent === index);
  return child === undefined ? null : relatedRun(sourceOf(source, child));
}

function parentContext(root: RootSource): Value {
  const { source } = root;
  const run = runOf(root);
  const parent = run.parent === undefined ? undefined : source.session.runs[run.parent];
  if (parent !== undefined) return relatedRun(sourceOf(source, parent));
  const summary = source.session.trigger.runSummary;
  return summary === undefined ? null : summarisedRun(summary, source.host);
}

function inputContext(input: Input | undefined, host: ContextHost): Value {
  if (input === undefined) return null;
  return new ComputedObject(inputProperties, { input, host }, () =>
    [input.text, ...(input.attachments ?? []).map((attachment) => attachment.slice(attachment.indexOf(":") + 1))]
      .filter((part) => part !== "")
      .join("\n"),
  );
}

const inputProperties: ComputedProperties<{ readonly input: Input; readonly host: ContextHost }> = {
  type: () => "msg",
  uuid: ({ input }) => input.uuid,
  created_on: ({ input }) => instantValue(input.createdAtMs),
  channel: ({ input, host }) => {
    const channel = input.channel === undefined ? undefined : host.assets.channel(input.channel.uuid);
    return channel === undefined ? null : channelContext(channel);
  },
  urn: ({ input: { urn = "" }, host }) => (urn === "" ? null : shownUrn(urn, host)),
  text: ({ input }) => input.text,
  attachments: ({ input }) => new ArrayValue(input.attachments ?? []),
  external_id: ({ input }) => input.externalId ?? "",
};

function triggerContext(trigger: Trigger): Value {
  return new ComputedObject(triggerProperties, trigger);
}

const triggerProperties: ComputedProperties<Trigger> = {
  type: ({ type }) => type,
  params: ({ params }) => (params === undefined || params === null ? objectValue({}) : fromJson(params)),
  keyword: ({ keyword }) => keyword?.keyword ?? "",
  user: ({ user }) => user ?? null,
  origin: ({ origin }) => origin ?? "",
  campaign: ({ campaign }) =>
    campaign === undefined ? null : objectValue({ uuid: campaign.uuid, name: campaign.name }, campaign.name),
};

function resumeContext(resume: Session["resume"]): Value {
  if (resume === undefined) return null;
  const { type, dial } = resume;
  return objectValue({
    type,
    dial:
      dial === undefined
        ? null
        : objectValue({ status: dial.status, duration: new Decimal(dial.duration) }, dial.status),
  });
}

/**
 * `@webhook`. Before spec version 13.3: the parsed body, or an empty object without a webhook. Since 13.3: an object,
 * or null.
 */
function webhookContext({ webhook }: Run, isBody: boolean): Value {
  const json = webhook?.json === undefined ? null : readJson(webhook.json);
  if (isBody) return json ?? objectValue({});
  if (webhook === undefined) return null;
  const { call, status, headers } = webhook;
  return objectValue({ status: new Decimal(status), headers: objectValue(headers), json }, call);
}
