import type { ApiContext } from "../api/index.js";
import type { Lab } from "../lab/index.js";
import type { AccountLists, Conversations, EventLog, Recording } from "../store/index.js";

/** A lab that the APIs work on, with the recording that it writes. */
export interface ServedLab {
  readonly lab: Lab;
  readonly recording: Recording;
  readonly lists: AccountLists;
  readonly log: EventLog;
  readonly conversations: Conversations;
  readonly context: ApiContext;
}
