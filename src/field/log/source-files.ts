import { createReadStream, statSync } from "node:fs";
import { Readable } from "node:stream";
import { StringDecoder } from "node:string_decoder";
import { createGunzip } from "node:zlib";
import { LabError } from "../../base/index.js";

const CHUNK_BYTES = 1 << 18;

/** Bytes at the begin of a source that show its format. */
const HEAD_BYTES = 1 << 16;

/** A file of a field log, or standard input. */
export interface SourceFile {
  /** As the user has given it; `-` is standard input. */
  readonly path: string;
  /** Its name in messages. */
  readonly name: string;
}

/** The text of a source: its begin, to recognise the format, and all of it in chunks. */
export interface SourceText {
  readonly head: string;
  /** A SQLite file is not read as text. */
  readonly isSqlite: boolean;
  /** The whole text, the head included, without its byte order mark. */
  readonly chunks: AsyncIterable<string>;
}

/**
 * Opens a source. One that is compressed by gzip is decompressed, whatever its name.
 *
 * @param options - `stdin`: what `-` reads; `onBytes`: gets the bytes that were read so far
 * @throws LabError `not-read`
 */
export async function openSource(
  { path, name }: SourceFile,
  { stdin, onBytes }: { readonly stdin: Readable; readonly onBytes?: (bytes: number) => void },
): Promise<SourceText> {
  if (path !== "-" && statSync(path, { throwIfNoEntry: false })?.isDirectory() === true) {
    throw new LabError("not-read", `${name} is a folder`, { hint: "give the files in it" });
  }
  const raw = path === "-" ? stdin : createReadStream(path, { highWaterMark: CHUNK_BYTES });
  const bytes = counted(raw, onBytes)[Symbol.asyncIterator]();
  try {
    const begin = await firstBytes(bytes, 16);
    const isSqlite = begin.toString("latin1", 0, 15) === "SQLite format 3";
    if (isSqlite) {
      raw.destroy();
      return { head: "", isSqlite, chunks: noChunks() };
    }
    const isGzip = begin[0] === 0x1f && begin[1] === 0x8b;
    const whole = followedBy(begin, bytes);
    const plain: AsyncIterable<Buffer> = isGzip ? gunzipped(whole) : whole;
    const texts = decoded(plain)[Symbol.asyncIterator]();
    let head = "";
    while (head.length < HEAD_BYTES) {
      const next = await texts.next();
      if (next.done === true) break;
      head += next.value;
    }
    return { head, isSqlite, chunks: readable(name, followedBy(head, texts)) };
  } catch (error) {
    throw notRead(name, error);
  }
}

function notRead(name: string, error: unknown): unknown {
  return error instanceof LabError ? error : new LabError("not-read", `${name} cannot be read`, { cause: error });
}

async function* readable(name: string, chunks: AsyncIterable<string>): AsyncGenerator<string> {
  try {
    yield* chunks;
  } catch (error) {
    throw notRead(name, error);
  }
}

async function* noChunks(): AsyncGenerator<string> {
  // A SQLite file has none.
}

async function* counted(stream: Readable, onBytes: (bytes: number) => void = () => undefined): AsyncGenerator<Buffer> {
  let total = 0;
  for await (const chunk of stream as AsyncIterable<Buffer | string>) {
    const bytes = typeof chunk === "string" ? Buffer.from(chunk) : chunk;
    onBytes((total += bytes.length));
    yield bytes;
  }
}

async function firstBytes(bytes: AsyncIterator<Buffer>, wanted: number): Promise<Buffer> {
  let first = Buffer.alloc(0);
  while (first.length < wanted) {
    const next = await bytes.next();
    if (next.done === true) break;
    first = Buffer.concat([first, next.value]);
  }
  return first;
}

async function* followedBy<T extends { readonly length: number }>(first: T, rest: AsyncIterator<T>): AsyncGenerator<T> {
  if (first.length > 0) yield first;
  for (let next = await rest.next(); next.done !== true; next = await rest.next()) yield next.value;
}

async function* gunzipped(bytes: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const gunzip = createGunzip({ chunkSize: CHUNK_BYTES });
  const source = Readable.from(bytes);
  source.on("error", (error) => gunzip.destroy(error));
  yield* source.pipe(gunzip) as AsyncIterable<Buffer>;
}

async function* decoded(bytes: AsyncIterable<Buffer>): AsyncGenerator<string> {
  const decoder = new StringDecoder("utf8");
  let isFirst = true;
  for await (const chunk of bytes) {
    const text = decoder.write(chunk);
    yield isFirst ? text.replace(/^\uFEFF/, "") : text;
    isFirst = false;
  }
  yield decoder.end();
}
