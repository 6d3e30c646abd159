import { LabError } from "../base/index.js";
import { prepareScenarioFakes, readNamedFile } from "../lab/index.js";
import type { Scenario } from "../scenario/index.js";
import {
  type AccountSource,
  accountsOf,
  checkSources,
  asServed,
  readyAccountFile,
  readyScenarioFile,
} from "../control/index.js";
import { openDatabase } from "./database.js";
import { fillAccount } from "./fill-account.js";
import type { Slot } from "./slot.js";
import { receiverFor, type ServeSession, wallTimeOf } from "./session.js";

/** The reason why a served lab cannot start a scenario; undefined: it can. */
export function refusalToBegin({ options }: ServeSession): string | undefined {
  if (options.database === undefined) return undefined;
  return `This lab keeps its account in ${options.database}. A scenario begins in a lab in memory: handset serve SCENARIO`;
}

/**
 * Replaces the served scenario with one that plays from its start. All files are read and checked before the lab stops,
 * so a refusal changes nothing.
 *
 * @param to - `scenario` absent: restarts the current one
 * @throws LabError for a scenario that cannot be served; StoreError when the disk is full
 */
export async function beginScenario(
  session: ServeSession,
  slot: Slot,
  to: { readonly scenario?: Scenario; readonly speed?: number; readonly isPaused: boolean },
): Promise<void> {
  const { options } = session;
  const wallClock = options.wallClock ?? Date.now;
  if (to.scenario === undefined && options.recording !== undefined && !session.opened.isNew) {
    throw new LabError(
      "bad-options",
      "this lab continues a recording, which has no beginning: start a scenario instead",
    );
  }
  const isSame = to.scenario === undefined;
  const given = to.scenario ?? session.ownScenario;
  const next = given.startsNow ? { ...given, cast: { ...given.cast, startsAtMs: wallClock() } } : given;
  const accounts = isSame ? session.accounts : accountsBeside(next);
  const playsFirstHour = isSame ? session.playsFirstHour : accounts.length > 0;
  const scenario = asServed(next);
  const fakes = await prepareScenarioFakes(scenario);
  await checkSources([...accountsOf(scenario), ...accounts]);
  const url = await receiverFor(scenario, session);
  await slot.beginLab(
    () => {
      const opened = { ...openDatabase({ scenario: next, playsFirstHour, wallClock }), continuesDatabase: false };
      const played = {
        opened,
        scenario: asServed(opened.scenario),
        ownScenario: next,
        fakes,
        url,
        playsFirstHour,
        accounts,
      };
      Object.assign(session, played, { isFirst: true });
      return { recording: opened.recording, startsAt: playsFirstHour ? undefined : wallTimeOf(session) };
    },
    { speed: to.speed },
  );
  await fillAccount(session, slot);
  const { clock } = slot.current.lab;
  if (to.isPaused) clock?.pause();
  else clock?.resume();
}

/** Account files that a scenario needs but does not name: only the ready scenario has one. */
function accountsBeside({ source }: Scenario): readonly AccountSource[] {
  if (source.file !== readyScenarioFile) return [];
  return [{ kind: "text", file: readyAccountFile, text: readNamedFile(readyAccountFile), readsFiles: true }];
}
