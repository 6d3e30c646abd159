import type { AttemptDetail } from "../figures/index.js";
import { failureMeaning } from "../findings/index.js";
import { readableDuration } from "../number-format.js";
import { html, type Markup } from "./markup.js";

/** A folded attempt with request and answer. */
export function attemptDetails(attempt: AttemptDetail): Markup {
  const { status, error, latencyMs, durationMs, answer, answerHeaders, answerBytes } = attempt;
  return html`<details class="attempt">
    <summary>
      <b>${readableDuration(latencyMs)}</b>
      <span>${status === null ? (error ?? attempt.outcome) : `status ${status}`}, ${attempt.outcome}</span>
      <span>${attempt.type} from ${attempt.handset}</span>
      <span class="soft"
        >due at ${readableDuration(attempt.dueMs)}${attempt.try > 1 ? `, try ${attempt.try}` : ""}</span
      >
    </summary>
    <p class="about">
      Event ${attempt.event}, virtual time ${readableDuration(attempt.dueAtMs)}; ${readableDuration(durationMs)} from
      the request to its end.
      ${status === null ? `The attempt ${failureMeaning(attempt.outcome === "timeout" ? "timeout" : (error ?? ""))}.` : ""}
    </p>
    <h4>Request body</h4>
    <pre>${attempt.request === "" ? "(empty)" : attempt.request}</pre>
    ${
      answerHeaders === null
        ? html``
        : html`<h4>Answer headers</h4>
            <pre>${answerHeaders}</pre>`
    }
    <h4>Answer body${answerBytes > 0 ? ` (${answerBytes} bytes)` : ""}</h4>
    <pre>${answer === null || answer === "" ? "(nothing came)" : answer}</pre>
  </details>`;
}

/** The failed attempts, a few of each kind. */
export function failedSection(failed: readonly AttemptDetail[]): Markup {
  const kinds = [...new Set(failed.map(({ kind }) => kind))];
  return html`${kinds.map((kind) => {
    const own = failed.filter((attempt) => attempt.kind === kind);
    return html`<h3><code>${kind}</code> <span class="soft">the first ${String(own.length)}</span></h3>
      ${own.map(attemptDetails)}`;
  })}`;
}
