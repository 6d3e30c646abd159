import { setOwnValue } from "../../wire/index.js";
import type { ActionDefinition } from "../action-definitions.js";
import type { HttpAnswer, HttpCall } from "../host.js";
import { byteLength, isKeptAsExtra } from "../engine/answer-size.js";
import { saveResult } from "../engine/results.js";
import type { RunningSprint } from "../engine/running-sprint.js";

type WebhookAction = Extract<ActionDefinition, { type: "call_webhook" }>;
type ResthookAction = Extract<ActionDefinition, { type: "call_resthook" }>;

type CallStatus = "success" | "response_error" | "connection_error" | "subscriber_gone";

/** Suspends the sprint for the HTTP request of a webhook. An empty or invalid URL logs an error event instead. */
export function beginWebhook(sprint: RunningSprint, action: WebhookAction): void {
  const url = sprint.evaluate(action.url).text.trim();
  if (url === "") return sprint.logError("webhook URL evaluated to empty string");
  if (!isHttpUrl(url)) return sprint.logError(`webhook URL evaluated to an invalid URL: '${url}'`);
  const body = action.body === "" ? "" : sprint.evaluate(action.body, { isCut: false }).text;
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(action.headers)) setOwnValue(headers, name, sprint.evaluate(value).text);
  sprint.calls = [{ method: action.method.toUpperCase(), url, headers, body }];
}

/** Continues {@link beginWebhook} with the HTTP answer. */
export function finishWebhook(
  sprint: RunningSprint,
  action: WebhookAction,
  [call]: readonly HttpCall[],
  [answer = noAnswer]: readonly HttpAnswer[],
): void {
  if (call === undefined) return;
  const status = statusOf(answer, false);
  logCall(sprint, call, answer, status);
  setWebhook(sprint, action.resultName, call, answer);
  if (action.resultName !== "") saveCallResult(sprint, action.resultName, call, answer);
}

/** Suspends the sprint for the posts to the subscribers of a resthook. Does nothing when no resthook has the slug. */
export function beginResthook(sprint: RunningSprint, action: ResthookAction): void {
  const resthook = sprint.assets.resthook(action.resthook);
  if (resthook === undefined) return;
  const payload = sprint.evaluate(resthookPayload, { isCut: false }).text;
  sprint.log({ type: "resthook_called", resthook: action.resthook, payload: parsedJson(payload) ?? null });
  if (resthook.subscribers.length === 0) {
    const { resultName: name } = action;
    if (name !== "") saveResult(sprint, "call", { name, value: "no subscribers", category: "Failure" });
    return;
  }
  sprint.calls = resthook.subscribers.map((url) => ({
    method: "POST",
    url,
    headers: { "Content-Type": "application/json" },
    body: payload,
  }));
}

/** Continues {@link beginResthook} with the answers, in the order of the subscribers. */
export function finishResthook(
  sprint: RunningSprint,
  action: ResthookAction,
  calls: readonly HttpCall[],
  answers: readonly HttpAnswer[],
): void {
  const made = calls.map((call, index) => {
    const answer = answers[index] ?? noAnswer;
    const status = statusOf(answer, true);
    logCall(sprint, call, answer, status, action.resthook);
    return { call, answer, status };
  });
  const chosen =
    made.findLast(({ status }) => status === "connection_error" || status === "response_error") ??
    made.findLast(({ status }) => status === "success") ??
    made.at(-1);
  if (chosen === undefined) return;
  setWebhook(sprint, action.resultName, chosen.call, chosen.answer);
  if (action.resultName !== "") {
    saveCallResult(sprint, action.resultName, chosen.call, chosen.answer, chosen.status);
  }
}

const noAnswer: HttpAnswer = { status: 0 };

function statusOf({ status }: HttpAnswer, isResthook: boolean): CallStatus {
  if (status === 0) return "connection_error";
  if (isResthook && status === 410) return "subscriber_gone";
  return status >= 200 && status < 300 ? "success" : "response_error";
}

function logCall(
  sprint: RunningSprint,
  call: HttpCall,
  answer: HttpAnswer,
  status: CallStatus,
  resthook?: string,
): void {
  sprint.log({
    type: "webhook_called",
    url: call.url,
    method: call.method,
    status,
    status_code: answer.status,
    request: requestText(call),
    response: responseText(answer),
    elapsed_ms: answer.elapsedMs ?? 0,
    resthook,
  });
}

function setWebhook(sprint: RunningSprint, result: string, { method, url }: HttpCall, answer: HttpAnswer): void {
  const { status, headers, body = "" } = answer;
  sprint.run.webhook = {
    call: `${method} ${url}`,
    status,
    headers: headers ?? {},
    json: parsedJson(body) === undefined ? undefined : body,
    ...(result !== "" && { result }),
  };
}

function saveCallResult(
  sprint: RunningSprint,
  name: string,
  call: HttpCall,
  answer: HttpAnswer,
  status: CallStatus = statusOf(answer, false),
): void {
  const { body = "" } = answer;
  const isJson = isKeptAsExtra(body) && parsedJson(body) !== undefined;
  saveResult(sprint, "call", {
    name,
    value: String(answer.status),
    category: status === "success" ? "Success" : "Failure",
    input: `${call.method} ${call.url}`,
    ...(isJson && { extraJson: body }),
  });
}

/** The parsed JSON; undefined when the text is not JSON. */
function parsedJson(text: string): unknown {
  if (text === "") return undefined;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/** Characters of the URL of a webhook. */
const urlMax = 2048;

function isHttpUrl(text: string): boolean {
  if (text.length > urlMax || !URL.canParse(text)) return false;
  const { protocol, hostname } = new URL(text);
  return /^https?:$/.test(protocol) && hostname !== "";
}

/** The text of a request in HTTP/1.1, as the account sends it. */
function requestText({ method, url, headers, body }: HttpCall): string {
  const { pathname, search, host } = new URL(url);
  const lines = [`${method} ${pathname}${search} HTTP/1.1`, `Host: ${host}`];
  if (body !== "") lines.push(`Content-Length: ${byteLength(body)}`);
  for (const [name, value] of Object.entries(headers).toSorted(([a], [b]) => (a < b ? -1 : 1))) {
    lines.push(`${name}: ${value}`);
  }
  return `${lines.join("\r\n")}\r\n\r\n${body}`;
}

/** The text of an answer in HTTP/1.1; empty when no answer came. */
function responseText({ status, headers, body }: HttpAnswer): string {
  if (status === 0) return "";
  const lines = [`HTTP/1.1 ${status}`, ...Object.entries(headers ?? {}).map(([name, value]) => `${name}: ${value}`)];
  return `${lines.join("\r\n")}\r\n\r\n${body ?? ""}`;
}

/** Template of the request body that the subscribers of a resthook receive: docs/reference/flows.md#call_resthook. */
const resthookPayload = `@(json(object(
  "contact", object("uuid", contact.uuid, "name", contact.name, "urn", contact.urn, "language", contact.language),
  "flow", object("uuid", run.flow.uuid, "name", run.flow.name, "revision", run.flow.revision),
  "path", run.path,
  "results", foreach_value(results, extract_object,
    "category", "category_localized", "created_on", "input", "name", "node_uuid", "value"),
  "run", object("uuid", run.uuid, "created_on", run.created_on),
  "input", if(input,
    object(
      "attachments", foreach(input.attachments, attachment_parts),
      "channel", input.channel,
      "created_on", input.created_on,
      "text", input.text,
      "type", input.type,
      "urn", if(input.urn,
        object(
          "display", default(format_urn(input.urn), ""),
          "path", urn_parts(input.urn).path,
          "scheme", urn_parts(input.urn).scheme),
        null),
      "uuid", input.uuid),
    null),
  "channel", default(input.channel, null))))`;
