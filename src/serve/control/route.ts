import type { Fields, JsonSchema, Values } from "../../api/index.js";
import type { Control, ExampleNames } from "./port.js";

/** One operation of the control API: its fields, its answer and its handler. */
export interface ControlRoute {
  readonly method: "GET" | "POST" | "DELETE";
  /** Behind `/lab`. */
  readonly path: string;
  readonly about: string;
  /** Of the query, for the documentation. */
  readonly parameters: Readonly<Record<string, JsonSchema>>;
  /** `text`: the body is taken as it is. `object`: any JSON object. */
  readonly fields: Fields | "text" | "object";
  /** Of an `object`, for the documentation. */
  readonly body?: JsonSchema;
  /** A body that is taken as it is, for the documentation. */
  readonly example?: (names: ExampleNames) => unknown;
  readonly answer: JsonSchema;
  readonly serve: (request: ControlRequest) => unknown;
}

/** An authenticated request. */
export interface ControlRequest {
  readonly control: Control;
  readonly query: URLSearchParams;
  /** Values of the fields; where a route takes any object, the object. */
  readonly body: Readonly<Record<string, unknown>>;
  readonly text: string;
}

/** A route whose body is a table of fields: `serve` gets them typed. */
export function writeRoute<F extends Fields>(route: {
  readonly method: "POST" | "DELETE";
  readonly path: string;
  readonly about: string;
  readonly fields: F;
  readonly example: (names: ExampleNames) => Values<F> | Readonly<Record<string, unknown>>;
  readonly answer: JsonSchema;
  readonly serve: (values: Values<F>, request: ControlRequest) => unknown;
}): ControlRoute {
  return {
    ...route,
    parameters: {},
    // What `readFields` read by these very fields.
    serve: (request) => route.serve(request.body as Values<F>, request),
  };
}

/** A route that only reads. */
export function readRoute(route: {
  readonly path: string;
  readonly about: string;
  readonly parameters?: Readonly<Record<string, JsonSchema>>;
  readonly answer: JsonSchema;
  readonly serve: (request: ControlRequest) => unknown;
}): ControlRoute {
  return { method: "GET", fields: {}, parameters: {}, ...route };
}
