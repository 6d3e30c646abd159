import { html, type Markup } from "../html/markup.js";
import { documentOf } from "../html/page.js";
import { numberCell, table } from "../html/tables.js";
import type { Comparison, ComparisonRow } from "./compare.js";
import { changeWords, conclusionLines, eventsInWords, headlineOf, ratioOf, sectionsOf, valueOf } from "./phrases.js";

/** A comparison as one HTML file without scripts and external resources. */
export function renderComparisonHtml(comparison: Comparison): string {
  const { before, after, cautions, conclusion } = comparison;
  const tone = {
    worse: "bad",
    better: "good",
    "worse and better": "warn",
    "no difference found": "good",
    "not tested": "warn",
  };
  const hasFailed = comparison.conditions.some((condition) => condition.hasFailed);
  return documentOf(
    `${before.name}: two runs compared`,
    html`<header>
        <h1>${before.name}: two runs compared</h1>
        <p class="facts">Before <code>${before.recording ?? ""}</code></p>
        <p class="facts">After <code>${after.recording ?? ""}</code></p>
      </header>
      <section class="verdict ${hasFailed ? "bad" : tone[conclusion.state]}" aria-label="Verdict">
        <h2>${headlineOf(comparison)}</h2>
        <ul>
          ${conclusionLines(comparison).map((text) => html`<li>${text}</li>`)}
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
          “May be chance”: a permutation test of paired periods of the two runs did not find it, or it cannot be tested.
          At most one comparison in a hundred finds a difference where there is none.
        </p>
      </footer>`,
  );
}

function head(text: string): Markup {
  return html`<th scope="col" class="n">${text}</th>`;
}

function tableRow(row: ComparisonRow): Markup {
  const tone = row.isUnsure ? "soft" : row.change;
  return html`<tr>
    <th scope="row">${row.name}</th>
    ${numberCell(valueOf(row, row.before))} ${numberCell(valueOf(row, row.after))} ${numberCell(ratioOf(row))}
    <td class="${tone}">${changeWords(row)}</td>
  </tr>`;
}
