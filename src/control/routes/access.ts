import { type ControlRoute, readRoute } from "./route.js";

/** The route that gives the console its token for the REST API. */
export const accessRoutes: readonly ControlRoute[] = [
  readRoute({
    path: "/access",
    about: "A token of the REST API with the role of an administrator: who controls the lab may do everything.",
    serve: ({ control }) => ({ token: control.parts.apiToken() }),
  }),
];
