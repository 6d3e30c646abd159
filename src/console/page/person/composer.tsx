import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { labPost } from "../connection/lab-client.js";
import { labNumber } from "../connection/state.js";
import { useAction } from "../connection/use-action.js";
import { Button, toastDone, toastFailed } from "../design/index.js";
import { ActsNow } from "../domain/acts-now.jsx";
import { nameOfHandset } from "../domain/handset-name.jsx";
import { followsTexts, startFollowing } from "./follow.js";

interface Acting {
  readonly who: string;
  readonly handset: string;
  readonly onSent: () => void;
}

/**
 * Drafts by person. They survive a restart of a repeating scenario, which rebuilds the page, and the choice of another
 * handset.
 */
const drafts = new Map<string, string>();
/** The person whose draft had the focus when the page was rebuilt. */
let wasWriting: string | undefined;

/** Writes a text as a person. It is recorded as an input of the world. */
export function Composer({ who, handset, onSent, suggestions }: Acting & { readonly suggestions: readonly string[] }) {
  const field = useRef<HTMLTextAreaElement>(null);
  const [body, setBody] = useState(() => drafts.get(who) ?? "");
  const write = (text: string): void => {
    setBody(text);
    if (text === "") drafts.delete(who);
    else drafts.set(who, text);
  };
  useLayoutEffect(() => {
    const number = labNumber.peek();
    if (wasWriting === who) field.current?.focus();
    wasWriting = undefined;
    return () => {
      if (labNumber.peek() !== number && document.activeElement === field.current) wasWriting = who;
    };
  }, [who]);
  const { isBusy, run } = useAction(toastFailed);
  const send = (text = body): void => {
    if (text.trim() === "") return;
    run(async () => {
      if (followsTexts.value) await startFollowing();
      await labPost("/do/text", { from: who, to: handset, body: text });
      if (text === body) write("");
      onSent();
    });
  };
  return (
    <ActsNow>
      {suggestions.length > 0 && body === "" && (
        <ul role="list" class="person-suggestions" aria-label="Texts to send with one press">
          {suggestions.map((text) => (
            <li key={text}>
              <button
                type="button"
                class="person-suggestion"
                aria-disabled={isBusy}
                onClick={() => {
                  if (!isBusy) send(text);
                }}
              >
                <bdi class="design-cut">{text}</bdi>
              </button>
            </li>
          ))}
        </ul>
      )}
      <form
        class="person-composer"
        onSubmit={(event) => {
          event.preventDefault();
          send();
        }}
      >
        <label class="person-composer-field">
          <span class="design-unseen">Text to {nameOfHandset(handset)}</span>
          <textarea
            ref={field}
            class="design-input"
            rows={1}
            dir="auto"
            value={body}
            placeholder={`Text ${nameOfHandset(handset)}`}
            onInput={(event) => write(event.currentTarget.value)}
            onKeyDown={(event) => {
              if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
              event.preventDefault();
              send();
            }}
          />
        </label>
        <Button kind="main" icon="send" isSubmit isBusy={isBusy} isDisabled={body.trim() === ""}>
          Send
        </Button>
      </form>
    </ActsNow>
  );
}

/** Calls a handset as a person, without or with an answer. */
export function CallButtons({ who, handset, onSent }: Acting) {
  const call = async (args: object, words: string): Promise<void> => {
    try {
      await labPost("/do/call", { from: who, to: handset, ...args });
      toastDone(words);
      onSent();
    } catch (error) {
      toastFailed(error);
    }
  };
  return (
    <ActsNow>
      <div class="person-calls">
        <Button
          size="small"
          icon="missed"
          onPress={() => call({ rings: "20s" }, `${nameOfHandset(handset)} rings for 20 s`)}
        >
          Call, no answer
        </Button>
        <Button
          size="small"
          icon="call"
          onPress={() => call({ talks: "1m" }, `Call with ${nameOfHandset(handset)} for 1 min`)}
        >
          Call for 1 min
        </Button>
      </div>
    </ActsNow>
  );
}
