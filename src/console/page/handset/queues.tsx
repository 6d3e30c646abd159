import type { ComponentChildren } from "preact";
import type { HandsetDetails, OutboxMessage, WaitingReport } from "../../protocol/index.js";
import { Badge, type Tone } from "../design/index.js";
import { linkToChain, linkToPerson } from "../navigation/routes.js";
import { IsoTime } from "../domain/time.jsx";
import { reportName, reportWait, waitWords } from "../phone/words.js";

const states: Readonly<Record<OutboxMessage["state"], { readonly word: string; readonly tone: Tone }>> = {
  born: { word: "Pending", tone: "note" },
  pending: { word: "With the radio", tone: "note" },
  retry: { word: "Retry", tone: "warning" },
  sent: { word: "Sent", tone: "good" },
  delivered: { word: "Delivered", tone: "good" },
  failed: { word: "Failed", tone: "bad" },
};

/** The phone's queues: messages to send, reports to upload, and texts at the service and at the carrier. */
export function Queues({ handset }: { readonly handset: HandsetDetails }) {
  const { outbox, reports, unread, at_service: atService, carried } = handset;
  return (
    <div class="design-grid">
      <Queue
        title="Messages to send"
        count={outbox.pending + outbox.retry}
        empty="No message waits on the phone."
        note={rest(outbox.count, outbox.messages.length)}
      >
        {outbox.messages.map((message) => (
          <Message key={message.id} message={message} handset={handset} />
        ))}
      </Queue>
      <Queue
        title="Reports that wait"
        count={reports.count}
        empty="The app has nothing to report."
        note={rest(reports.count, reports.waiting.length)}
      >
        {reports.waiting.map((report, index) => (
          <Report key={`${report.since} ${index}`} report={report} />
        ))}
      </Queue>
      {unread.count > 0 && (
        <Queue title="Unread texts" count={unread.count} empty="" note={rest(unread.count, unread.texts.length)}>
          {unread.texts.map(({ from, text, at }) => (
            <li key={`${at} ${from} ${text}`} class="handset-entry">
              <Line text={text} phone={from} />
              <span class="design-aside">
                On the phone since <IsoTime iso={at} />: the app has not read it.
              </span>
            </li>
          ))}
        </Queue>
      )}
      {atService.count > 0 && (
        <Queue
          title="At the service, not on the phone"
          count={atService.count}
          empty=""
          note={rest(atService.count, atService.messages.length)}
        >
          {atService.messages.map(({ id, to, text, offered }) => (
            <li key={id} class="handset-entry">
              <Line text={text} phone={to} id={id} />
              <span class="design-aside">
                {offered ? "Offered in a sync; the phone has not confirmed it." : "Comes with the next sync."}
              </span>
            </li>
          ))}
        </Queue>
      )}
      {(carried.held > 0 || carried.on_the_way > 0) && (
        <p class="design-muted">
          {carried.on_the_way > 0 && `${carried.on_the_way} on the way to the phone. `}
          {carried.held > 0 && `${carried.held} held by the carrier until it reaches the phone.`}
        </p>
      )}
    </div>
  );
}

function Queue({
  title,
  count,
  empty,
  note,
  children,
}: {
  readonly title: string;
  readonly count: number;
  readonly empty: string;
  readonly note: string | undefined;
  readonly children: readonly ComponentChildren[];
}) {
  return (
    <section class="handset-queue">
      <h3>
        {title} <span class="design-muted design-number">{count}</span>
      </h3>
      {children.length === 0 ? (
        <p class="design-muted">{empty}</p>
      ) : (
        <ul role="list" class="handset-entries" tabIndex={children.length > 4 ? 0 : -1} aria-label={title}>
          {children}
        </ul>
      )}
      {note !== undefined && <p class="design-muted">{note}</p>}
    </section>
  );
}

function Message({ message, handset }: { readonly message: OutboxMessage; readonly handset: HandsetDetails }) {
  const { id, to, text, state, tries, until, segments } = message;
  const { word, tone } = states[state];
  return (
    <li class="handset-entry">
      <Line text={text} phone={to} id={id} badge={<Badge tone={tone}>{word}</Badge>} />
      <span class="design-aside">
        {waitWords(message, handset.blocked_by)}
        {until !== null && (
          <>
            {" "}
            until <IsoTime iso={until} />
          </>
        )}
        {tries > 0 && ` · ${tries} of ${handset.outbox.tries_max} tries failed`}
        {segments > 1 && ` · ${segments} segments`}
      </span>
    </li>
  );
}

function Report({ report }: { readonly report: WaitingReport }) {
  const { type, phone, text, message, since } = report;
  return (
    <li class="handset-entry">
      <Line
        text={text ?? ""}
        phone={phone}
        id={message}
        badge={<Badge tone={type === "mt_fail" ? "bad" : "neutral"}>{reportName(type)}</Badge>}
      />
      <span class="design-aside">
        {reportWait(report)} · since <IsoTime iso={since} />
      </span>
    </li>
  );
}

/** One line: the person, the text, and a link to its chain. */
function Line({
  text,
  phone,
  id,
  badge,
}: {
  readonly text: string;
  readonly phone: string | null;
  readonly id?: number | null | undefined;
  readonly badge?: ComponentChildren;
}) {
  return (
    <span class="handset-entry-line design-line">
      {badge}
      {phone !== null && (
        <a class="design-number" href={linkToPerson(phone)}>
          <bdi>{phone}</bdi>
        </a>
      )}
      <span class="handset-entry-text design-cut" dir="auto" title={text.slice(0, 300)}>
        {text.slice(0, 200)}
      </span>
      {id !== undefined && id !== null && <a href={linkToChain(id)}>Chain</a>}
    </span>
  );
}

function rest(count: number, shown: number): string | undefined {
  return count > shown ? `The first ${shown} of ${count.toLocaleString("en")}.` : undefined;
}
