import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import {
  type Authenticator,
  ApiError,
  bodySchema,
  ApiRequest,
  type ApiOptions,
  apiServer,
  type BodyFields,
  readBody,
  parseFields,
  detailError,
} from "../api/index.js";
import { version } from "../base/index.js";
import { handReference, type Scenario } from "../scenario/index.js";
import { type JsonSchema, schema } from "../schema/index.js";
import { phoneOf } from "../world/index.js";
import { accountRoutes } from "./routes/account.js";
import { bugRoutes } from "./routes/bug.js";
import { chainRoutes } from "./routes/chain.js";
import { clockRoutes } from "./routes/clock.js";
import { dataRoutes } from "./routes/data.js";
import { fieldLogRoutes } from "./routes/field-log.js";
import { doEachRoutes } from "./routes/do-each.js";
import { handRoutes, verbRoutes } from "./routes/hands.js";
import { logRoutes } from "./routes/log.js";
import { handsetRoutes } from "./routes/handsets.js";
import { lossRoutes } from "./routes/losses.js";
import { peopleRoutes } from "./routes/people.js";
import type { Control } from "./control.js";
import { ControlRefusal } from "./refusal.js";
import type { ControlRoute, ExampleNames } from "./routes/route.js";
import { statusRoutes } from "./routes/status.js";
import { storyRoutes } from "./routes/story.js";

/** Options of the server of a lab's APIs. */
export interface ControlServerOptions extends Omit<ApiOptions, "version" | "context" | "throttle" | "isStrict"> {
  /** Checks the token of the control API, which is separate from the account's tokens. */
  readonly access: Authenticator;
  /** Routes of other rooms, such as `past/`. */
  readonly moreRoutes?: readonly ControlRoute[];
}

/** Longest text of an act in the live log, in characters. */
const ACT_CHARACTERS_MAX = 500;

/** Creates the server of the REST API and, under `/lab`, of the control API; it does not listen yet. */
export function controlServer(
  control: Control,
  { access, moreRoutes = [], extraRoutes, ...options }: ControlServerOptions,
): ReturnType<typeof apiServer> {
  return apiServer({
    ...options,
    version,
    context: async () => (await control.settled()).context,
    throttle: control.throttle,
    isStrict: () => control.parts.isStrict,
    extraRoutes(to) {
      extraRoutes?.(to);
      addRoutes(to, { control, access, moreRoutes });
    },
  });
}

interface Gate {
  readonly control: Control;
  readonly access: Authenticator;
}

function addRoutes(
  server: FastifyInstance,
  { moreRoutes, ...gate }: Gate & { readonly moreRoutes: readonly ControlRoute[] },
): void {
  const { scenario } = gate.control;
  const exampleNames = exampleNamesOf(scenario);
  const routes = [
    ...statusRoutes,
    ...clockRoutes,
    ...storyRoutes,
    ...verbRoutes(handReference(scenario.cast)),
    ...doEachRoutes,
    ...handRoutes,
    ...handsetRoutes,
    ...peopleRoutes,
    ...lossRoutes,
    ...dataRoutes,
    ...fieldLogRoutes,
    ...logRoutes,
    ...moreRoutes,
    ...accountRoutes,
    ...chainRoutes,
    ...bugRoutes,
  ];
  for (const route of routes) {
    server.route({
      method: route.method,
      url: `/lab${route.path}`,
      ...(route.bytesMax !== undefined && { bodyLimit: route.bytesMax }),
      schema: documentationOf(route, exampleNames),
      handler: (request, reply) => serve(route, request, reply, gate),
    });
  }
}

async function serve(
  route: ControlRoute,
  request: FastifyRequest,
  reply: FastifyReply,
  { control, access }: Gate,
): Promise<FastifyReply> {
  access.authenticate(request.headers.authorization);
  const path = request.raw.url ?? "";
  const cut = path.indexOf("?");
  const query = new URLSearchParams(cut === -1 ? "" : path.slice(cut + 1));
  const bytes = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
  const call = new ApiRequest({
    context: (await control.settled()).context,
    role: "administrator",
    isStrict: false,
    method: request.method,
    site: "",
    path,
    query,
  });
  const { fields } = route;
  const isRaw = fields === "text" || fields === "bytes";
  const body = isRaw ? {} : await bodyFor(fields, bytes, request.headers["content-type"], call);
  const text = route.fields === "text" ? new TextDecoder().decode(bytes) : "";
  try {
    const answer = await route.serve({ control, query, body, text, bytes });
    // What only reads bytes is no act.
    if (route.method === "POST" && fields !== "bytes") notifyOfAct(control, actOf(route, body));
    return reply.code(200).header("content-type", "application/json").send(JSON.stringify(answer));
  } catch (error) {
    if (!(error instanceof ControlRefusal)) throw error;
    throw refusedAs(error);
  }
}

/** Adds an act to the live log. */
function notifyOfAct({ parts, served }: Control, text: string): void {
  parts.followers.notify({ kind: "hand", atMs: served.lab.nowMs, text });
}

function exampleNamesOf({ cast }: Scenario): ExampleNames {
  const [person] = cast.people;
  return {
    handset: `${cast.handsets[0]?.name ?? "clinic"}/0`,
    phone: person === undefined ? "+12065550100" : phoneOf(person.phone, 0),
  };
}

/** The text of an act for the live log: `do/text {"from":"farmers/3",…}`. */
function actOf({ path }: ControlRoute, body: Readonly<Record<string, unknown>>): string {
  const args = Object.keys(body).length === 0 ? "" : ` ${JSON.stringify(body)}`;
  return (path.slice(1) + args).slice(0, ACT_CHARACTERS_MAX);
}

async function bodyFor(
  fields: BodyFields | "object",
  bytes: Buffer,
  contentType: string | undefined,
  call: ApiRequest,
): Promise<Readonly<Record<string, unknown>>> {
  if (fields === "object") return readBody(bytes, contentType, {});
  const names = Object.keys(fields);
  const body = readBody(bytes, contentType, fields);
  // Unlike the emulated service, the lab refuses unknown fields: a typing mistake should not be silent.
  const unknown = Object.keys(body).find((name) => !names.includes(name));
  if (unknown !== undefined) {
    throw detailError(
      400,
      `There is no field '${unknown.slice(0, 100)}' here; there are: ${names.join(", ") || "none"}`,
    );
  }
  const reading = parseFields(fields, body, call);
  if ("errors" in reading) throw new ApiError(400, reading.errors);
  return reading.values;
}

function refusedAs({ status, problems }: ControlRefusal): ApiError {
  // A refusal has either `detail` or messages by field, never both.
  const whole =
    problems.length === 0
      ? { message: "The request cannot be performed." }
      : problems.find(({ field }) => field === "detail");
  if (whole !== undefined) return detailError(status, whole.message);
  const errors = new Map<string, string[]>();
  for (const { field, message } of problems) errors.set(field, [...(errors.get(field) ?? []), message]);
  return new ApiError(status, Object.fromEntries(errors));
}

const detail = schema.objectOf({ detail: schema.text });
const refused: JsonSchema = {
  anyOf: [detail, { type: "object", additionalProperties: schema.arrayOf(schema.text) }],
};

function documentationOf(route: ControlRoute, names: ExampleNames): Record<string, unknown> {
  const { about, parameters, fields, answer } = route;
  const examples = route.example === undefined ? [] : [route.example(names)];
  const shape =
    fields === "text" || fields === "bytes" ? schema.text : fields === "object" ? route.body : bodySchema(fields);
  const body = { ...shape, ...(examples.length > 0 && { examples }) };
  return {
    tags: ["lab"],
    summary: about.split(/[.;:]/)[0],
    description: about,
    security: [{ labToken: [] }],
    ...(Object.keys(parameters).length > 0 && { querystring: { type: "object", properties: parameters } }),
    ...(route.method === "POST" && { body }),
    ...(route.method === "POST" && fields === "text" && { consumes: ["application/yaml"] }),
    ...(fields === "bytes" && { consumes: ["application/octet-stream"] }),
    response: {
      200: { description: "Done", ...answer },
      400: { description: "The request is invalid", ...refused },
      403: { description: "The token is not valid for this lab", ...detail },
      404: { description: "It does not exist", ...refused },
      409: { description: "It conflicts with the current state", ...refused },
      413: { description: "The body is too large", ...detail },
      415: { description: "The content type of the body is not supported", ...detail },
    },
  };
}
