import { clearable, integerType, optional, detailError, schema } from "../../api/index.js";
import { plainName, seconds } from "./kinds.js";
import type { SnapshotNote } from "../snapshots.js";
import type { Control } from "../control.js";
import { type ControlRoute, readRoute, writeRoute } from "./route.js";
import { doneSchema, doneNow, instantOf } from "./shapes.js";

const snapshot = schema.objectOf({ name: schema.text, taken_at: schema.timestamp, bytes: schema.integer });

function snapshotOf(control: Control, { name, takenAtMs, bytes }: SnapshotNote): Record<string, unknown> {
  return { name, taken_at: instantOf(control, takenAtMs), bytes };
}

const throttle = schema.objectOf({
  limit: schema.nullable({ ...schema.integer, description: "Requests an hour and scope; null: no limit" }),
  refusing: { ...schema.integer, description: "The next requests to the API that are answered 429" },
});

/** Routes of snapshots, account files and the throttle. */
export const dataRoutes: readonly ControlRoute[] = [
  readRoute({
    path: "/snapshots",
    about: "The snapshots that can be gone back to. `start` is always there.",
    answer: schema.arrayOf(snapshot),
    serve: ({ control }) => control.snapshots.list().map((one) => snapshotOf(control, one)),
  }),
  writeRoute({
    method: "POST",
    path: "/snapshots",
    about: "Saves the account under a name, goes back to what was saved, or drops it.",
    fields: {
      save: optional(plainName, "Name for what is now; replaces an older one of that name"),
      restore: optional(plainName, "Name of what was saved: the account is again what it was then, the clock goes on"),
      drop: optional(plainName, "Name of what is not needed any more"),
    },
    example: () => ({ save: "before-the-demo" }),
    answer: doneSchema,
    async serve({ save, restore, drop }, { control }) {
      const given = [save, restore, drop].filter((name) => name !== undefined);
      if (given.length !== 1) throw detailError(400, "Give one of save, restore and drop.");
      if (save !== undefined) return doneNow(control, `saved ${control.snapshots.save(save).name}`);
      if (drop !== undefined) {
        control.snapshots.drop(drop);
        return doneNow(control, `dropped ${drop}`);
      }
      await control.snapshots.restore(restore ?? "");
      return doneNow(control, `restored ${restore}`);
    },
  }),
  {
    method: "POST",
    path: "/account",
    about:
      "Adds an account file (YAML) or an export of a real account (JSON) to the account, with up to 50,000 made-up people.",
    parameters: {},
    fields: "text",
    example: () => "account: existing\nlabels: [To check]\n",
    answer: schema.objectOf({
      added: { type: "object", additionalProperties: schema.integer },
      problems: schema.arrayOf(schema.text),
    }),
    serve: ({ control, text }) => control.loadAccount(text),
  },
  readRoute({
    path: "/throttle",
    about: "The limit of the API's requests.",
    answer: throttle,
    serve: ({ control }) => throttleOf(control),
  }),
  writeRoute({
    method: "POST",
    path: "/throttle",
    about: "Sets the limit of the API's requests, or has the next ones refused with 429.",
    fields: {
      limit: clearable(integerType({ min: 1 }), "Requests an hour and scope; null: no limit"),
      refuse: optional(integerType({ min: 0, max: 1_000_000 }), "Number of the next requests that are answered 429"),
      retry_after: optional(seconds, "Seconds of their Retry-After; default 1"),
    },
    example: () => ({ limit: 2500 }),
    answer: throttle,
    serve({ limit, refuse, retry_after: retryAfterS = 1 }, { control }) {
      if (limit !== undefined) control.throttle.limit = limit ?? undefined;
      if (refuse !== undefined) control.throttle.forceRefusals({ requests: refuse, retryAfterS });
      return throttleOf(control);
    },
  }),
];

function throttleOf({ throttle: { limit, forcedRefusals: refusing } }: Control): Record<string, unknown> {
  return { limit: limit ?? null, refusing };
}
