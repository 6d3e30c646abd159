import type { RecordingReader } from "../../store/index.js";
import type { Figures } from "../figures/index.js";
import { eventId, type Outage } from "../../measure/index.js";
import { clockText, type Life, lifeOf } from "../life/index.js";
import { formatCount, countOf } from "../number-format.js";
import { html, type Markup } from "./markup.js";

/** Limit of events for each reason. */
const SHOWN_MAX = { underWay: 3, failed: 10, copies: 15, slowest: 10 } as const;

const UNDER_WAY = "under way when the receiver went";

/** Limit of entries per life. */
const ENTRIES_MAX = 40;

interface Chosen {
  readonly id: string;
  readonly why: string;
}

/**
 * Lookup of events: those under way when the receiver went, with failed attempts, copies, and the slowest. Undefined
 * when there are none.
 */
export function livesSection(
  recording: RecordingReader,
  figures: Figures,
  outages: readonly Outage[] = [],
): Markup | undefined {
  const lives = recording.lookup();
  const copies = lives.copyCount();
  const chosen = new Map<string, Chosen>();
  const choose = (why: string, ids: readonly string[], most: number): void => {
    let left = most;
    for (const id of ids) {
      if (chosen.has(id)) continue;
      if (left-- === 0) return;
      chosen.set(id, { id, why });
    }
  };
  choose(UNDER_WAY, outages.flatMap(({ underWay }) => underWay.slice(0, 1)).map(eventId), SHOWN_MAX.underWay);
  choose(
    "failed attempt",
    figures.failed.map(({ event }) => event),
    SHOWN_MAX.failed,
  );
  choose("copy", lives.firstCopies(SHOWN_MAX.copies), SHOWN_MAX.copies);
  choose(
    "slow answer",
    figures.slowest.map(({ event }) => event),
    SHOWN_MAX.slowest,
  );
  if (chosen.size === 0) return undefined;
  const { events } = recording.counts();
  const count = (why: string): string => formatCount([...chosen.values()].filter((one) => one.why === why).length);
  const gone = outages.length === 0 ? "" : `${count(UNDER_WAY)} under way when the receiver went, `;
  return html`<p class="about">
      ${formatCount(chosen.size)} of ${countOf(events, "event", "events")}: ${gone}${count("failed attempt")} with
      failed attempts, ${count("copy")} of ${countOf(copies, "copy", "copies")}, ${count("slow answer")} of the slowest;
      ${formatCount(events - chosen.size)} are left out. <code>handset why ${recording.path} ID</code> shows the life of
      any event.
    </p>
    ${[...chosen.values()].map((one) => lifeDetails(lifeOf(recording, one.id, undefined, { outages }), one))}`;
}

function lifeDetails(life: Life, { id, why }: Chosen): Markup {
  const { entries, headline, about } = life;
  const shown = entries.slice(0, ENTRIES_MAX);
  const left = entries.length - shown.length;
  return html`<details class="attempt">
    <summary>
      <b>${id}</b>
      <span>${why}</span>
      <span>${about}</span>
    </summary>
    ${headline.map((sentence) => html`<p class="about">${sentence}</p>`)}
    <table>
      <caption>
        In the order of virtual time${left > 0 ? `; the first ${shown.length}, ${left} are left out` : ""}
      </caption>
      <tbody>
        ${shown.map(
          ({ atMs, text }) =>
            html`<tr>
              <td>${clockText(atMs)}</td>
              <td>${text}</td>
            </tr>`,
        )}
      </tbody>
    </table>
  </details>`;
}
