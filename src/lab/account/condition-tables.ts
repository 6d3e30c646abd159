import { type AccountTables, type BroadcastRow, type RunRow, withMethods } from "../../account/index.js";

/** The changes of an account that conditions of the story are on. */
export interface AccountWatch {
  /** A run was begun or has changed. */
  runChanged(run: RunRow): void;
  broadcastAdded(broadcast: BroadcastRow): void;
}

/** The tables of an account, which report runs and broadcasts to the story's conditions. */
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
