import { CopyButton } from "../design/index.js";
import { OutcomeBadge } from "../domain/outcome-badge.jsx";
import { WallTime } from "../domain/time.jsx";
import { formatBytes, formatDuration, visibleText } from "../format/index.js";
import type { ChainAttempt, Header } from "../../protocol/index.js";
import { prettyBody } from "./step-looks.js";

/** One attempt: its outcome, and on demand its request and answer. */
export function Exchange({
  attempt,
  next,
  fields,
  isOpen,
}: {
  readonly attempt: ChainAttempt;
  /** Whether there is a next attempt. */
  readonly next: "made" | "due" | "none";
  readonly fields: Readonly<Record<string, string>>;
  readonly isOpen: boolean;
}) {
  const { request, response, wall_at: wallAt, curl } = attempt;
  return (
    <div class="chain-exchange design-stack-tight">
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
        <CopyButton text={curl} label="Copy the request as a curl command">
          Copy as curl
        </CopyButton>
      </div>
      <details class="chain-details" open={isOpen}>
        <summary>Request and answer</summary>
        <div class="chain-sides design-grid">
          <section>
            <h3>Request</h3>
            <p class="design-mono chain-line">
              {request.method} {request.url}
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
            <Body response={response} />
            {attempt.redirects.length > 0 && <p>Redirected to {attempt.redirects.join(", then ")}</p>}
            <Unfollowed response={response} />
          </section>
        </div>
      </details>
    </div>
  );
}

/** The body of an answer: indented JSON, or the first bytes of a binary body. */
function Body({ response }: { readonly response: ChainAttempt["response"] }) {
  const { status, body, body_bytes: bytes, is_binary: isBinary, is_cut: isCut } = response;
  if (status === null) return null;
  if (body === null && isCut) return <p class="design-muted">Its body of {formatBytes(bytes)} is not recorded.</p>;
  if (body === null || body === "") return <p class="design-muted">Its body is empty.</p>;
  return (
    <>
      {isBinary && <p class="design-muted">A binary body of {formatBytes(bytes)}:</p>}
      <pre class={isBinary ? "chain-body chain-dump" : "chain-body"}>{visibleText(prettyBody(body))}</pre>
      {isCut && <p class="design-muted">Only the beginning: the body has {formatBytes(bytes)}.</p>}
    </>
  );
}

/** Explains that the redirect was not followed: the status alone would look like a defect of the lab. */
function Unfollowed({ response: { status, headers } }: { readonly response: ChainAttempt["response"] }) {
  const location = headers.find(({ name }) => name.toLowerCase() === "location")?.value;
  if (status === null || status < 300 || status > 399 || location === undefined) return null;
  return (
    <p>
      The redirect to <span class="chain-value">{visibleText(location)}</span> was not followed.
    </p>
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
            <dd>{visibleText(value)}</dd>
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
          <dd>{visibleText(value)}</dd>
        </div>
      ))}
    </dl>
  );
}
