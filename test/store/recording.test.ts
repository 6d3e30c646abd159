import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import type { ContactRow, RunRow } from "../../src/account/index.js";
import { openRecording, Recording, type RecordingReader, StoreError } from "../../src/store/index.js";
import { temporaryFolder } from "../support/folder.js";
import { attemptRow, channelRow, eventRow, messageRow, meta } from "./samples.js";

function temporaryRecording(): { path: string; recording: Recording } {
  const path = join(temporaryFolder(), "run.db");
  const recording = Recording.create(path, meta);
  onTestFinished(() => recording.close());
  return { path, recording };
}

function open(path: string): RecordingReader {
  const reader = openRecording(path);
  onTestFinished(() => reader.close());
  return reader;
}

describe("a recording", () => {
  it("reads from each table what was written", () => {
    const { path, recording } = temporaryRecording();
    const channel = channelRow({ device: { ...channelRow().device, pending: [1_048_577], retry: [] } });
    const contact: ContactRow = {
      row: 1,
      uuid: "c-1",
      name: "Ada",
      language: "kin",
      state: "active",
      urns: ["tel:+250781100000"],
      fields: { village: "Kigoma" },
      createdAtMs: 5,
      modifiedAtMs: 6,
      lastSeenAtMs: null,
      timezone: null,
    };
    const incoming = messageRow({ direction: "I", status: "H", text: "मदद 🆘", origin: "phone" });
    const reply = messageRow({ row: 2, id: 1_048_578, origin: "reply", replyTo: { channel: 1, event: 1 } });
    const call = {
      row: 1,
      id: 1_048_577,
      channel: 1,
      contact: 1,
      phone: "+250781100000",
      type: "mo_call",
      timeMs: meta.startsAtMs + 250,
      durationS: 61,
      createdAtMs: 900,
    } as const;
    const event = eventRow({ atMs: 7, subject: incoming.id });
    const attempt = attemptRow({ dueAtMs: 7, effectAtMs: 5007, redirects: ["http://127.0.0.1:8080/other"] });
    const failure = attemptRow({
      try: 2,
      status: null,
      error: "ECONNREFUSED",
      outcome: "connection",
      sentWallMs: null,
      headers: null,
      body: null,
      bodyBytes: 0,
    });
    const outcome = { atMs: 5007, channel: 1, number: 1, kind: "valid", reason: null, detail: null } as const;
    const input = { atMs: 6000, kind: "world", json: '{"verb":"reboot"}' };
    const note = { atMs: 1, channel: 0, kind: "note", text: "the lamps go out" };

    recording.channel(channelRow());
    recording.channel(channel);
    recording.tables.contacts.put(contact);
    recording.message(incoming);
    recording.message(reply);
    recording.call(call);
    recording.event(event);
    recording.attempt(attempt);
    recording.attempt(failure);
    recording.reply(outcome);
    recording.note(note);
    recording.input(input);

    const reader = open(path);
    expect(reader.meta()).toEqual(meta);
    expect(reader.end()).toBeUndefined();
    expect([...reader.channels()]).toEqual([channel]);
    expect([...reader.contacts()]).toEqual([contact]);
    expect([...reader.messages()]).toEqual([
      { ...incoming, modifiedAtMs: 0, sentAtMs: null },
      { ...reply, modifiedAtMs: 0, sentAtMs: null },
    ]);
    expect([...reader.calls()]).toEqual([call]);
    expect([...reader.eventRows()]).toEqual([event]);
    const attempts = reader.attemptsOf(1, 1).map((row) => ({ ...row, body: row.body && new Uint8Array(row.body) }));
    expect(attempts).toEqual([
      { row: 1, ...attempt },
      { row: 2, ...failure },
    ]);
    expect([...reader.replies()]).toEqual([{ row: 1, ...outcome }]);
    expect([...reader.inputs()]).toEqual([{ row: 1, step: null, ...input }]);
    expect([...reader.notes()]).toEqual([{ row: 1, ...note }]);
  });

  it("keeps a message's latest status, and when it was sent", () => {
    const { recording } = temporaryRecording();
    recording.message(messageRow());
    recording.message(messageRow({ row: 2, id: 1_048_578 }));
    recording.messageStatus(1, "S", 400, 390);
    recording.messageStatus(1, "D", 900, 880);
    recording.messageStatus(2, "F", 1000, null);
    expect([...recording.reader().messages()]).toMatchObject([
      { status: "D", sentAtMs: 390, modifiedAtMs: 900 },
      { status: "F", sentAtMs: null, modifiedAtMs: 1000 },
    ]);
  });

  it("commits every 250 rows and on flush, so that other connections see them", () => {
    const { path, recording } = temporaryRecording();
    const reader = open(path);
    for (let row = 1; row < 250; row++) recording.event(eventRow({ row, number: row }));
    expect(reader.counts().events).toBe(0);
    expect(recording.reader().counts().events).toBe(249);
    recording.event(eventRow({ row: 250, number: 250 }));
    expect(reader.counts().events).toBe(250);
    recording.event(eventRow({ row: 251, number: 251 }));
    recording.flush();
    expect(reader.counts().events).toBe(251);
  });

  it("commits an input before it takes effect", () => {
    const { path, recording } = temporaryRecording();
    recording.input({ atMs: 1, kind: "api", json: "{}" });
    expect(open(path).counts().inputs).toBe(1);
  });

  it("refuses an event before the last one", () => {
    const { recording } = temporaryRecording();
    recording.event(eventRow({ atMs: 10 }));
    expect(() => recording.event(eventRow({ row: 2, number: 2, atMs: 9 }))).toThrow("event at 9 after one at 10");
  });

  it("does not finish with a duplicate attempt", () => {
    const { path, recording } = temporaryRecording();
    recording.attempt(attemptRow());
    recording.attempt(attemptRow());
    expect(() => recording.finish({ digest: "", resultJson: "{}", endedWallMs: 1 })).toThrow("UNIQUE");
    recording.close();
    expect(open(path).end()).toBeUndefined();
  });

  it("finds the attempts of an event while it is written, and when it is finished", () => {
    const { path, recording } = temporaryRecording();
    recording.event(eventRow());
    recording.attempt(attemptRow({ status: 500, outcome: "retried" }));
    recording.flush();
    const live = open(path);
    const outcomes = (reader: RecordingReader): string[] => reader.attemptsOf(1, 1).map(({ outcome }) => outcome);
    expect(outcomes(live)).toEqual(["retried"]);
    recording.attempt(attemptRow({ try: 2 }));
    recording.flush();
    expect(outcomes(live)).toEqual(["retried", "accepted"]);
    expect(outcomes(recording.reader())).toEqual(["retried", "accepted"]);
    expect(outcomes(recording.reader())).toEqual(["retried", "accepted"]);
    recording.finish({ digest: "", resultJson: "{}", endedWallMs: 1 });
    expect(outcomes(live)).toEqual(["retried", "accepted"]);
    expect(outcomes(open(path))).toEqual(["retried", "accepted"]);
  });

  it("finishes as a single file with its result, and may be closed twice", () => {
    const { path, recording } = temporaryRecording();
    recording.event(eventRow());
    const end = { digest: "ab", resultJson: '{"name":"x"}', endedWallMs: 1 };
    recording.finish(end);
    recording.close();
    recording.close();
    expect(existsSync(`${path}-wal`)).toBe(false);
    const reader = open(path);
    expect(reader.end()).toEqual(end);
    expect(reader.counts().events).toBe(1);
  });

  it("can be finished and closed while it is being read", () => {
    const { path, recording } = temporaryRecording();
    for (let row = 1; row <= 3000; row++) recording.event(eventRow({ row, number: row, atMs: row }));
    recording.flush();
    const events = open(path).eventRows();
    events.next();
    recording.finish({ digest: "", resultJson: "{}", endedWallMs: 1 });
    recording.close();
    expect([...events].length).toBe(2999);
  });

  it("can be kept in memory", () => {
    const recording = Recording.create(":memory:", meta);
    recording.event(eventRow());
    recording.finish({ digest: "", resultJson: "{}", endedWallMs: 1 });
    expect([...recording.reader().events()]).toEqual([{ ...eventRow(), attempts: [] }]);
    recording.close();
  });
});

describe("creating a recording fails", () => {
  const cases: readonly { name: string; code: string; prepare: (folder: string) => string; overwrite?: boolean }[] = [
    {
      name: "over an existing file",
      code: "recording-exists",
      prepare: (folder) => {
        Recording.create(join(folder, "run.db"), meta).close();
        return join(folder, "run.db");
      },
    },
    {
      name: "over a file that is not a recording, even when overwriting is allowed",
      code: "not-a-recording",
      overwrite: true,
      prepare: (folder) => {
        writeFileSync(join(folder, "scenario.yaml"), "name: mine\n".repeat(20));
        return join(folder, "scenario.yaml");
      },
    },
    {
      name: "in a folder that does not exist",
      code: "no-such-folder",
      prepare: (folder) => join(folder, "no", "run.db"),
    },
    {
      name: "below a file",
      code: "no-such-folder",
      prepare: (folder) => {
        writeFileSync(join(folder, "file"), "");
        return join(folder, "file", "run.db");
      },
    },
    {
      name: "over a folder",
      code: "is-a-folder",
      prepare: (folder) => {
        mkdirSync(join(folder, "run.db"));
        return join(folder, "run.db");
      },
    },
  ];

  it.each(cases)("$name: $code", ({ code, prepare, overwrite }) => {
    const path = prepare(temporaryFolder());
    const before = existsSync(path) && code !== "is-a-folder" ? readFileSync(path) : undefined;
    const error = errorOf(() => Recording.create(path, meta, { overwrite: overwrite ?? false }));
    expect(error).toMatchObject({ code, path });
    expect(error.message).toContain(path);
    if (before !== undefined) expect(readFileSync(path).equals(before)).toBe(true);
  });

  it("but not over a recording when overwriting is allowed", () => {
    const { path, recording } = temporaryRecording();
    recording.event(eventRow());
    recording.close();
    const next = Recording.create(path, { ...meta, seed: 8 }, { overwrite: true });
    expect(next.reader().meta().seed).toBe(8);
    expect(next.reader().counts().events).toBe(0);
    next.close();
  });
});

describe("opening a recording fails", () => {
  it("when there is no such file, or it is a folder", () => {
    const path = join(temporaryFolder(), "none.db");
    expect(errorOf(() => openRecording(path)).message).toBe(
      `cannot read the recording ${path}: there is no such file; check the path (ENOENT)`,
    );
    expect(errorOf(() => openRecording(temporaryFolder())).code).toBe("is-a-folder");
  });

  it.each(["", "name: mine\n".repeat(200)])("when the file is not a recording", (text) => {
    const path = join(temporaryFolder(), "text.db");
    writeFileSync(path, text);
    expect(errorOf(() => openRecording(path)).code).toBe("not-a-recording");
  });

  it("when a newer version made it", () => {
    const { path, recording } = temporaryRecording();
    recording.finish({ digest: "", resultJson: "{}", endedWallMs: 1 });
    recording.close();
    const bytes = readFileSync(path);
    bytes.writeInt32BE(999, 60); // user_version
    writeFileSync(path, bytes);
    expect(errorOf(() => openRecording(path)).code).toBe("newer-recording");
  });

  it("when it is damaged", () => {
    const { path, recording } = temporaryRecording();
    for (let row = 1; row <= 500; row++) recording.event(eventRow({ row, number: row }));
    recording.finish({ digest: "", resultJson: "{}", endedWallMs: 1 });
    recording.close();
    const bytes = readFileSync(path);
    writeFileSync(path, bytes.fill(0xff, 16_384));
    expect(errorOf(() => [...openRecording(path).events()]).code).toBe("recording-damaged");
  });
});

function errorOf(act: () => unknown): StoreError {
  try {
    act();
  } catch (error) {
    if (error instanceof StoreError) return error;
    throw error;
  }
  throw new Error("nothing was thrown");
}

it("a recording that is closed without an end holds the last version of deferred runs and sessions", () => {
  const { path, recording } = temporaryRecording();
  recording.deferSessions();
  const run: RunRow = {
    id: recording.tables.runs.nextId(),
    uuid: "r-1",
    flow: 1,
    contact: 1,
    start: null,
    hasResponded: false,
    path: [],
    results: {},
    answers: [],
    embeddedData: null,
    createdAtMs: 5,
    modifiedAtMs: 5,
    exitedAtMs: null,
    exit: null,
  };
  const id = recording.tables.flowSessions.nextId();
  recording.tables.runs.putStep(run, () => run);
  recording.tables.flowSessions.put({ id, contact: 1, state: { texts: 1 } });
  recording.tables.runs.putStep(run, () => ({ ...run, hasResponded: true, modifiedAtMs: 7 }));
  recording.close();
  const again = Recording.reopen(path);
  onTestFinished(() => again.close());
  expect(again.tables.runs.get(run.id)).toEqual({ ...run, hasResponded: true, modifiedAtMs: 7 });
  expect(again.tables.flowSessions.all()).toEqual([{ id, contact: 1, state: { texts: 1 } }]);
});
