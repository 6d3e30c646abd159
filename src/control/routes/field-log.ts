import { answers } from "../../console/index.js";
import { readFieldLogOf } from "../field-log.js";
import type { ControlRoute } from "./route.js";

/** Longest name of a file in texts. */
const NAME_MAX = 100;

/** Largest log that the console reads; `handset import` reads any. */
const LOG_BYTES_MAX = 32 * 1024 * 1024;

/** The route that reads a field log. */
export const fieldLogRoutes: readonly ControlRoute[] = [
  {
    method: "POST",
    path: "/import",
    about:
      "Reads a field log, such as an access log with bodies, of up to 32 MiB: its events, their causes with evidence, and the scenario of its day. Names, numbers and texts become pseudonyms. The lab stays as it is.",
    parameters: { name: { type: "string", description: "Name of the file, for the scenario" } },
    fields: "bytes",
    bytesMax: LOG_BYTES_MAX,
    example: () => '{"at":"2026-03-04T06:00:00Z","body":"event=mo_sms&relayer=7&phone=%2B12065550100&text=join"}\n',
    answer: answers.writes["/import"],
    serve: ({ bytes, query }) => readFieldLogOf(bytes, (query.get("name") ?? "the log").slice(0, NAME_MAX)),
  },
];
