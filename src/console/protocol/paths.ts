import type {
  Done,
  FoundPerson,
  Listed,
  LogLines,
  ReadAnswer,
  ReadPath,
  WriteAnswer,
  WritePath,
} from "./answers/index.js";

/** A path of a GET with its query: `/handset?of=clinic/0`. */
export type ReadUrl = ReadPath | `${ReadPath}?${string}`;

/** What a GET of a path with its query answers. */
export type ReadOf<U extends ReadUrl> = U extends `/events?brief=true${string}`
  ? LogLines
  : U extends `/people?${string}`
    ? Listed<FoundPerson>
    : U extends `${infer P extends ReadPath}?${string}`
      ? ReadAnswer<P>
      : U extends ReadPath
        ? ReadAnswer<U>
        : never;

/** A path of a POST. */
export type WriteUrl = WritePath | `/do/${string}`;

/** What a POST to a path answers. */
export type WriteOf<U extends WriteUrl> = U extends WritePath ? WriteAnswer<U> : Done;
