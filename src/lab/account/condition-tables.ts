import { type AccountTables, type BroadcastRow, type RunRow, withMethods } from "../../account/index.js";

/** Receives the changes of an account that conditions of the story may wait for. */
export interface AccountWatch {
  /** A run was begun or has changed. */
  runChanged(run: RunRow): void;
  /** The account sends a broadcast. */
  broadcastAdded(broadcast: BroadcastRow): void;
}

/** The tables of an account, made to report runs and broadcasts to the story's conditions. */
export function conditionTables(tables: AccountTables, watch: AccountWatch): AccountTables {
  const { runs, broadcasts } = tables;
  return {
    ...tables,
    runs: withMethods(runs, {
      put(row) {
        runs.put(row);
        watch.runChanged(row);
      },
      putStep(run, make) {
        runs.putStep(run, make);
        watch.runChanged(make());
      },
    }),
    broadcasts: withMethods(broadcasts, {
      put(row) {
        broadcasts.put(row);
        watch.broadcastAdded(row);
      },
    }),
  };
}
