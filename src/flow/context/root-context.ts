import {
  ArrayValue,
  Decimal,
  fromJson,
  lazyObject,
  objectValue,
  type ObjectValue,
  readJson,
  type Value,
} from "../../expression/index.js";
import { withoutQuery } from "../contact/contact-urn.js";
import type { ContactState } from "../contact-state.js";
import type { Assets } from "../host.js";
import type { Input, Run, Session } from "../session.js";
import type { Trigger } from "../trigger.js";
import { channelContext, contactContext, fieldsContext, urnsContext } from "./contact-context.js";
import { instantValue } from "./instants.js";
import { legacyExtra } from "./legacy-extra.js";
import { nodeContext, relatedRun, runContext, summarisedRun } from "./run-context.js";
import { resultsContext } from "./results-context.js";

/** What the roots of a run are made from; read at each look-up, so that one context serves a whole sprint. */
export interface ContextSource {
  readonly session: Session;
  readonly contact: ContactState;
  readonly assets: Assets;
}

/** Names of the roots (docs/reference/flows.md#context-roots). */
export const contextRoots = [
  "contact",
  "fields",
  "urns",
  "results",
  "input",
  "run",
  "child",
  "parent",
  "trigger",
  "resume",
  "node",
  "webhook",
  "globals",
  "legacy_extra",
  "ticket",
  "locals",
] as const;

/** The roots of a run's templates. Each is made when a template looks it up. */
export function rootContext(source: ContextSource, runIndex: number): ObjectValue {
  const run = (): Run => {
    const found = source.session.runs[runIndex];
    if (found === undefined) throw new RangeError(`session has no run ${runIndex}`);
    return found;
  };
  const { assets } = source;
  return lazyObject(() => ({
    get contact() {
      return contactContext(source.contact, assets);
    },
    get fields() {
      return fieldsContext(source.contact, assets);
    },
    get urns() {
      return urnsContext(source.contact);
    },
    get results() {
      return resultsContext(run().results);
    },
    get input() {
      return inputContext(source.session.input, assets);
    },
    get run() {
      return runContext(run(), assets.flow(run().flow.uuid), source.contact, assets);
    },
    get child() {
      return childContext(source, runIndex);
    },
    get parent() {
      return parentContext(source, run());
    },
    get trigger() {
      return triggerContext(source.session.trigger);
    },
    get resume() {
      return resumeContext(source.session.resume);
    },
    get node() {
      return nodeContext(run());
    },
    get webhook() {
      return webhookContext(run(), assets.flow(run().flow.uuid)?.isWebhookBody ?? true);
    },
    get globals() {
      return objectValue(assets.globals);
    },
    get legacy_extra() {
      return legacyExtra(source.session, run());
    },
    ticket: null,
    get locals() {
      return objectValue(run().locals ?? {});
    },
  }));
}

/** The last run that this run started. */
function childContext({ session, contact, assets }: ContextSource, runIndex: number): Value {
  const child = session.runs.findLast(({ parent }) => parent === runIndex);
  return child === undefined ? null : relatedRun(child, assets.flow(child.flow.uuid), contact, assets);
}

function parentContext({ session, contact, assets }: ContextSource, run: Run): Value {
  const parent = run.parent === undefined ? undefined : session.runs[run.parent];
  if (parent !== undefined) return relatedRun(parent, assets.flow(parent.flow.uuid), contact, assets);
  const summary = session.trigger.runSummary;
  return summary === undefined ? null : summarisedRun(summary, assets);
}

function inputContext(input: Input | undefined, assets: Assets): Value {
  if (input === undefined) return null;
  const attachments = input.attachments ?? [];
  return lazyObject(
    () => ({
      type: "msg",
      uuid: input.uuid,
      get created_on() {
        return instantValue(input.createdAtMs);
      },
      get channel() {
        const channel = input.channel === undefined ? undefined : assets.channel(input.channel.uuid);
        return channel === undefined ? null : channelContext(channel);
      },
      urn: input.urn === undefined || input.urn === "" ? null : withoutQuery(input.urn),
      text: input.text,
      get attachments() {
        return new ArrayValue(attachments);
      },
      external_id: input.externalId ?? "",
    }),
    () =>
      [input.text, ...attachments.map((attachment) => attachment.slice(attachment.indexOf(":") + 1))]
        .filter((part) => part !== "")
        .join("\n"),
  );
}

function triggerContext(trigger: Trigger): Value {
  const { campaign } = trigger;
  return lazyObject(() => ({
    type: trigger.type,
    get params() {
      return trigger.params === undefined || trigger.params === null ? objectValue({}) : fromJson(trigger.params);
    },
    keyword: trigger.keyword?.keyword ?? "",
    user: trigger.user ?? null,
    origin: trigger.origin ?? "",
    campaign: campaign === undefined ? null : objectValue({ uuid: campaign.uuid, name: campaign.name }, campaign.name),
  }));
}

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

/** `@webhook`: before 13.3 the body itself, and an empty object instead of none; since then an object, or null. */
function webhookContext({ webhook }: Run, isBody: boolean): Value {
  const json = webhook?.json === undefined ? null : readJson(webhook.json);
  if (isBody) return json ?? objectValue({});
  if (webhook === undefined) return null;
  return objectValue({
    status: new Decimal(webhook.status),
    headers: objectValue(webhook.headers),
    json,
  });
}
