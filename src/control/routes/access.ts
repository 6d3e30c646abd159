import { type ControlRoute, readRoute } from "./route.js";

/** The route that gives the console its token for the REST API. */
export const accessRoutes: readonly ControlRoute[] = [
  readRoute({
    path: "/access",
    about: "An administrator token of the REST API. Clients of the control API have all rights.",
    serve: ({ control }) => ({ token: control.parts.apiToken() }),
  }),
];
