import type { ApiContext } from "../api/index.js";
import type { Happening, Lab } from "../lab/index.js";
import type { AccountLists, Recording } from "../store/index.js";

/** What the REST API works on: a lab, its recording, and the clock. */
export function deskOf(parts: {
  readonly lab: Lab;
  readonly recording: Recording;
  readonly lists: AccountLists;
  readonly isAllowed: (url: string) => boolean;
  readonly happened?: (happening: Happening) => void;
}): ApiContext {
  const { lab, recording, lists, isAllowed, happened } = parts;
  return {
    account: lab.account,
    tables: recording.tables,
    lists,
    isAllowed,
    urnErrors: lab.scenario.service.urnErrors,
    get organisation() {
      return lab.account.organisation.get();
    },
    startsAtMs: lab.scenario.cast.startsAtMs,
    get nowMs() {
      return lab.nowMs;
    },
    write(input, act) {
      const result = lab.write({ kind: "api", json: JSON.stringify(input) }, act);
      happened?.({ kind: "call", atMs: lab.nowMs, method: input.method, path: input.path });
      return result;
    },
  };
}
