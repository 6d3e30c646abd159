import { openAlarms, totals } from "../connection/state.js";
import { Stat } from "../design/index.js";
import { formatCount, formatShort } from "../format/index.js";

/** The totals in an audience's words. */
export function PresenterTotals() {
  const now = totals.value;
  if (now === undefined) return null;
  const open = openAlarms.value;
  return (
    <section class="shell-totals shell-totals-few design-line" aria-label="Totals">
      <Stat label="Texts" value={formatCount(now.texts)} title="Texts of people that the service has" />
      <Stat
        label="Waiting on phones"
        value={formatShort(now.waitingOnPhones)}
        tone={now.waitingOnPhones > 0 ? "warning" : undefined}
        title="Messages and reports that wait on phones"
      />
      <Stat label="Answered" value={formatCount(now.accepted)} title="What the application has taken and answered" />
      <Stat
        label="Alarms"
        value={formatShort(open)}
        tone={open > 0 ? "bad" : undefined}
        title="Phones with an alarm that has not cleared"
      />
    </section>
  );
}
