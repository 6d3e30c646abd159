import { moment } from "../connection/moment.js";
import { storyMs } from "../connection/past-state.js";
import { serverPath } from "../connection/server-address.js";
import { useShownMoment } from "../connection/shown-moment.js";
import { clock, lab, run, story, totals } from "../connection/state.js";
import { RunCharts } from "../charts/run-charts.jsx";
import { EmptyState, LinkButton, Loading, Note, ViewHead } from "../design/index.js";
import { ExpectationsPanel } from "../domain/expectation-list.jsx";
import type { Route } from "../navigation/routes.js";
import { Findings } from "./findings.jsx";
import { Progress } from "./progress.jsx";
import { Verdict } from "./verdict.jsx";
import "./run.css";

/** A current or finished run: progress, charts, expectations, findings, verdict. */
export function RunView(_props: { readonly route: Route }) {
  const facts = lab.value;
  const now = clock.value;
  const counts = totals.value;
  useShownMoment(storyMs.value);
  if (facts === undefined || now === undefined || counts === undefined) return <Loading label="Loading the run" />;
  if (facts.mode !== "run") {
    return (
      <>
        <ViewHead title="Run" />
        <EmptyState icon="run" title="This lab is not a run">
          This lab is served: it has no end and no verdict. To see a run, start one with
          <code> handset run SCENARIO --console</code>.
        </EmptyState>
      </>
    );
  }
  const current = run.value;
  const report = current?.report ?? null;
  const verdict = current?.verdict ?? null;
  return (
    <>
      <ViewHead
        title={facts.name}
        about={`Seed ${facts.seed}. ${facts.database === null ? "Recorded in memory." : `Recording: ${facts.database}`}`}
        actions={
          report !== null && (
            <LinkButton kind="main" icon="external" href={serverPath(report)} opensTab>
              Open the report
            </LinkButton>
          )
        }
      />
      <div class="run-view">
        {moment.value !== undefined && (
          <Note>
            Progress, charts and expectations show the moment above; verdict and findings cover the{" "}
            {current?.isOver === true ? "whole run" : "run up to now"}.
          </Note>
        )}
        {verdict !== null && <Verdict verdict={verdict} />}
        <Progress
          facts={facts}
          clock={now}
          totals={counts}
          isOver={current?.isOver === true && moment.value === undefined}
        />
        <RunCharts />
        <div class="run-columns">
          <Findings run={current} />
          <ExpectationsPanel expectations={story.value?.expectations ?? []} />
        </div>
      </div>
    </>
  );
}
