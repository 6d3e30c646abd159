import type { AttemptedTuple, EventSelection, RecordingReader } from "../../store/index.js";
import { isForwarded, redactedUrl } from "../../wire/index.js";
import { FormJson } from "./form-json.js";
import { JsonBytes, jsonNumber, jsonText, JsonTexts } from "./json-bytes.js";

/** Bytes in one piece of output; its last line may exceed them. */
const PIECE_BYTES = 1 << 18;

/**
 * Events of a recording as JSON lines, in the order of virtual time, with control characters escaped: pieces of whole
 * lines in UTF-8, none of them empty. `handset events --help` lists the properties.
 *
 * Lines are made of the rows' own texts. Building objects and stringifying them takes three times as long.
 */
export function* eventLines(recording: RecordingReader, selection: EventSelection = {}): Generator<Uint8Array> {
  const writer = new EventLines(recording);
  const out = new JsonBytes(PIECE_BYTES + (PIECE_BYTES >> 3));
  for (const tuples of recording.attemptedEvents(selection)) {
    for (let index = 0; index < tuples.length;) {
      index = writer.append(out, tuples, index);
      if (out.length >= PIECE_BYTES) yield out.take();
    }
  }
  if (out.length > 0) yield out.take();
}

class EventLines {
  readonly #recording: RecordingReader;
  readonly #handsets: ReadonlyMap<number, { readonly name: string; readonly forwards?: readonly string[] }>;
  readonly #byHand: ReadonlySet<string>;
  readonly #texts = new JsonTexts();
  /** URLs by target row; empty until the row was read. */
  readonly #urls: string[] = [];
  readonly #forms = new FormJson();

  constructor(recording: RecordingReader) {
    this.#recording = recording;
    this.#handsets = new Map(Array.from(recording.channels(), (channel) => [channel.id, channel]));
    this.#byHand = recording.triesByHand();
  }

  /** Appends the line of the event at `first`. @returns the index of the next event */
  append(out: JsonBytes, tuples: readonly AttemptedTuple<string>[], first: number): number {
    const tuple = tuples[first] as AttemptedTuple<string>;
    const [row, channel, number, atMs, type, body] = tuple;
    const [copyOf, copyCause, firstTry] = [tuple[7], tuple[8], tuple[9]];
    const handset = this.#handsets.get(channel);
    const id = `${channel}/${number}`;
    let attempts = "";
    let next = first;
    for (let one = tuples[next]; one?.[0] === row; one = tuples[++next]) {
      if (one[9] !== null) attempts += (attempts === "" ? "" : ",") + this.#attempt(one, id, one[9]);
    }
    const copy =
      copyOf === null || copyCause === null
        ? ""
        : `,"copyOf":"${channel}/${copyOf}","copyCause":${this.#texts.of(copyCause)}`;
    const notForwarded = firstTry === null && !isForwarded(type, handset?.forwards) ? `,"notForwarded":true` : "";
    const name = handset === undefined ? "null" : this.#texts.of(handset.name);
    out.append(
      `{"at":${atMs},"channel":${channel},"type":${this.#texts.of(type)},"body":${jsonText(body)},"attempts":[${attempts}],"id":"${id}"` +
        `${copy}${notForwarded},"handset":${name},"fields":`,
    );
    this.#forms.append(out, type, body);
    out.appendPlain("}\n");
    return next;
  }

  #attempt(tuple: AttemptedTuple<string>, id: string, tryNumber: number): string {
    const [target, dueAtMs, effectAtMs, status] = [tuple[10], tuple[11], tuple[12], tuple[13]];
    const [error, outcome, durationMs] = [tuple[14], tuple[15], tuple[16]];
    const [sentWallMs, answer] = [tuple[18], tuple[19]];
    const ended = status === null ? `"error":${this.#texts.of(error ?? outcome)}` : `"status":${status}`;
    const sent = sentWallMs === null ? "null" : rounded(sentWallMs);
    const answered = sentWallMs === null || status === null ? "null" : rounded(sentWallMs + durationMs);
    return (
      `{${ended},"ms":${rounded(durationMs)},"try":${tryNumber},"outcome":${this.#texts.of(outcome)}` +
      `,"due":${dueAtMs},"effect":${effectAtMs},"sentMs":${sent},"answeredMs":${answered}` +
      this.#url(target) +
      (answer === null ? "" : `,"answer":${this.#texts.of(answer)}`) +
      (this.#byHand.size > 0 && this.#byHand.has(`${id} ${tryNumber}`) ? `,"byHand":true}` : "}")
    );
  }

  #url(target: number | null): string {
    let json = this.#urls[target ?? 0];
    if (json === undefined) {
      this.#urls[target ?? 0] = json = `,"url":${jsonText(redactedUrl(this.#recording.targetUrl(target)))}`;
    }
    return json;
  }
}

/** The decimals of 0 to 999 thousandths: `.05` for 50. */
const decimals = Array.from({ length: 1000 }, (_, thousandths) => String(thousandths / 1000).slice(1));

/** JSON of milliseconds, rounded to microseconds. Whole numbers are printed in a third of the time of fractions. */
function rounded(ms: number): string {
  const us = Math.round(ms * 1000);
  return us >= 0 && us < 1e15 ? `${Math.floor(us / 1000)}${decimals[us % 1000]}` : jsonNumber(us / 1000);
}
