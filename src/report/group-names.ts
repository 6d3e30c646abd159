import type { RecordingReader } from "../store/index.js";

/** The recording's key for the display names of groups of handsets: a JSON object by group. */
export const GROUP_NAMES_KEY = "groupNames";

/** What a report calls a group of handsets: its display name with its key, or its key alone. */
export function groupNamer(recording: RecordingReader): (group: string) => string {
  const kept = recording.kept(GROUP_NAMES_KEY);
  const names = new Map(kept === undefined ? [] : Object.entries(JSON.parse(kept) as Record<string, string>));
  return (group) => {
    const name = names.get(group);
    return name === undefined ? group : `${name} (${group})`;
  };
}
