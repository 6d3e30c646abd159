import { LabError, type OnProgress } from "../../base/index.js";
import { isUnsent } from "../../exact/index.js";
import { importLog } from "../../field/index.js";
import { readNamedFile } from "../../lab/index.js";
import { type ExactRequest, formatDiagnostics, parseExact } from "../../scenario/index.js";
import { isRecording } from "../../serve/index.js";
import { openRecording } from "../../store/index.js";
import { formField, handsetOf, parseForm, subjectOf } from "../../wire/index.js";

/** One request of a source, with what it tells about its place. */
export interface SourceElement {
  readonly request: ExactRequest;
  /** The person's number; undefined: the event has none. */
  readonly person: string | undefined;
  /** The handset as the service names it. */
  readonly handset: string | undefined;
  /** The number of its message or call. */
  readonly subject: string | undefined;
  readonly text: string | undefined;
  /** The recorded answer; undefined: the source has none. */
  readonly recorded: { readonly status: number | null; readonly error: string | null } | undefined;
}

/** The requests of a log or a recording in their order. */
export interface MinimiseSource {
  readonly path: string;
  readonly kind: "log" | "recording";
  readonly elements: readonly SourceElement[];
  /** Lines of a log that are no events. */
  readonly rejected: number;
  /** Whether a reply without a recipient goes to the sender. */
  readonly replyToSender: boolean;
}

/**
 * Reads the requests of a log or of a recording. Those of a log are its events; those of a recording its attempts in the
 * order in which they were due, without those that never reached the receiver.
 *
 * @throws LabError `bad-options`, `not-read`; StoreError
 */
export async function readMinimiseSource(path: string, onProgress?: OnProgress): Promise<MinimiseSource> {
  const source = /\.ya?ml$/i.test(path)
    ? readBugFile(path)
    : isRecording(path)
      ? readRecording(path, onProgress)
      : await readLog(path, onProgress);
  if (source.elements.length > 0) return source;
  throw new LabError(
    "bad-options",
    source.kind === "recording"
      ? `${path}: no request of this recording reached a receiver`
      : `${path} is not a recording, and none of its ${source.rejected} lines is an event`,
    {
      hint:
        source.kind === "recording" ? "play the scenario against a receiver first" : `handset import ${path} says why`,
    },
  );
}

/** The source that exact requests are. @param path - its name in messages */
export function sourceOfRequests(requests: readonly ExactRequest[], path: string): MinimiseSource {
  const elements = requests.map(({ atMs, body, path: to, with: together }) =>
    elementOf({ body, atMs, path: to, isWithPrevious: together !== undefined, recorded: undefined }),
  );
  return { path, kind: "log", elements, rejected: 0, replyToSender: true };
}

/** @throws LabError `bad-options` for a file with errors */
function readBugFile(path: string): MinimiseSource {
  const text = readNamedFile(path);
  const { input, diagnostics } = parseExact(text, path);
  if (input === undefined) {
    throw new LabError(
      "bad-options",
      `${path} is no sound bug file\n${formatDiagnostics(diagnostics, text).trimEnd()}`,
    );
  }
  return sourceOfRequests(input.requests, path);
}

async function readLog(path: string, onProgress: OnProgress | undefined): Promise<MinimiseSource> {
  const log = await importLog([path], { pseudonyms: "off", ...(onProgress !== undefined && { onProgress }) });
  try {
    const elements: SourceElement[] = [];
    let firstMs: number | undefined;
    for (const event of log.events()) {
      firstMs ??= event.atMs;
      const isWithPrevious = event.isWithPrevious === true && elements.length > 0;
      const { answer } = event;
      const recorded =
        answer === undefined || (answer.status === undefined && answer.error === undefined)
          ? undefined
          : { status: answer.status ?? null, error: answer.error === "timeout" ? "ETIMEDOUT" : (answer.error ?? null) };
      elements.push(elementOf({ ...event, atMs: event.atMs - firstMs, isWithPrevious, recorded }));
    }
    const { lines, events } = log.summary;
    return { path, kind: "log", elements, rejected: lines - events, replyToSender: true };
  } finally {
    log.close();
  }
}

function readRecording(path: string, onProgress: OnProgress | undefined): MinimiseSource {
  const recording = openRecording(path, onProgress === undefined ? {} : { onProgress });
  try {
    const sent: {
      readonly dueAtMs: number;
      readonly body: string;
      readonly url: string;
      readonly recorded: SourceElement["recorded"];
    }[] = [];
    // A log without answers does not say what reached the receiver; it was written there.
    const isLog = recording.meta().options["importedFrom"] !== undefined;
    for (const { body, attempts, atMs } of recording.events()) {
      if (isLog && attempts.length === 0) sent.push({ dueAtMs: atMs, body, url: "", recorded: undefined });
      for (const { dueAtMs, url, status, error, sentWallMs } of attempts) {
        if (sentWallMs === null || isUnsent(error)) continue;
        sent.push({ dueAtMs, body, url, recorded: { status, error } });
      }
    }
    sent.sort((a, b) => a.dueAtMs - b.dueAtMs);
    const firstMs = sent[0]?.dueAtMs ?? 0;
    const elements = sent.map(({ dueAtMs, body, url, recorded }) =>
      elementOf({ body, atMs: dueAtMs - firstMs, path: pathOf(url), isWithPrevious: false, recorded }),
    );
    const { replyToSender } = recording.meta().preset;
    return { path, kind: "recording", elements, rejected: 0, replyToSender };
  } finally {
    recording.close();
  }
}

function pathOf(url: string): string | undefined {
  if (!URL.canParse(url)) return undefined;
  const { pathname, search } = new URL(url);
  return pathname + search;
}

function elementOf({
  body,
  atMs,
  path,
  isWithPrevious,
  recorded,
}: {
  readonly body: string;
  readonly atMs: number;
  readonly path?: string | undefined;
  readonly isWithPrevious: boolean;
  readonly recorded: SourceElement["recorded"];
}): SourceElement {
  const field = (name: string): string | undefined => formField(body, name) || undefined;
  const type = field("event") ?? typeWithoutName(body);
  return {
    request: {
      atMs: Math.round(atMs),
      type,
      body,
      ...(path !== undefined && { path }),
      ...(isWithPrevious && { with: "previous" as const }),
    },
    person: field("phone"),
    handset: handsetOf(body),
    subject: subjectOf(body),
    text: field("text"),
    recorded,
  };
}

/** The historic post of a flow names no event (docs/reference/webhook.md#flow-fields). */
function typeWithoutName(body: string): string {
  return parseForm(body).some(([key]) => key === "flow" || key === "values") ? "flow" : "";
}
