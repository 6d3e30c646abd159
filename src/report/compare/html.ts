import { html, type Markup } from "../html/markup.js";
import { documentOf } from "../html/page.js";
import { number, table } from "../html/tables.js";
import type { Comparison, Row } from "./compare.js";
import { changeWords, eventsInWords, ratioOf, sectionsOf, valueOf } from "./words.js";

/** Two runs side by side as one HTML file without scripts, which fetches nothing. */
export function renderComparisonHtml(comparison: Comparison): string {
  const { before, after, cautions, isSame } = comparison;
  const counts = (change: Row["change"]): number =>
    comparison.rows.filter((row) => row.change === change && !row.isUnsure).length;
  const [worse, better] = [counts("worse"), counts("better")];
  const headline =
    worse === 0 && better === 0
      ? "Nothing changed for sure"
      : `${worse} worse, ${better} better${isSame ? ", the same events" : ""}`;
  return documentOf(
    `${before.name}: two runs compared`,
    html`<header>
        <h1>${before.name}: two runs compared</h1>
        <p class="facts">Before <code>${before.recording ?? ""}</code></p>
        <p class="facts">After <code>${after.recording ?? ""}</code></p>
      </header>
      <section class="verdict ${worse > 0 ? "bad" : "good"}" aria-label="Verdict">
        <h2>${worse > 0 ? "▼" : "="} ${headline}</h2>
        <ul>
          ${cautions.map((text) => html`<li><span class="sign warn-word" aria-hidden="true">!</span>${text}</li>`)}
        </ul>
        ${eventsInWords(comparison).map((text) => html`<p>${text}</p>`)}
      </section>
      ${sectionsOf(comparison).map(
        ([name, rows]) =>
          html`<h2>${name}</h2>
            ${table("", ["", head("Before"), head("After"), head("Ratio"), "Change"], rows.map(tableRow))}`,
      )}
      <footer>
        <p>
          “May be chance”: the runs vary as much within themselves (notches of the medians of their stretches of time;
          two standard errors for shares).
        </p>
      </footer>`,
  );
}

function head(text: string): Markup {
  return html`<th scope="col" class="n">${text}</th>`;
}

function tableRow(row: Row): Markup {
  const tone = row.isUnsure ? "soft" : row.change;
  return html`<tr>
    <th scope="row">${row.name}</th>
    ${number(valueOf(row, row.before))} ${number(valueOf(row, row.after))} ${number(ratioOf(row))}
    <td class="${tone}">${changeWords(row)}</td>
  </tr>`;
}
