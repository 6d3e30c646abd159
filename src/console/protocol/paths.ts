import type { ListedResource, RecordOf } from "../../schema/index.js";
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

/** The answer of a GET of a path with its query. */
export type ReadOf<U extends ReadUrl> = U extends `/events?brief=true${string}`
  ? LogLines
  : U extends `/people?${string}`
    ? Listed<FoundPerson>
    : U extends `${infer P extends ReadPath}?${string}`
      ? ReadAnswer<P>
      : U extends ReadPath
        ? ReadAnswer<U>
        : never;

/** What is done with a file whose name is in the query. */
type Reading = "import" | "bug" | "bug/play";

/** A path of a POST, some with a query. */
export type WriteUrl = WritePath | `/${Reading}?${string}` | `/do/${string}`;

/** The answer of a POST to a path. */
export type WriteOf<U extends WriteUrl> = U extends WritePath
  ? WriteAnswer<U>
  : U extends `/${infer R extends Reading}?${string}`
    ? WriteAnswer<`/${R}`>
    : Done;

/** A path of a list of the REST API, below `/api/v2/`: `contacts.json?group=…`. */
export type ListUrl = `${ListedResource}.json${string}`;

/** The record at a path of the REST API. */
export type RecordAt<U extends ListUrl> = U extends `${infer N extends ListedResource}.json${string}`
  ? RecordOf<N>
  : never;
