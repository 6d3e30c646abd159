import { join } from "node:path";
import type { ChannelRow, EventRow, MessageRow } from "../../src/gateway/index.js";
import { type AttemptRow, Recording, type RunMeta } from "../../src/store/index.js";
import { Connection } from "../../src/store/sqlite/connection.js";
import { type ServicePreset, servicePresets, unknownStatus } from "../../src/wire/index.js";
import { temporaryFolder } from "../support/folder.js";

/** Rows with defaults for all columns that a test does not set. */

export const meta: RunMeta = {
  name: "Power cut",
  seed: 7,
  version: "0.1.0",
  scenario: { file: "power-cut.yaml", text: "name: Power cut\nseed: 7\n" },
  startsAtMs: Date.UTC(2026, 2, 4, 6),
  lastsMs: 10_800_000,
  preset: documented(),
  startedWallMs: Date.UTC(2026, 10, 21),
  options: { pace: "lockstep" },
};

function documented(): ServicePreset {
  const preset = servicePresets.get("documented");
  if (preset === undefined) throw new Error("the preset 'documented' is gone");
  return preset;
}

export function channelRow(row: Partial<ChannelRow> = {}): ChannelRow {
  return {
    id: 1,
    uuid: "6d7e3c1a-52c8-4f0e-9f5e-3a1b2c3d4e5f",
    name: "clinic/0",
    phone: "+250788000000",
    relayer: row.id ?? 1,
    isActive: true,
    createdAtMs: 0,
    claimAfterMs: null,
    url: "http://127.0.0.1:8080/events",
    lastSeenMs: 0,
    shownSeenMs: 0,
    hasSynced: false,
    device: { ...unknownStatus, powerStatus: "DIS", powerLevel: 80, networkType: "LTE" },
    ...row,
  };
}

export function messageRow(row: Partial<MessageRow> = {}): MessageRow {
  return {
    row: 1,
    id: 1_048_577,
    channel: 1,
    contact: 1,
    phone: "+250781100000",
    direction: "O",
    status: "Q",
    text: "we are back",
    createdAtMs: 0,
    sentAtMs: null,
    origin: "story",
    replyTo: null,
    broadcast: null,
    type: "inbox",
    flow: null,
    visibility: "visible",
    ...row,
  };
}

export function eventRow(row: Partial<EventRow> = {}): EventRow {
  return {
    row: 1,
    channel: 1,
    number: 1,
    atMs: 0,
    type: "mo_sms",
    body: "event=mo_sms&relayer=1",
    subject: null,
    copy: null,
    ...row,
  };
}

export function attemptRow(row: Partial<AttemptRow> = {}): AttemptRow {
  return {
    channel: 1,
    number: 1,
    try: 1,
    url: "http://127.0.0.1:8000/events",
    dueAtMs: 0,
    effectAtMs: 5000,
    sentWallMs: 10,
    durationMs: 1.5,
    latencyMs: 1.5,
    status: 200,
    error: null,
    outcome: "accepted",
    headers: "content-type: application/json",
    body: new TextEncoder().encode("{}"),
    bodyBytes: 2,
    redirects: [],
    latenessMs: null,
    isRepeat: false,
    step: null,
    ...row,
  };
}

/** Writes a recording of one delivered event, and changes it. @param sql - the change @returns its path */
export function editedRecording(sql: string): string {
  const path = join(temporaryFolder(), "edited.db");
  const recording = Recording.create(path, meta);
  recording.channel(channelRow());
  recording.event(eventRow());
  recording.attempt(attemptRow());
  recording.finish({ digest: "", resultJson: "{}", endedWallMs: 1 });
  recording.close();
  const database = new Connection(path);
  database.exec(sql);
  database.close();
  return path;
}
