import { Button } from "../design/index.js";
import type { ReadBugFile } from "./use-bug-file.js";

/** Plays a bug file at the lab's receiver, or stops the play. */
export function PlayButton({
  file: { bug, work, play },
  isMain = false,
  isDisabled = false,
}: {
  readonly file: ReadBugFile;
  readonly isMain?: boolean;
  readonly isDisabled?: boolean;
}) {
  if ((bug?.receiver ?? null) === null) return null;
  if (work.isRunning) {
    return (
      <Button icon="cross" isBusy={work.isStopping} onPress={work.stop}>
        Stop
      </Button>
    );
  }
  return (
    <Button kind={isMain ? "main" : "plain"} icon="play" isDisabled={isDisabled} onPress={play}>
      {(work.job?.play ?? null) === null ? "Play it here" : "Play it again"}
    </Button>
  );
}
