import { readInstant } from "../contact/contact-json.js";
import type { OrgEnvironment } from "../host.js";
import type { NamedReference } from "../named-reference.js";
import { DefinitionError, type DefinitionProblem } from "../read/definition-error.js";
import { isRecord, JsonObject } from "../read/json-object.js";
import type { RunSummary } from "../run-summary.js";
import type { IncomingMessage, Resume, Trigger } from "../trigger.js";

const dateFormats = ["YYYY-MM-DD", "DD-MM-YYYY", "MM-DD-YYYY"] as const;

/** Reads an environment; what is missing has the defaults of the flow commands. */
export function readEnvironment(json: unknown): OrgEnvironment {
  return checked("environment", json ?? {}, (environment) => {
    const dateFormat = environment.text("date_format") || "YYYY-MM-DD";
    const known = dateFormats.find((format) => format === dateFormat);
    if (known === undefined) environment.addProblem("date_format", `must be one of ${dateFormats.join(", ")}`);
    const preferred = environment.text("default_language");
    const others = environment.texts("allowed_languages").filter((language) => language !== preferred);
    const numbers = environment.object("number_format");
    const country = environment.text("default_country");
    const redaction = environment.text("redaction_policy") || "none";
    if (redaction !== "none" && redaction !== "urns") {
      environment.addProblem("redaction_policy", `must be none or urns, got ${redaction}`);
    }
    return {
      timezone: environment.text("timezone") || "UTC",
      dateFormat: known ?? "YYYY-MM-DD",
      timeFormat: environment.text("time_format") || "tt:mm",
      allowedLanguages: preferred === "" ? others : [preferred, ...others],
      ...(country !== "" && { defaultCountry: country }),
      hidesUrns: redaction === "urns",
      numberFormat: numbers && {
        decimal: numbers.text("decimal_symbol") || ".",
        grouping: numbers.text("digit_grouping_symbol") || ",",
      },
    };
  });
}

const triggerTypes = ["manual", "msg", "campaign", "channel", "flow_action", "optin", "ticket", "schedule"] as const;

/** Reads a trigger. @param nowMs - default of `triggered_on` */
export function readTrigger(json: unknown, nowMs: number): Trigger {
  return checked("trigger", json, (trigger) => {
    const type = trigger.neededText("type");
    const known = triggerTypes.find((name) => name === type);
    if (known === undefined) trigger.addProblem("type", `must be one of ${triggerTypes.join(", ")}, got ${type}`);
    const msg = trigger.object("msg");
    if (known === "msg" && msg === undefined) trigger.addProblem("msg", "is missing");
    const match = trigger.object("keyword_match");
    const summary = trigger.object("run_summary");
    if (known === "flow_action" && summary === undefined) trigger.addProblem("run_summary", "is missing");
    const history = trigger.object("history");
    const params: unknown = trigger.raw("params");
    const embed: unknown = trigger.raw("embed");
    const user = userOf(trigger.raw("user"));
    const origin = trigger.text("origin");
    const campaign = trigger.object("event")?.object("campaign") ?? trigger.object("campaign");
    return {
      type: known ?? "manual",
      flow: referenceOf(trigger.requireObject("flow")),
      triggeredAtMs: readInstant(trigger.raw("triggered_on")) ?? nowMs,
      msg: msg && readMessage(msg),
      keyword: match && {
        type: match.text("type") === "only_word" ? "only_word" : "first_word",
        keyword: match.neededText("keyword"),
      },
      params,
      embed,
      runSummary: summary && summaryOf(trigger.raw("run_summary")),
      ...((trigger.isTrue("batch") || trigger.isTrue("batch_start")) && { isBatch: true }),
      history: history && {
        parentUuid: history.text("parent_uuid"),
        ancestors: history.number("ancestors", 0),
        ancestorsSinceInput: history.number("ancestors_since_input", 0),
      },
      campaign: campaign && referenceOf(campaign),
      user,
      ...(origin !== "" && { origin }),
    };
  });
}

/** Reads a resume; `run_expiration` is the older name of wait_expiration. */
export function readResume(json: unknown, nowMs: number): Resume {
  return checked("resume", json, (resume): Resume => {
    const type = resume.neededText("type");
    const resumedAtMs = readInstant(resume.raw("resumed_on")) ?? nowMs;
    if (type === "msg") return { type, resumedAtMs, msg: readMessage(resume.requireObject("msg")) };
    if (type === "wait_timeout") return { type, resumedAtMs };
    if (type === "wait_expiration" || type === "run_expiration") return { type: "wait_expiration", resumedAtMs };
    if (type !== "dial") resume.addProblem("type", `must be msg, wait_timeout, wait_expiration or dial, got ${type}`);
    const dial = resume.object("dial");
    const status = dial?.text("status");
    const isKnown = status === "answered" || status === "no_answer" || status === "busy";
    return {
      type: "dial",
      resumedAtMs,
      dial: { status: isKnown ? status : "failed", duration: dial?.number("duration", 0) ?? 0 },
    };
  });
}

function readMessage(msg: JsonObject): IncomingMessage {
  const [uuid, urn, externalId] = [msg.text("uuid"), msg.text("urn"), msg.text("external_id")];
  const channel = msg.object("channel");
  const attachments = msg.texts("attachments");
  return {
    ...(uuid !== "" && { uuid }),
    text: msg.text("text"),
    ...(attachments.length > 0 && { attachments }),
    ...(urn !== "" && { urn }),
    channel: channel && referenceOf(channel),
    ...(externalId !== "" && { externalId }),
  };
}

function referenceOf(item: JsonObject): NamedReference {
  return { uuid: item.neededText("uuid"), name: item.text("name") };
}

function userOf(json: unknown): string | undefined {
  if (typeof json === "string" && json !== "") return json;
  if (!isRecord(json)) return undefined;
  const name = json["name"] ?? json["email"];
  return typeof name === "string" ? name : undefined;
}

function summaryOf(json: unknown): RunSummary {
  return checked("run_summary", json, (summary) => {
    const results = summary.raw("results");
    const contact = summary.raw("contact");
    return {
      uuid: summary.text("uuid"),
      flow: referenceOf(summary.requireObject("flow")),
      ...(isRecord(contact) && { contact }),
      status: summary.text("status"),
      ...(isRecord(results) && {
        results: Object.fromEntries(
          Object.entries(results).flatMap(([key, value]) => (isRecord(value) ? [[key, value]] : [])),
        ),
      }),
    };
  });
}

/** @throws DefinitionError with all that is wrong */
function checked<Read>(place: string, json: unknown, read: (object: JsonObject) => Read): Read {
  const problems: DefinitionProblem[] = [];
  const found = read(new JsonObject(place, json, problems));
  if (problems.length > 0) throw new DefinitionError(problems);
  return found;
}
