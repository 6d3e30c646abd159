import { CopyButton } from "../design/index.js";
import { OutcomeBadge } from "../domain/outcome-badge.jsx";
import { WallTime } from "../domain/time.jsx";
import { formatBytes, formatDuration } from "../format/index.js";
import type { ChainAttempt, Header } from "./chain-types.js";
import { prettyBody } from "./step-looks.js";

/** One attempt: what came of it, and on demand its request and answer. */
export function Exchange({
  attempt,
  next,
  fields,
  isOpen,
}: {
  readonly attempt: ChainAttempt;
  /** The attempt after it. */
  readonly next: "made" | "due" | "none";
  readonly fields: Readonly<Record<string, string>>;
  readonly isOpen: boolean;
}) {
  const { request, response, wall_at: wallAt, curl } = attempt;
  return (
    <div class="chain-exchange">
      <div class="design-row">
        <OutcomeBadge outcome={attempt.outcome} status={response.status} error={response.error} next={next} />
        <span class="design-muted">
          in {formatDuration(attempt.duration_ms)}
          {wallAt !== null && (
            <>
              {", real time "}
              <WallTime wallMs={Date.parse(wallAt)} />
            </>
          )}
        </span>
        {attempt.by_hand && <span class="chain-by-hand">Sent again by hand</span>}
        {attempt.is_repeat && <span class="design-muted">Repeated after the run was killed</span>}
        {curl !== null && (
          <CopyButton text={curl} label="Copy the request as a curl command">
            Copy as curl
          </CopyButton>
        )}
      </div>
      <details class="chain-details" open={isOpen}>
        <summary>Request and answer</summary>
        <div class="chain-sides">
          <section>
            <h3>Request</h3>
            <p class="design-mono chain-line">
              {request.method} {request.url ?? "nowhere"}
            </p>
            <Headers headers={request.headers} />
            <h4>Fields, decoded</h4>
            <Fields fields={fields} />
            <details class="chain-raw">
              <summary>Body as sent</summary>
              <pre class="chain-body">{request.body}</pre>
            </details>
          </section>
          <section>
            <h3>Answer</h3>
            <p class="design-mono chain-line">
              {response.status === null
                ? `No answer: ${response.error ?? attempt.outcome}`
                : `Status ${response.status}`}
            </p>
            <Headers headers={response.headers} />
            {response.status === null ? null : response.body === null || response.body === "" ? (
              <p class="design-muted">Its body is empty.</p>
            ) : (
              <pre class="chain-body">{prettyBody(response.body)}</pre>
            )}
            {response.is_cut && (
              <p class="design-muted">Only the beginning: the body has {formatBytes(response.body_bytes)}.</p>
            )}
            {attempt.redirects.length > 0 && <p>Redirected to {attempt.redirects.join(", then ")}</p>}
          </section>
        </div>
      </details>
    </div>
  );
}

function Headers({ headers }: { readonly headers: readonly Header[] }) {
  if (headers.length === 0) return null;
  return (
    <details class="chain-raw">
      <summary>{headers.length} headers</summary>
      <dl class="chain-fields">
        {headers.map(({ name, value }, index) => (
          <div key={index}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </details>
  );
}

/** Decoded fields of an event. */
export function Fields({ fields }: { readonly fields: Readonly<Record<string, string>> }) {
  return (
    <dl class="chain-fields">
      {Object.entries(fields).map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
