import { version } from "../../../base/index.js";
import { countOf, documentOf, formatCount, html, type Markup } from "../../../report/index.js";
import type { AuditFinding, AuditResult } from "../result.js";
import { auditFamilies } from "../registry.js";
import { capitalised, gradeText, grouped, requestsText, severitySign } from "./render.js";

/** The report card as one HTML page without external resources and scripts. */
export function renderAuditHtml(result: AuditResult): string {
  const { grade, url, findings, observed, untested, seconds } = result;
  const tone = grade === "A" ? "good" : grade === "B" || grade === "C" ? "warn" : "bad";
  const severe = (["high", "medium", "low"] as const).map((severity) => ({
    severity,
    count: findings.filter((one) => one.severity === severity).length,
  }));
  const body = html`
    <header>
      <h1>Audit of ${url}</h1>
      <p class="facts">${requestsText(result)} in ${seconds} s</p>
    </header>
    <div class="verdict ${tone}">
      <h2>Grade ${grade}: ${gradeText(result)}</h2>
      ${
        findings.length > 0 &&
        html`<ul>
          ${findings.map(
            ({ id, severity, title }) =>
              html`<li>
                <span class="sign">${severitySign[severity]}</span><a href="#${id}">${title}</a> (${severity})
              </li>`,
          )}
        </ul>`
      }
    </div>
    <dl class="numbers">
      <div>
        <dt>passed</dt>
        <dd>${formatCount(result.passed)}</dd>
      </div>
      <div>
        <dt>failed</dt>
        <dd>${formatCount(result.failed)}</dd>
        <small>${severe.map(({ severity, count }) => `${count} ${severity}`).join(", ")}</small>
      </div>
      <div>
        <dt>untested</dt>
        <dd>${formatCount(untested.length)}</dd>
      </div>
      <div>
        <dt>observed</dt>
        <dd>${formatCount(observed.length)}</dd>
      </div>
    </dl>
    ${
      findings.length > 0 &&
      html`<h2>Findings</h2>
        ${findings.map(findingMarkup)}`
    }
    ${listMarkup("Observed: what the application decides for itself", grouped(observed))}
    ${listMarkup("Untested", grouped(untested.map(({ id, why }) => ({ id, text: why }))))} ${passedMarkup(result)}
    <footer>Handset Lab ${version}. A finding is an observation that a right receiver could not give.</footer>
  `;
  return documentOf(`Audit of ${url}`, body);
}

function findingMarkup(finding: AuditFinding): Markup {
  const { id, severity, title, seen, sent, got, why, field, play } = finding;
  return html`<section class="attempt" id="${id}" aria-labelledby="${id}-title">
    <h4>${id}</h4>
    <h3 id="${id}-title"><span class="${severity === "high" ? "bad" : "warn"}-word">${severity}</span> ${title}</h3>
    <p>${capitalised(seen)}.</p>
    ${sent.map(({ body, note }, index) => {
      const answer = got[index];
      return html`<h4>Sent${note !== undefined && `: ${note}`}</h4>
        <pre>${body}</pre>
        <h4>Came</h4>
        <pre>${answer?.status ?? "no answer"} ${answer?.answer}</pre>`;
    })}
    <h4>Why it matters</h4>
    <p>${why}</p>
    <p class="about">From the field: ${field}</p>
    <h4>Alone</h4>
    <pre>${play}</pre>
  </section>`;
}

function listMarkup(
  title: string,
  items: readonly { readonly id: string; readonly text: string }[],
): Markup | undefined {
  if (items.length === 0) return undefined;
  return html`<h2>${title}</h2>
    <ul>
      ${items.map(({ id, text }) => html`<li>${capitalised(text)}: <code>${id}</code></li>`)}
    </ul>`;
}

/** The passed trials by families, folded. */
function passedMarkup({ passedIds }: AuditResult): Markup | undefined {
  if (passedIds.length === 0) return undefined;
  const all = new Set(passedIds);
  const rows = auditFamilies.flatMap(({ name, trials }) => {
    const ids = trials.filter(({ id }) => all.has(id)).map(({ id }) => id);
    return ids.length === 0 ? [] : [html`<li>${name}: <code>${ids.join(", ")}</code></li>`];
  });
  return html`<h2>Passed</h2>
    <details>
      <summary>${countOf(passedIds.length, "trial")}</summary>
      <ul>
        ${rows}
      </ul>
    </details>`;
}
