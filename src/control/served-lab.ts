import type { ApiContext } from "../api/index.js";
import type { Lab } from "../lab/index.js";
import type { AccountLists, Conversations, EventLog, Recording } from "../store/index.js";
import type { Followers } from "./followers.js";

/** A lab behind the APIs, with its recording and the readers of the recording. */
export interface ServedLab {
  readonly lab: Lab;
  readonly recording: Recording;
  readonly lists: AccountLists;
  readonly log: EventLog;
  readonly conversations: Conversations;
  /** The context of the REST API. */
  readonly context: ApiContext;
}

/** @param parts - `readers`: by default they are created, with their indexes */
export function servedLabOf({
  lab,
  recording,
  readers = recording.prepareToServe(),
  isAllowed,
  followers,
}: {
  readonly lab: Lab;
  readonly recording: Recording;
  readonly readers?: ReturnType<Recording["prepareToServe"]>;
  readonly isAllowed: (url: string) => boolean;
  readonly followers: Followers;
}): ServedLab {
  const context: ApiContext = {
    account: lab.account,
    tables: recording.tables,
    lists: readers.lists,
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
  return { lab, recording, ...readers, context };
}
