import { useState } from "preact/hooks";
import type { ScenarioNote } from "../../protocol/index.js";
import { useRequest } from "../connection/use-request.js";
import { Badge, Button, ConfirmDialog, EmptyState, Panel, RequestNote, SearchBox } from "../design/index.js";
import { formatCounted, formatDuration } from "../format/index.js";
import { asking, startScenario } from "./story-actions.js";

/** The scenarios that can be started. @param refusal - reason why none can be started here */
export function ScenarioChooser({ refusal, playing }: { readonly refusal: string | null; readonly playing: string }) {
  const request = useRequest("/scenarios", { deps: [playing] });
  const { data } = request;
  const [search, setSearch] = useState("");
  const [chosen, setChosen] = useState<ScenarioNote>();
  const [failure, setFailure] = useState<{ readonly file: string; readonly error: Error }>();
  const words = search.toLowerCase().split(/\s+/);
  const shown = (data ?? []).filter(({ name, title, about, file }) => {
    const text = `${name} ${title ?? ""} ${about ?? ""} ${file}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
  const start = async ({ file }: ScenarioNote): Promise<void> => {
    setChosen(undefined);
    const why = await startScenario(file);
    setFailure(why === undefined ? undefined : { file, error: why });
  };
  return (
    <Panel
      title="Scenarios"
      about={refusal ?? "Scenarios of Handset Lab, and those in the server’s working directory."}
      actions={<SearchBox label="Search scenarios" value={search} onChange={setSearch} />}
    >
      <RequestNote request={request} label="Loading scenarios" lines={6} />
      {data !== undefined && shown.length === 0 && (
        <EmptyState icon="search" title="No scenario has these words">
          Search for fewer words.
        </EmptyState>
      )}
      <ul role="list">
        {shown.map((scenario) => (
          <li key={scenario.file} class="story-scenario">
            <div class="story-scenario-words">
              <h3>
                {scenario.name}{" "}
                {scenario.playing && (
                  <Badge tone="good" icon="play">
                    Plays now
                  </Badge>
                )}
                {scenario.problem !== null && (
                  <Badge tone="bad" icon="warning">
                    Cannot be read
                  </Badge>
                )}
              </h3>
              {scenario.about !== null && <p class="story-scenario-about">{scenario.about}</p>}
              <p class="design-muted">{factsOf(scenario)}</p>
              {(scenario.problem ?? (failure?.file === scenario.file ? failure.error.message : null)) !== null && (
                <pre class="story-problem" role="alert">
                  {scenario.problem ?? failure?.error.message}
                </pre>
              )}
            </div>
            <Button
              icon="play"
              isDisabled={refusal !== null || scenario.problem !== null || asking.value !== undefined}
              title={refusal ?? undefined}
              onPress={() => setChosen(scenario)}
            >
              Start<span class="design-unseen"> {scenario.name}</span>
            </Button>
          </li>
        ))}
      </ul>
      {chosen !== undefined && (
        <ConfirmDialog
          title={`Start “${chosen.name}”?`}
          confirm="Start it"
          cancel="Stay here"
          icon="play"
          onConfirm={() => start(chosen)}
          onClose={() => setChosen(undefined)}
        >
          <p>It replaces “{playing}”, whose phones, account and history are lost. Tokens and addresses stay.</p>
        </ConfirmDialog>
      )}
    </Panel>
  );
}

function factsOf({ file, handsets, people, lasts_s: lastsS, beats }: ScenarioNote): string {
  return [
    ...(lastsS === null
      ? []
      : [
          formatCounted(handsets, "handset"),
          formatCounted(people, "person", "people"),
          `lasts ${formatDuration(1000 * lastsS)}`,
        ]),
    ...(beats.length === 0 ? [] : [formatCounted(beats.length, "beat")]),
    file,
  ].join(" · ");
}
