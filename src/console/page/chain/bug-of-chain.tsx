import { useRef, useState } from "preact/hooks";
import type { ChainBug, MinimisedBug } from "../../protocol/index.js";
import { labPost } from "../connection/lab-client.js";
import { useBugWork } from "../connection/use-bug-work.js";
import { useRequest } from "../connection/use-request.js";
import { Button, Dialog, download, ErrorNote, Facts, Input, Note, RequestNote, Select } from "../design/index.js";
import { formatCount, formatCounted } from "../format/index.js";

/** Makes a bug file of a chain's requests, and searches the smallest one that fails in the same way. */
export function BugOfChainDialog({
  id,
  onBack,
  onClose,
}: {
  readonly id: string;
  readonly onBack: () => void;
  readonly onClose: () => void;
}) {
  const [wrong, setWrong] = useState<string>();
  const work = useBugWork();
  const of = encodeURIComponent(id);
  const made = useRequest(
    wrong === undefined ? `/chain/bug?id=${of}` : `/chain/bug?id=${of}&while=${encodeURIComponent(wrong)}`,
  );
  const bug = made.data;
  // The choices stay while another answer is loaded, or was refused.
  const choices = useRef<ChainBug["choices"]>([]);
  if (bug !== undefined) choices.current = bug.choices;
  const name = `from-${id.replace("/", "-")}.bug.yaml`;
  const small = work.job?.minimise ?? undefined;
  const yaml = small?.yaml ?? bug?.yaml ?? null;
  const canMinimise = bug !== undefined && bug.no_minimise === null && bug.condition !== null;
  return (
    <Dialog
      title="Bug file of these events"
      size="wide"
      onClose={onClose}
      actions={
        <>
          <Button onPress={onBack}>Back to the scenario</Button>
          {work.isRunning ? (
            <Button icon="cross" onPress={work.stop}>
              Stop
            </Button>
          ) : (
            canMinimise && (
              <Button onPress={() => work.begin(() => labPost("/bug/minimise", { id, while: bug.condition ?? "" }))}>
                Minimise
              </Button>
            )
          )}
          {yaml !== null && (
            <Button kind="main" icon="download" isDisabled={work.isRunning} onPress={() => download(name, yaml)}>
              Save as bug file
            </Button>
          )}
        </>
      }
    >
      <div class="design-stack">
        {bug === undefined && <RequestNote request={made} lines={8} />}
        {bug !== undefined && made.error !== undefined && <ErrorNote error={made.error} />}
        {(bug !== undefined || wrong !== undefined) && !work.isRunning && (
          <WhatIsWrong
            key={bug?.condition ?? wrong}
            bug={bug}
            choices={choices.current}
            wrong={wrong}
            onWrong={(text) => {
              work.forget();
              setWrong(text);
            }}
          />
        )}
        {work.error !== undefined && <ErrorNote error={work.error} />}
        <div role="status" class="design-stack">
          {small !== undefined && <Progress small={small} problem={work.job?.problem ?? null} />}
        </div>
        {bug !== undefined && <OfBug bug={bug} isMinimised={(small?.yaml ?? null) !== null} />}
        {bug !== undefined && small === undefined && <AboutMinimising bug={bug} />}
        {yaml !== null && (
          <pre class="chain-body chain-yaml" tabIndex={0} aria-label="The bug file as YAML">
            {yaml}
          </pre>
        )}
      </div>
    </Dialog>
  );
}

/** Where the choices have a pattern to fill in. */
const PATTERN = "/PATTERN/";

function WhatIsWrong({
  bug,
  choices,
  wrong,
  onWrong,
}: {
  readonly bug: ChainBug | undefined;
  readonly choices: ChainBug["choices"];
  readonly wrong: string | undefined;
  readonly onWrong: (text: string) => void;
}) {
  const [text, setText] = useState(bug?.condition ?? wrong ?? "");
  const shown = choices.find(({ condition }) => condition === text)?.condition ?? "";
  return (
    <form
      class="design-stack"
      onSubmit={(event) => {
        event.preventDefault();
        if (text.trim() !== "" && !text.includes(PATTERN)) onWrong(text.trim());
      }}
    >
      {bug?.condition === null && <p>The recorded answers show nothing wrong. What should have been otherwise?</p>}
      {bug?.is_proposed === true && <p>The recorded answers show what is wrong. You can say something else.</p>}
      {choices.length > 0 && (
        <Select
          label="What is wrong"
          value={shown}
          options={[
            { value: "", label: (bug?.condition ?? null) === null ? "Choose" : "As written below" },
            ...choices.map(({ condition, label }) => ({ value: condition, label })),
          ]}
          onChange={(chosen) => {
            if (chosen === "") return;
            setText(chosen);
            if (!chosen.includes(PATTERN)) onWrong(chosen);
          }}
        />
      )}
      <Input
        label="In the words of --while"
        isMono
        value={text}
        onChange={setText}
        hint={
          text.includes(PATTERN)
            ? "Put what the wrong reply says in place of PATTERN, such as reply /sorry/"
            : "status 500, no reply, reply /sorry/, hears-twice, timeout; Enter takes it"
        }
      />
    </form>
  );
}

function OfBug({ bug, isMinimised }: { readonly bug: ChainBug; readonly isMinimised: boolean }) {
  const { requests, failing, right, notes, condition } = bug;
  if (requests === 0) return <Note tone="warning">No request of these events reached a receiver.</Note>;
  return (
    <>
      {!isMinimised && condition !== null && (
        <Facts
          facts={[
            ["Requests", formatCount(requests)],
            ["Shown by", failing === null ? "none of the recorded answers" : `the answer to request ${failing}`],
            ["What is right", right],
          ]}
        />
      )}
      {!isMinimised &&
        notes.map((note) => (
          <Note key={note} tone="warning">
            {note}
          </Note>
        ))}
    </>
  );
}

function AboutMinimising({ bug: { condition, requests, no_minimise: why, command } }: { readonly bug: ChainBug }) {
  if (condition === null || requests === 0) return null;
  return why === null ? (
    <p>
      <em>Minimise</em> plays the recording up to this event at the lab's receiver, again and again with less in it, for
      up to a minute. The lab continues meanwhile: pause it first if its own events would disturb. It works only if the
      receiver does not remember earlier plays; otherwise, in a terminal: <code class="chain-command">{command}</code>
    </p>
  ) : (
    <Note>
      It cannot be minimised here: {why} In a terminal: <code class="chain-command">{command}</code>
    </Note>
  );
}

function Progress({ small, problem }: { readonly small: MinimisedBug; readonly problem: string | null }) {
  const { phase, trials, events, before, ending, words, command } = small;
  if (problem !== null) {
    return (
      <Note tone="warning">
        {problem} In a terminal: <code class="chain-command">{command}</code>
      </Note>
    );
  }
  if (ending === null) {
    return (
      <>
        <p>
          {phase}: {formatCounted(trials, "trial")}, {formatCount(events)} of {formatCounted(before, "event")} left
        </p>
        <progress
          class="chain-progress"
          max={Math.log(before + 1)}
          value={Math.log(before + 1) - Math.log(events)}
          aria-label="Events that are gone"
        />
      </>
    );
  }
  return (
    <Note tone={ending === "found" ? "good" : "warning"}>
      {words.join(" ")}{" "}
      {ending !== "found" && (
        <>
          Start the receiver again for each trial, in a terminal: <code class="chain-command">{command}</code>
        </>
      )}
    </Note>
  );
}
