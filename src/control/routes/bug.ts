import { detailError, optional, required } from "../../api/index.js";
import { answers } from "../../console/index.js";
import { words } from "./kinds.js";
import { type ControlRequest, type ControlRoute, readRoute, writeRoute } from "./route.js";

/** Longest name of a file in texts. */
const NAME_MAX = 100;

/** Largest bug file that the console reads; `handset run` plays any. */
const BUG_BYTES_MAX = 2 * 1024 * 1024;

const RESET = "Request that resets the receiver before each play: `POST /reset`, or a URL; default: none";

const file = {
  method: "POST",
  parameters: { name: { type: "string", description: "Name of the file, for messages" } },
  fields: "bytes",
  bytesMax: BUG_BYTES_MAX,
  example: () =>
    'requests:\n  - fields: { event: mo_sms, phone: "+12065550100", text: join }\nexpect:\n  - { request: 1, status: 200..299 }\n',
} as const;

/** Routes for bug files: to read and play one, and to make one of a chain. */
export const bugRoutes: readonly ControlRoute[] = [
  {
    ...file,
    path: "/bug",
    about: "Reads a bug file: its requests, what is right, what came. The lab stays as it is.",
    answer: answers.writes["/bug"],
    serve: (request) => request.control.bugs.read(textOf(request), nameOf(request)),
  },
  {
    ...file,
    path: "/bug/play",
    about:
      "Begins to play a bug file of exact requests at the lab's receiver; GET /bug/work has the answers and the verdict. The account and the recording of the lab stay as they are.",
    parameters: { ...file.parameters, reset: { type: "string", description: RESET } },
    answer: answers.writes["/bug/play"],
    serve: (request) => request.control.bugs.play(textOf(request), nameOf(request), request.query.get("reset") ?? ""),
  },
  writeRoute({
    path: "/bug/minimise",
    about:
      "Begins to search the smallest input that fails in the same way: plays the recorded requests up to an event's at the lab's receiver, again and again with fewer. GET /bug/work has the progress and the bug file.",
    fields: {
      id: required(words, "Id of an event, such as `3/17`, or number of a message or call"),
      while: required(words, "What is wrong, as `handset minimise --while` spells it: `status 500 of mo_sms`"),
      reset: optional(words, RESET),
    },
    example: () => ({ id: "1/1", while: "status 500" }),
    serve: ({ id, while: wrong, reset = "" }, { control }) => control.bugs.minimise(id, wrong, reset),
  }),
  writeRoute({
    path: "/bug/stop",
    about: "Stops what plays or minimises; a search ends soon, with the smallest failing input so far.",
    fields: {},
    example: () => ({}),
    serve: (_, { control }) => control.bugs.stop(),
  }),
  readRoute({
    path: "/bug/work",
    about: "The bug that is played or minimised at the lab's receiver: progress and result; the last one if none is.",
    serve: ({ control }) => control.bugs.work,
  }),
  readRoute({
    path: "/chain/bug",
    about:
      "A bug file of the requests of an event or message, with what came and what is right, as YAML that `handset run` plays.",
    parameters: {
      id: { type: "string", description: "Id of an event (`3/17`), or number of a message or call" },
      while: {
        type: "string",
        description: "What is wrong, as `handset minimise --while` spells it; default: what the answers show",
      },
    },
    serve: ({ control, query }) => {
      return control.bugs.chains.bugOf(idOf(query), query.get("while") ?? undefined);
    },
  }),
  readRoute({
    path: "/chain/bug/input",
    about: "The requests that a search for an event begins with, as a bug file that `handset minimise` reads.",
    parameters: {
      id: { type: "string", description: "Id of an event (`3/17`), or number of a message or call" },
      while: { type: "string", description: "What is wrong, as `handset minimise --while` spells it" },
    },
    serve: ({ control, query }) => control.bugs.chains.inputOf(idOf(query), query.get("while") ?? ""),
  }),
];

/** @throws ApiError 400 */
function idOf(query: URLSearchParams): string {
  const id = query.get("id") ?? "";
  if (id !== "") return id;
  throw detailError(400, "Give the id of an event, such as 3/17, or the number of a message or call.");
}

function textOf({ bytes }: ControlRequest): string {
  return new TextDecoder().decode(bytes);
}

function nameOf({ query }: ControlRequest): string {
  return (query.get("name") ?? "the file").slice(0, NAME_MAX);
}
