import { detailError, required } from "../../api/index.js";
import { words } from "./kinds.js";
import { type ControlRequest, type ControlRoute, readRoute, writeRoute } from "./route.js";

const idParameter = {
  id: { type: "string", description: "Id of an event (`3/17`), or number of a message or call" },
};

/** Routes for causality: causes and effects of an event or message, its scenario, and resending. */
export const chainRoutes: readonly ControlRoute[] = [
  readRoute({
    path: "/chain",
    about: "Causes and effects of an event, message or call: each step with its requests and answers.",
    parameters: idParameter,
    serve: (request) => request.control.chains.chain(idOf(request)),
  }),
  readRoute({
    path: "/chain/scenario",
    about: "A scenario of the steps that led to an event, message or call: YAML that `handset run` plays.",
    parameters: idParameter,
    serve: (request) => request.control.chains.scenarioOf(idOf(request)),
  }),
  writeRoute({
    path: "/events/resend",
    about: "Sends an event again by hand, as one more attempt, to the channel's current delivery URL.",
    fields: { id: required(words, "Id of an event whose delivery is over, such as `3/17`") },
    example: () => ({ id: "1/1" }),
    serve: ({ id }, { control }) => control.chains.resend(id),
  }),
];

function idOf({ query }: ControlRequest): string {
  const id = query.get("id") ?? "";
  if (id === "") throw detailError(400, "Give the id of an event, such as 3/17, or the number of a message or call.");
  return id;
}
