import { useState } from "preact/hooks";
import type { ConversationHead, HandsetDetails } from "../../protocol/index.js";
import { Badge, Button, Icon, IconButton, RequestNote, Tabs } from "../design/index.js";
import { formatDuration } from "../format/index.js";
import { linkToChain, linkToPerson } from "../navigation/routes.js";
import { nameOfHandset } from "../domain/handset-name.jsx";
import { IsoTime } from "../domain/time.jsx";
import { DeadScreen, HandsetStatusBar, PhoneFrame } from "./phone-frame.jsx";
import { Thread } from "./thread.jsx";
import { useLive } from "../connection/use-live.js";
import { useRequest } from "../connection/use-request.js";
import { callWords, lossWords, stateWords } from "./words.js";
import "./phone-screen.css";

/** Conversations in a page of the list. */
const PAGE = 30;

type TabName = "texts" | "calls";

/** A handset's screen: the list of conversations, one of them, or the call log. */
export function PhoneScreen({
  handset,
  open,
  onOpen,
}: {
  readonly handset: HandsetDetails;
  /** Phone number of the open conversation. */
  readonly open: string | undefined;
  readonly onOpen: (phone: string | undefined) => void;
}) {
  const [tab, setTab] = useState<TabName>("texts");
  const { selector, channel, phone, power, calls } = handset;
  const frame = { title: nameOfHandset(selector), subtitle: phone, status: <HandsetStatusBar handset={handset} /> };
  if (!power.on) {
    return (
      <PhoneFrame {...frame} isDark>
        <DeadScreen power={power} />
      </PhoneFrame>
    );
  }
  const ringing = calls.ongoing[0];
  return (
    <PhoneFrame {...frame}>
      {ringing !== undefined && (
        <p class="phone-ringing design-line" role="status">
          <Icon name="call" />
          <span>
            {/miss|unk/.test(ringing.type) ? "Rings" : "In a call"}: <bdi class="design-number">{ringing.phone}</bdi>{" "}
            until <IsoTime iso={ringing.ends_at} />
          </span>
        </p>
      )}
      {open !== undefined ? (
        <>
          <OpenConversation phone={open} onClose={() => onOpen(undefined)} />
          <Thread
            path={`/handset/conversation?of=${encodeURIComponent(selector)}&with=${encodeURIComponent(open)}&limit=${PAGE}`}
            channel={channel}
            owner="handset"
            empty="No texts with this number on the phone yet."
          />
        </>
      ) : (
        <Tabs
          label="What the phone shows"
          chosen={tab}
          onChoose={setTab}
          tabs={[
            { name: "texts", label: "Texts" },
            { name: "calls", label: "Calls", ...(calls.unread > 0 && { count: calls.unread }) },
          ]}
        >
          {tab === "texts" ? (
            <ConversationList selector={selector} channel={channel} onOpen={onOpen} />
          ) : (
            <CallLog
              path={`/handset/calls?of=${encodeURIComponent(selector)}&limit=${PAGE}`}
              channel={channel}
              empty="No calls yet. A person can call this handset."
            />
          )}
        </Tabs>
      )}
    </PhoneFrame>
  );
}

/** A conversation, under a line with the person's name from the list. */
function OpenConversation({ phone, onClose }: { readonly phone: string; readonly onClose: () => void }) {
  const { data } = useRequest(`/person?who=${encodeURIComponent(phone)}`);
  const name = data?.name ?? phone;
  return (
    <div class="phone-open design-line">
      <IconButton icon="arrowLeft" label="All conversations" size="small" onPress={onClose} />
      <a class="design-cut" href={linkToPerson(phone)}>
        <bdi>{name}</bdi>
      </a>
      {name !== phone && <span class="design-muted design-number">{phone}</span>}
    </div>
  );
}

function ConversationList({
  selector,
  channel,
  onOpen,
}: {
  readonly selector: string;
  readonly channel: number;
  readonly onOpen: (phone: string) => void;
}) {
  const [limit, setLimit] = useState(PAGE);
  const path = `/handset/conversations?of=${encodeURIComponent(selector)}&limit=${limit}` as const;
  const request = useLive(path, channel);
  const { data } = request;
  if (data === undefined) return <RequestNote request={request} label="Loading the conversations" />;
  if (data.results.length === 0) {
    return <p class="phone-thread-empty">No texts on this phone yet. A person can text it.</p>;
  }
  return (
    <div class="phone-list" tabIndex={0} role="region" aria-label="Conversations">
      <ul role="list">
        {data.results.map((head) => (
          <li key={head.phone}>
            <Conversation head={head} onOpen={() => onOpen(head.phone)} />
          </li>
        ))}
      </ul>
      {data.next !== null && limit < 100 && (
        <Button size="small" kind="quiet" onPress={() => setLimit(100)}>
          Show more
        </Button>
      )}
    </div>
  );
}

function Conversation({ head, onOpen }: { readonly head: ConversationHead; readonly onOpen: () => void }) {
  const { phone, name, last, unsynced, waiting } = head;
  return (
    <button type="button" class="phone-conversation design-stack design-bare" onClick={onOpen}>
      <span class="phone-conversation-top">
        <bdi class="phone-conversation-name design-cut">{name ?? phone}</bdi>
        <IsoTime iso={last.at} show="minute" />
      </span>
      <span class="phone-conversation-text design-cut" dir="auto">
        {last.text.slice(0, 120)}
      </span>
      <span class="phone-conversation-marks design-row">
        <span class="design-muted">
          {last.from === "person" ? "Received" : "To them"} · {stateWords(last)}
        </span>
        {unsynced > 0 && (
          <Badge tone="warning" icon="upload">
            {unsynced} not synced
          </Badge>
        )}
        {waiting > 0 && (
          <Badge tone="warning" icon="queue">
            {waiting} to send
          </Badge>
        )}
      </span>
    </button>
  );
}

/** The calls of a phone, newest first. @param path - of a list of `CallEntry`, or of a page of them */
export function CallLog({
  path,
  channel,
  empty,
}: {
  readonly path: `/${"handset" | "person"}/calls?${string}`;
  readonly channel: number | undefined;
  readonly empty: string;
}) {
  const request = useLive(path, channel);
  const { data } = request;
  if (data === undefined) return <RequestNote request={request} label="Loading the calls" />;
  const calls = "results" in data ? data.results : data;
  if (calls.length === 0) return <p class="phone-thread-empty">{empty}</p>;
  return (
    <div class="phone-list" tabIndex={0} role="region" aria-label="Calls">
      <ul role="list">
        {calls.map(({ id, phone, name, type, at, duration_s: durationS, state, cause }) => (
          <li key={id ?? `${phone} ${at}`} class="phone-call design-line">
            <Icon name={/miss|unk|lost/.test(type) ? "missed" : "call"} />
            <span class="phone-call-words">
              <bdi class="phone-conversation-name design-cut">{name ?? phone}</bdi>
              <span class="design-muted">
                {state === "ongoing" ? "Now" : callWords(type)}
                {durationS > 0 && `, ${formatDuration(durationS * 1000)}`}
                {state === "on-phone" && " · not synced"}
                {state === "lost" && `: ${lossWords(cause)}`}
              </span>
            </span>
            <IsoTime iso={at} show="minute" />
            {id !== null && (
              <a class="phone-bubble-chain" href={linkToChain(id)}>
                Chain
              </a>
            )}
          </li>
        ))}
      </ul>
    </div>
  );
}
