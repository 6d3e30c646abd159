import { useContext, useEffect, useRef, useState } from "preact/hooks";
import type { Listed, TextEntry } from "../../protocol/index.js";
import { labGet } from "../connection/lab-client.js";
import { Button, Icon, type IconName, RequestNote, toastFailed } from "../design/index.js";
import { linkToChain } from "../navigation/routes.js";
import { IsoTime } from "../domain/time.jsx";
import { useAction } from "../connection/use-action.js";
import type { Requested } from "../connection/use-answer.js";
import { useLive } from "../connection/use-live.js";
import { HeldTextsContext } from "./held-texts.js";
import { stateWords } from "./words.js";
import "./thread.css";

/** Characters of a text that are shown while it is folded. */
const FOLDED = 240;

/**
 * The texts between a person and a handset as bubbles, the newest at the bottom. @param owner - owner of the phone,
 * whose texts are on the right
 */
export function Thread({
  path,
  channel,
  request: given,
  owner,
  empty,
}: {
  /** Path of a list of `TextEntry`, with its query. */
  readonly path: `/${"handset" | "person"}/conversation?${string}`;
  readonly channel: number | undefined;
  /** The live request of `path`, if the caller makes it; absent: made here. */
  readonly request?: Requested<Listed<TextEntry>>;
  readonly owner: "person" | "handset";
  /** Text of an empty conversation. */
  readonly empty: string;
}) {
  const own = useLive(given === undefined ? path : undefined, channel);
  const request = given ?? own;
  const { data } = request;
  const isHeld = useContext(HeldTextsContext);
  const [older, setOlder] = useState<Listed<TextEntry>>();
  const { isBusy, run } = useAction(toastFailed);
  useEffect(() => setOlder(undefined), [path]);
  const place = useRef<HTMLElement>(null);
  const written = owner === "person" ? data?.results.find(({ from }) => from === owner) : undefined;
  const lastWritten = written && `${written.sent_at ?? written.at} ${written.text}`;
  // After a text is sent, the thread scrolls to it. In a reversed column the newest text is at 0.
  useEffect(() => place.current?.scrollTo(0, 0), [lastWritten]);
  if (data === undefined) return <RequestNote request={request} label="Loading the texts" />;
  const next = older === undefined ? data.next : older.next;
  const more = (): void =>
    run(async () => {
      const page = await labGet(`${path}&behind=${next}`);
      setOlder({ results: [...(older?.results ?? []), ...page.results], next: page.next });
    });
  const entries = joined(data.results, older?.results ?? []).filter((entry) => !isHeld(entry, owner));
  return (
    // A reversed column keeps the newest text visible without a script: the first element is the lowest.
    <section
      ref={place}
      class="phone-thread"
      tabIndex={0}
      aria-label={`Texts on the ${owner === "person" ? "person's phone" : "handset"}, newest first`}
    >
      {entries.length === 0 && <p class="phone-thread-empty">{empty}</p>}
      {entries.map((entry) => (
        <Bubble key={keyOf(entry)} entry={entry} owner={owner} />
      ))}
      {next !== null && (
        <div class="phone-thread-more">
          <Button size="small" kind="quiet" isBusy={isBusy} onPress={() => more()}>
            Older texts
          </Button>
        </div>
      )}
    </section>
  );
}

/** Merges pages. A text can be both on the live page and on an older one that was loaded before. */
function joined(newest: readonly TextEntry[], older: readonly TextEntry[]): TextEntry[] {
  const known = new Set(newest.map(keyOf));
  return [...newest, ...older.filter((entry) => !known.has(keyOf(entry)))];
}

function keyOf({ id, sent_at: sentAt, at, text }: TextEntry): string {
  return id === null ? `${sentAt ?? at} ${text}` : String(id);
}

const glyphs: Readonly<Record<TextEntry["state"], IconName>> = {
  "on-the-way": "clock",
  held: "pause",
  "on-phone": "clock",
  reported: "check",
  "at-service": "server",
  pending: "clock",
  retry: "repeat",
  sent: "check",
  delivered: "check",
  failed: "cross",
  lost: "check",
};

function Bubble({ entry, owner }: { readonly entry: TextEntry; readonly owner: TextEntry["from"] }) {
  const { id, at } = entry;
  const isOwn = entry.from === owner;
  // A person's phone knows only that the text was sent.
  const state = owner === "person" ? "sent" : entry.state;
  return (
    <article class={`phone-bubble design-stack phone-bubble-${isOwn ? "own" : "other"}`}>
      <HostileText text={entry.text} />
      <footer class="phone-bubble-foot design-fine">
        <IsoTime iso={at} show="minute" />
        <span class={`phone-bubble-state design-inline phone-state-${state}`}>
          <Icon name={glyphs[state]} />
          {state === "delivered" && <Icon name="check" />}
          {stateWords(entry, owner)}
        </span>
        {id !== null && (
          <a class="phone-bubble-chain" href={linkToChain(id)} title="What happened to this text, step by step">
            Chain
          </a>
        )}
      </footer>
    </article>
  );
}

/** An untrusted text, isolated so that its direction and its control characters do not affect the surrounding text. */
export function HostileText({ text }: { readonly text: string }) {
  const [isOpen, setOpen] = useState(false);
  const isLong = text.length > FOLDED;
  const shown = isLong && !isOpen ? `${text.slice(0, FOLDED)}…` : text;
  return (
    <div class="phone-bubble-text">
      <p dir="auto">{shown === "" ? <span class="design-muted">(empty)</span> : shown}</p>
      {isLong && (
        <button
          type="button"
          class="phone-bubble-more design-bare"
          aria-expanded={isOpen}
          onClick={() => setOpen(!isOpen)}
        >
          {isOpen ? "Show less" : `Show all ${text.length.toLocaleString("en")} characters`}
        </button>
      )}
    </div>
  );
}
