import { expect, onTestFinished } from "vitest";
import { openRecording, type RecordingReader } from "../../src/index.js";
import { PastLab } from "../../src/past/past-lab.js";
import { type PastPlan, planPast, type SessionPlan } from "../../src/past/past-plan.js";
import type { ServedLab } from "./served.js";

/** What is compared of a live lab and of the lab of the past that stands at the same instant. */
const lists = [
  "contacts.json",
  "messages.json",
  "runs.json",
  "broadcasts.json",
  "flow_starts.json",
  "channel_events.json",
  "channels.json",
  "groups.json",
  "fields.json",
  "campaigns.json",
];

export type Answers = Readonly<Record<string, unknown>>;

export async function answersOf(get: Get): Promise<Answers> {
  const answers: Record<string, unknown> = {};
  const { clock: _, database: _where, receiver: _url, ...status } = (await get("/lab/")) as Record<string, unknown>;
  answers["status"] = status;
  answers["handsets"] = await get("/lab/handsets");
  answers["events"] = await get("/lab/events?limit=100");
  for (const list of lists) answers[list] = ((await get(`/api/v2/${list}`)) as { results: unknown }).results;
  return answers;
}

export type Get = (path: string) => Promise<unknown>;

export const getOf =
  ({ api, lab }: ServedLab): Get =>
  (path) =>
    path.startsWith("/lab") ? lab.done("GET", path.slice(4)) : api.done("GET", path.slice("/api/v2/".length));

export const pastGetOf =
  (past: PastLab): Get =>
  async (path) => {
    const { status, text } = await past.get({ path, publicUrl: "http://localhost" });
    if (status !== 200) throw new Error(`${path}: ${status} ${text}`);
    return JSON.parse(text) as unknown;
  };

export const liveAnswers = (live: ServedLab): Promise<Answers> => answersOf(getOf(live));
export const pastAnswers = (past: PastLab): Promise<Answers> => answersOf(pastGetOf(past));

/** Opens the past of a recording: each call is a new lab at the beginning. */
export function pastOf(path: string): {
  readonly reader: RecordingReader;
  readonly plan: PastPlan;
  readonly untilMs: number;
  readonly untilWhy: string | undefined;
  readonly open: (keepsRows?: boolean) => Promise<PastLab>;
} {
  const reader = openRecording(path);
  onTestFinished(() => reader.close());
  const plan = planPast(reader, path);
  if ("why" in plan) throw new Error(plan.why);
  return {
    reader,
    plan,
    untilMs: plan.untilMs,
    untilWhy: plan.untilWhy,
    async open(keepsRows = true) {
      const past = await PastLab.create({
        reader,
        plan,
        session: plan.sessions[0] as SessionPlan,
        base: undefined,
        bytes: 0,
        keepsRows,
        onDifference: ({ atMs }) => expect.fail(`an event at ${atMs} differs`),
        pause: () => undefined,
      });
      onTestFinished(() => past.close());
      return past;
    },
  };
}
