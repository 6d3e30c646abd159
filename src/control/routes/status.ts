import { schema } from "../../api/index.js";
import { version } from "../../base/index.js";
import { type ControlRoute, readRoute } from "./route.js";
import { clockSchema, clockOf } from "./shapes.js";

const byCause: schema.JsonSchema = { type: "object", additionalProperties: schema.integer };
const account = schema.objectOf({
  in: schema.integer,
  copies: byCause,
  delivered: schema.integer,
  failed: schema.integer,
  queued: { ...schema.integer, description: "What waits somewhere" },
  lost: byCause,
  gap: { ...schema.integer, description: "What is missing without a cause: not 0 is a defect of the lab" },
});

/** Routes of the lab's status. */
export const statusRoutes: readonly ControlRoute[] = [
  readRoute({
    path: "/",
    about: "What this lab is and how it stands.",
    answer: schema.objectOf({
      name: schema.text,
      version: schema.text,
      seed: schema.integer,
      clock: clockSchema,
      receiver: schema.nullable(schema.text),
      database: schema.nullable(schema.text),
      strict: schema.boolean,
      handsets: schema.integer,
      people: schema.integer,
      events: schema.integer,
      accepted: schema.integer,
      failures: schema.integer,
      in_flight: schema.integer,
      retrying: schema.integer,
      waiting_on_phones: schema.integer,
      ledger: {
        ...schema.objectOf({ texts: account, calls: account, events: account, attempts: account }),
        description: "Since the server started: in + copies = delivered + failed + queued + lost + gap",
      },
    }),
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
];
