import { version } from "../../base/index.js";
import { type ControlRoute, readRoute } from "./route.js";
import { clockOf } from "./shapes.js";

/** Routes of the lab's status, and of the token that the console needs for the REST API. */
export const statusRoutes: readonly ControlRoute[] = [
  readRoute({
    path: "/",
    about: "The status of this lab.",
    serve({ control }) {
      const { isStrict, receiver, served } = control.parts;
      const { scenario } = control;
      const { lab } = control.served;
      const progress = lab.progress();
      return {
        name: scenario.name,
        version,
        seed: scenario.seed,
        clock: clockOf(control, control.clock()),
        receiver: receiver(),
        database: served?.database ?? null,
        strict: isStrict,
        handsets: lab.world.population.handsetCount,
        people: lab.world.population.personCount,
        events: progress.events,
        accepted: progress.accepted,
        failures: progress.failures,
        in_flight: progress.inFlight,
        retrying: progress.retrying,
        waiting_on_phones: progress.waitingOnPhones,
        ledger: lab.ledger(),
      };
    },
  }),
  readRoute({
    path: "/access",
    about: "An administrator token of the REST API. Clients of the control API have all rights.",
    serve: ({ control }) => ({ token: control.parts.apiToken() }),
  }),
];
