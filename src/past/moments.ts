import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { type Authenticator, choiceType, detailError, required } from "../api/index.js";
import { MOMENT_HEADER } from "../console/index.js";
import { type JsonSchema, schema } from "../schema/index.js";
import { publicUrlOf } from "../servers/index.js";
import { type Control, ControlRefusal, type ControlRoute, readRoute, writeRoute } from "../control/index.js";
import type { Past } from "./past.js";

const instant: JsonSchema = {
  anyOf: [
    { type: "integer", minimum: 0 },
    { type: "string", format: "date-time" },
  ],
  description: "Virtual milliseconds since the start, or a time such as 2026-03-04T08:05:30Z",
};

/** Routes of the past. Their instants are virtual milliseconds, as in the console's stream. */
export function pastRoutes(past: Past): readonly ControlRoute[] {
  return [
    readRoute({
      path: "/past",
      about:
        "The range of the recording's past. With the header `lab-moment: MILLISECONDS`, any other GET answers with the state at that instant.",
      serve: () => past.view(),
    }),
    writeRoute({
      path: "/past",
      about: "Reads the recording again, with its history since the last read.",
      fields: { do: required(choiceType(["refresh"]), "refresh: reads the recording again") },
      example: () => ({ do: "refresh" }),
      serve: () => past.refresh(),
    }),
    readRoute({
      path: "/past/frame",
      about:
        "The last prepared frame of the fleet at or before an instant: answered at once, but up to one frame interval old.",
      parameters: { at: instant },
      serve: ({ control, query }) => past.frame(instantIn(control, query.get("at") ?? "")),
    }),
    readRoute({
      path: "/past/moment",
      about: "The exact fleet at an instant: the recording is re-executed up to it.",
      parameters: {
        at: instant,
        viewer: { ...schema.text, description: "Name of the client: its newer request replaces an older one" },
      },
      serve: ({ control, query }) => past.moment(instantIn(control, query.get("at") ?? ""), query.get("viewer") ?? ""),
    }),
  ];
}

function instantIn({ startsAtMs }: Control, text: string): number {
  const atMs = /^\d+$/.test(text) ? Number(text) : Date.parse(text) - startsAtMs;
  if (!(atMs >= 0 && Number.isSafeInteger(atMs)))
    throw detailError(400, "'at' is virtual milliseconds since the start, or a time such as 2026-03-04T08:05:30Z.");
  return atMs;
}

/** Routes that always answer with the current state, whatever the header says. */
const ofNow = /^\/lab\/(past|access)(\/|$)|^\/(console|api\/v2\/(explorer|openapi))/;

/**
 * Answers each request that has the header `lab-moment` with the state at that moment, and refuses changes.
 *
 * @param options - `access`: of the control API; `apiAccess`: of the REST API; `publicUrl`: where clients reach the
 *   server through a proxy
 */
export function answerMoments(
  server: FastifyInstance,
  options: {
    readonly control: Control;
    readonly past: Past;
    readonly access: Authenticator;
    readonly apiAccess: () => Authenticator;
    readonly publicUrl?: string | undefined;
  },
): void {
  server.addHook("preHandler", async (request: FastifyRequest, reply: FastifyReply) => {
    const header = request.headers[MOMENT_HEADER];
    const { url: route = "" } = request.routeOptions;
    if (typeof header !== "string" || ofNow.test(route)) return undefined;
    const { control, past, access, apiAccess } = options;
    (/^\/lab(\/|$)/.test(route) ? access : apiAccess()).authenticate(request.headers.authorization);
    if (request.method !== "GET")
      throw detailError(409, "The past cannot be changed: send the request without the header lab-moment.");
    const [at = "", viewer = ""] = header.split(/\s*;\s*viewer=/);
    try {
      // Pages of lists link to their neighbours by absolute URLs.
      const publicUrl = publicUrlOf(request.raw, options.publicUrl);
      const answer = await past.get(instantIn(control, at), { path: request.raw.url ?? "/", publicUrl }, viewer);
      return await reply.code(answer.status).header("content-type", answer.contentType).send(answer.text);
    } catch (error) {
      if (!(error instanceof ControlRefusal)) throw error;
      throw detailError(error.status, error.message);
    }
  });
}
