import type { ClockView, LabFacts, Totals } from "../../protocol/index.js";
import { lateFailures } from "../charts/late-failures.js";
import { openAlarms } from "../connection/state.js";
import { Panel, Stat } from "../design/index.js";
import { linkTo } from "../navigation/routes.js";
import { formatCount, formatDuration, formatElapsed, formatPercent, formatSpeed } from "../format/index.js";

/** Progress of the run in virtual time, and its counts so far. */
export function Progress({
  facts,
  clock,
  totals,
  isOver,
}: {
  readonly facts: LabFacts;
  readonly clock: ClockView;
  readonly totals: Totals;
  readonly isOver: boolean;
}) {
  const { events, accepted, failures, inFlight, retrying, waitingOnPhones, alarms, lost } = totals;
  const late = lateFailures();
  return (
    <Panel title="Progress" about={stateOf(facts, clock, isOver)}>
      {facts.lastsMs !== null && (
        <progress
          class="run-progress"
          aria-label="Virtual time of the scenario that has passed"
          max={facts.lastsMs}
          value={Math.min(clock.nowMs, facts.lastsMs)}
        />
      )}
      <div class="run-stats">
        <Stat label="Events" value={formatCount(events)} title="Events that the service made" />
        <Stat label="Accepted" value={formatCount(accepted)} title="Attempts that the receiver accepted" />
        <Stat
          label="Failed attempts"
          value={formatCount(failures)}
          tone={late.failures > 0 ? "bad" : undefined}
          title={`Attempts that were not accepted; ${formatCount(late.failures)} ${late.span}`}
        />
        <Stat label="In flight" value={formatCount(inFlight)} title="Attempts that wait for an answer" />
        <Stat label="Waiting for a retry" value={formatCount(retrying)} tone={retrying > 0 ? "warning" : undefined} />
        <Stat label="Waiting on phones" value={formatCount(waitingOnPhones)} title="Messages and reports on phones" />
        <Stat
          label="Alarms"
          value={formatCount(alarms)}
          title={`Raised so far; ${formatCount(openAlarms.value)} handsets have one that has not cleared`}
        />
        <Stat
          label="Lost texts"
          value={formatCount(lost)}
          title="Texts that never arrived: the list shows the causes"
          {...(lost > 0 && { href: linkTo("losses") })}
        />
      </div>
    </Panel>
  );
}

function stateOf(
  { lastsMs, hasClock, settleMs = 0 }: LabFacts,
  { nowMs, speed, isPaused }: ClockView,
  isOver: boolean,
): string {
  const passed = formatElapsed(nowMs);
  if (isOver) return `The run is over, after ${passed} of virtual time. Nothing changes any more.`;
  const of =
    lastsMs === null
      ? passed
      : nowMs > lastsMs
        ? `${passed}: the scenario's ${formatElapsed(lastsMs)} are over, pending work still finishes`
        : `${passed} of ${formatElapsed(lastsMs)} (${formatPercent(nowMs / lastsMs)})`;
  const pace = isPaused ? ", paused" : hasClock ? `, at ${formatSpeed(speed)}` : ", as fast as the receiver answers";
  const settling =
    settleMs > 0
      ? ` After each window of answers it waits ${formatDuration(settleMs)} for API requests: --settle 0s skips that.`
      : "";
  return `Virtual time ${of}${pace}.${settling}`;
}
