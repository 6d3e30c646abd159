import { Panel } from "../design/index.js";
import { Time } from "../domain/time.jsx";
import { linkToChain } from "../navigation/routes.js";
import { visibleText } from "../format/index.js";
import type { Chain, ChainEvent } from "../../protocol/index.js";
import { copyCausesOf } from "./fold-copies.js";

/** Up to this many copies are all listed; of more, only the first and the last. */
const LISTED_MAX = 12;

/** A copy beside its original: their times, and the fields that differ. Empty for a chain without copies. */
export function Copies({ chain }: { readonly chain: Chain }) {
  const asked = chain.events.find(({ id }) => id === chain.id);
  const copy =
    asked?.copy === undefined || asked.copy === null ? chain.events.find((event) => event.copy !== null) : asked;
  const original = chain.events.find(({ id }) => id === copy?.copy?.of);
  if (copy === undefined || copy.copy === null || original === undefined) return null;
  return (
    <Panel title="Copy and original" about={whyCopied(chain, original)} isFlush>
      <div class="chain-table">
        <table>
          <caption class="design-unseen">Fields that differ between the original and its copy</caption>
          <thead>
            <tr>
              <td />
              <Head event={original} word="Original" asked={chain.id} />
              <Head event={copy} word="Copy" asked={chain.id} />
            </tr>
          </thead>
          <tbody>
            <tr>
              <th scope="row">Reached the service</th>
              <td>
                <Time atMs={original.at_ms} />
              </td>
              <td>
                <Time atMs={copy.at_ms} />
              </td>
            </tr>
            {copy.copy.differs.map(({ field, original: before, copy: after }) => (
              <tr key={field}>
                <th scope="row">{field}</th>
                <td class="chain-value">{visibleText(before ?? "absent")}</td>
                <td class="chain-value">{visibleText(after ?? "absent")}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <p class="chain-note design-muted">
        All other fields are equal: a receiver can tell the copies apart only by these.
        {original.copies.length > 1 && (
          <>
            {` All ${original.copies.length} copies: `}
            {listed(original.copies).map((id, index) => (
              <span key={id ?? "…"}>
                {index > 0 && ", "}
                {id === undefined ? "…" : <a href={linkToChain(id)}>{id}</a>}
              </span>
            ))}
            .
          </>
        )}
      </p>
    </Panel>
  );
}

function whyCopied(chain: Chain, { copies }: ChainEvent): string {
  return `Why there are ${copies.length === 1 ? "two" : copies.length + 1}: ${copyCausesOf(chain)}.`;
}

/** The ids to show; undefined marks omitted ones. */
function listed(ids: readonly string[]): readonly (string | undefined)[] {
  return ids.length <= LISTED_MAX ? ids : [...ids.slice(0, LISTED_MAX - 2), undefined, ids.at(-1)];
}

function Head({ event, word, asked }: { readonly event: ChainEvent; readonly word: string; readonly asked: string }) {
  return (
    <th scope="col">
      {word} {event.id === asked ? event.id : <a href={linkToChain(event.id)}>{event.id}</a>}
    </th>
  );
}
