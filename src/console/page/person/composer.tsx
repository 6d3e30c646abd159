import { useState } from "preact/hooks";
import { labPost } from "../connection/lab-client.js";
import { useAction } from "../connection/use-action.js";
import { Button, toastDone, toastFailed } from "../design/index.js";
import { ActsNow } from "../domain/acts-now.jsx";

interface Acting {
  readonly who: string;
  readonly handset: string;
  readonly onSent: () => void;
}

/** Writes a text as a person. It is recorded as an input of the world. */
export function Composer({ who, handset, onSent }: Acting) {
  const [body, setBody] = useState("");
  const { isBusy, run } = useAction(toastFailed);
  const send = (): void => {
    if (body.trim() === "") return;
    run(async () => {
      await labPost("/do/text", { from: who, to: handset, body });
      setBody("");
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
            class="design-input"
            rows={1}
            dir="auto"
            value={body}
            placeholder={`Text ${handset}`}
            onInput={(event) => setBody(event.currentTarget.value)}
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
