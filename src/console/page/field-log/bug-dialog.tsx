import { BugVerdict, BugView } from "../bug/bug-view.jsx";
import { PlayButton } from "../bug/play-button.jsx";
import { ResetField } from "../bug/reset-field.jsx";
import { useBugFile } from "../bug/use-bug-file.js";
import { Dialog, ErrorNote, Loading, Note } from "../design/index.js";
import { formatCounted } from "../format/index.js";

/** Shows a bug file that was given to the page, and plays it at the lab's receiver. */
export function BugDialog({ file, onClose }: { readonly file: File; readonly onClose: () => void }) {
  const read = useBugFile(file, file.name);
  const { bug, work } = read;
  const played = work.job?.play ?? undefined;
  return (
    <Dialog
      title={bug?.title ?? file.name}
      size="wide"
      onClose={onClose}
      actions={(bug?.receiver ?? null) !== null && <PlayButton file={read} isMain />}
    >
      <div class="design-stack">
        {read.isLoading && <Loading label="The file is read" lines={6} />}
        {read.error !== undefined && <ErrorNote error={read.error} />}
        {bug !== undefined && (
          <>
            <p class="design-muted bug-name">
              {file.name},{" "}
              {bug.kind === "exact" ? `a bug file of ${formatCounted(bug.requests.length, "request")}` : "a scenario"}
            </p>
            {work.error !== undefined && work.error.fields["reset"] === undefined && <ErrorNote error={work.error} />}
            <BugVerdict played={played} problem={work.job?.problem ?? null} />
            {bug.receiver === null ? (
              <Note>{bug.not_here}</Note>
            ) : (
              <>
                <p>
                  <em>Play it here</em> sends {bug.requests.length === 1 ? "the request" : "the requests"} to{" "}
                  <span class="design-mono">{bug.receiver}</span> at once, beside the lab. Nothing is recorded in the
                  lab's account; your receiver keeps what they do to it.
                </p>
                <ResetField error={work.error?.fields["reset"]} isDisabled={work.isRunning} />
              </>
            )}
            <BugView bug={bug} played={played} />
          </>
        )}
      </div>
    </Dialog>
  );
}
