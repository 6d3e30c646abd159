import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { labPost } from "../connection/lab-client.js";
import { labNumber } from "../connection/state.js";
import { useAction } from "../connection/use-action.js";
import { Button, toastDone, toastFailed } from "../design/index.js";
import { ActsNow } from "../domain/acts-now.jsx";

interface Acting {
  readonly who: string;
  readonly handset: string;
  readonly onSent: () => void;
}

/**
 * What is being written, by person. It stays when a repeating scenario begins again, which makes the page anew, and when
 * another handset is chosen.
 */
const drafts = new Map<string, string>();
/** The person in whose text the focus was when the page was made anew. */
let wasWriting: string | undefined;

/** Writes a text as a person. It is recorded as an input of the world. */
export function Composer({ who, handset, onSent }: Acting) {
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
  const send = (): void => {
    if (body.trim() === "") return;
    run(async () => {
      await labPost("/do/text", { from: who, to: handset, body });
      write("");
      onSent();
    });
  };
  return (
    <ActsNow>
      <form
        class="person-composer"
        onSubmit={(event) => {
          event.preventDefault();
          send();
        }}
      >
        <label class="person-composer-field">
          <span class="design-unseen">Text to {handset}</span>
          <textarea
            ref={field}
            class="design-input"
            rows={1}
            dir="auto"
            value={body}
            placeholder={`Text ${handset}`}
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

/** Calls a handset as a person: it rings in vain, or they talk. */
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
        <Button size="small" icon="missed" onPress={() => call({ rings: "20s" }, `It rings at ${handset} for 20 s`)}>
          Ring, nobody answers
        </Button>
        <Button
          size="small"
          icon="call"
          onPress={() => call({ talks: "1m" }, `They talk with ${handset} for a minute`)}
        >
          Talk for a minute
        </Button>
      </div>
    </ActsNow>
  );
}
