import { useEffect, useState } from "preact/hooks";
import type { BugFile } from "../../protocol/index.js";
import { labPost, requestErrorOf, type RequestError } from "../connection/lab-client.js";
import { useBugWork, type BugWork } from "../connection/use-bug-work.js";
import { resetRequest } from "./reset-field.jsx";

/** A bug file that the lab has read, and its plays at the lab's receiver. */
export interface ReadBugFile {
  /** Undefined: it is not read yet, or it is no bug file. */
  readonly bug: BugFile | undefined;
  readonly isLoading: boolean;
  readonly error: Error | undefined;
  readonly work: BugWork;
  readonly play: () => void;
}

/** Lets the lab read a bug file, and again for each other one. @param text - a file, or what is in it; undefined: none */
export function useBugFile(text: Blob | string | undefined, name: string): ReadBugFile {
  const [read, setRead] = useState<{
    readonly of: Blob | string;
    readonly bug?: BugFile;
    readonly error?: RequestError;
  }>();
  const work = useBugWork();
  const query = `name=${encodeURIComponent(name)}`;
  useEffect(() => {
    work.forget();
    if (text === undefined) return undefined;
    let isLeft = false;
    labPost(`/bug?${query}`, text).then(
      (bug) => isLeft || setRead({ of: text, bug }),
      (failure: unknown) => isLeft || setRead({ of: text, error: requestErrorOf(failure) }),
    );
    return () => {
      isLeft = true;
    };
  }, [text]);
  // Another file may be read still.
  const now = read?.of === text ? read : undefined;
  return {
    bug: now?.bug,
    isLoading: text !== undefined && now === undefined,
    error: now?.error,
    work,
    play: () => work.begin(() => labPost(`/bug/play?${query}&reset=${encodeURIComponent(resetRequest.value)}`, text)),
  };
}
