import type { ApiContext } from "../api/index.js";
import type { Lab } from "../lab/index.js";
import type { AccountLists, Recording } from "../store/index.js";
import type { Followers } from "./followers.js";

/** What the REST API works on: a lab's account, tables and clock. Each write notifies the followers. */
export function apiContextOf(parts: {
  readonly lab: Lab;
  readonly recording: Recording;
  readonly lists: AccountLists;
  readonly isAllowed: (url: string) => boolean;
  readonly followers: Followers;
}): ApiContext {
  const { lab, recording, lists, isAllowed, followers } = parts;
  return {
    account: lab.account,
    tables: recording.tables,
    lists,
    isAllowed,
    urnErrors: lab.scenario.service.urnErrors,
    exportVersion: lab.scenario.service.exportVersion,
    get organisation() {
      return lab.account.organisation.get();
    },
    startsAtMs: lab.scenario.cast.startsAtMs,
    get nowMs() {
      return lab.nowMs;
    },
    write(input, act) {
      const result = lab.write({ kind: "api", json: JSON.stringify(input) }, act);
      followers.notify({ kind: "call", atMs: lab.nowMs, method: input.method, path: input.path });
      return result;
    },
  };
}
