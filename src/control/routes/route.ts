import type { BodyFields, BodyValues } from "../../api/index.js";
import { answers, type ReadAnswer, type ReadPath, type WriteAnswer, type WritePath } from "../../console/index.js";
import type { JsonSchema } from "../../schema/index.js";
import type { Control } from "../control.js";

/** Names for the examples of requests. */
export interface ExampleNames {
  /** Selector of a handset. */
  readonly handset: string;
  /** Phone number of a person. */
  readonly phone: string;
}

/** One operation of the control API: its fields, its answer and its handler. */
export interface ControlRoute {
  readonly method: "GET" | "POST";
  /** Path after `/lab`. */
  readonly path: string;
  readonly about: string;
  /** Parameters of the query, for the documentation. */
  readonly parameters: Readonly<Record<string, JsonSchema>>;
  /** `text`, `bytes`: the body is not parsed. `object`: any JSON object. */
  readonly fields: BodyFields | "text" | "bytes" | "object";
  /** Bound of the body; default: that of all requests. */
  readonly bytesMax?: number;
  /** Schema of a body that is an `object`, for the documentation. */
  readonly body?: JsonSchema;
  /** Makes an example of the body, for the documentation. */
  readonly example?: (names: ExampleNames) => unknown;
  readonly answer: JsonSchema;
  readonly serve: (request: ControlRequest) => unknown;
}

/** An authenticated request. */
export interface ControlRequest {
  readonly control: Control;
  readonly query: URLSearchParams;
  /** Values of the fields, or the object. */
  readonly body: Readonly<Record<string, unknown>>;
  readonly text: string;
  readonly bytes: Uint8Array;
}

/**
 * A route whose body is a table of fields. `serve` receives them typed, and returns the answer that is declared for the
 * path.
 */
export function writeRoute<F extends BodyFields, P extends WritePath>(route: {
  readonly path: P;
  readonly about: string;
  readonly fields: F;
  readonly example: (names: ExampleNames) => BodyValues<F> | Readonly<Record<string, unknown>>;
  readonly serve: (values: BodyValues<F>, request: ControlRequest) => WriteAnswer<P> | Promise<WriteAnswer<P>>;
}): ControlRoute {
  return {
    ...route,
    method: "POST",
    parameters: {},
    answer: answers.writes[route.path],
    // The server has parsed the body by these fields.
    serve: (request) => route.serve(request.body as BodyValues<F>, request),
  };
}

/** A route that only reads. `serve` returns the answer that is declared for the path. */
export function readRoute<P extends ReadPath>(route: {
  readonly path: P;
  readonly about: string;
  readonly parameters?: Readonly<Record<string, JsonSchema>>;
  readonly serve: (request: ControlRequest) => ReadAnswer<P> | Promise<ReadAnswer<P>>;
}): ControlRoute {
  return { method: "GET", fields: {}, parameters: {}, answer: answers.reads[route.path], ...route };
}
