import { clearable, integerType, optional, detailError } from "../../api/index.js";
import { answers, type Snapshot, type ThrottleStatus } from "../../console/index.js";
import { plainName, seconds } from "./kinds.js";
import type { SnapshotNote } from "../snapshots.js";
import type { Control } from "../control.js";
import { type ControlRoute, readRoute, writeRoute } from "./route.js";
import { doneNow, instantOf } from "./shapes.js";

function snapshotOf(control: Control, { name, takenAtMs, bytes }: SnapshotNote): Snapshot {
  return { name, taken_at: instantOf(control, takenAtMs), bytes };
}

/** Routes of snapshots, account files and the throttle. */
export const dataRoutes: readonly ControlRoute[] = [
  readRoute({
    path: "/snapshots",
    about: "The snapshots that can be restored. The server saves `start` when it starts.",
    serve: ({ control }) => control.snapshots.list().map((one) => snapshotOf(control, one)),
  }),
  writeRoute({
    path: "/snapshots",
    about: "Saves a snapshot of the account, restores one, or deletes one.",
    fields: {
      save: optional(plainName, "Name of the new snapshot, which replaces an older one of that name"),
      restore: optional(plainName, "Name of the snapshot to restore; the virtual clock continues"),
      drop: optional(plainName, "Name of the snapshot to delete"),
    },
    example: () => ({ save: "before-the-demo" }),
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
    answer: answers.writes["/account"],
    serve: ({ control, text }) => control.loadAccount(text),
  },
  readRoute({
    path: "/throttle",
    about: "The request limit of the API.",
    serve: ({ control }) => throttleOf(control),
  }),
  writeRoute({
    path: "/throttle",
    about: "Sets the request limit of the API, or refuses the next requests with 429.",
    fields: {
      limit: clearable(integerType({ min: 1 }), "Requests an hour and scope; null: no limit"),
      refuse: optional(integerType({ min: 0, max: 1_000_000 }), "Number of next requests that are answered 429"),
      retry_after: optional(seconds, "Seconds of their Retry-After; default 1"),
    },
    example: () => ({ limit: 2500 }),
    serve({ limit, refuse, retry_after: retryAfterS = 1 }, { control }) {
      if (limit !== undefined) control.throttle.limit = limit ?? undefined;
      if (refuse !== undefined) control.throttle.forceRefusals({ requests: refuse, retryAfterS });
      return throttleOf(control);
    },
  }),
];

function throttleOf({ throttle: { limit, forcedRefusals: refusing } }: Control): ThrottleStatus {
  return { limit: limit ?? null, refusing };
}
