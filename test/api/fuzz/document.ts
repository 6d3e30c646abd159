import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";

/** A JSON Schema, or a part of one. */
export interface Schema {
  readonly [keyword: string]: unknown;
}

export interface Parameter {
  readonly name: string;
  readonly place: "query" | "path";
  readonly isRequired: boolean;
  readonly schema: Schema;
}

export interface Operation {
  /** `POST /api/v2/contacts.json`. */
  readonly id: string;
  readonly method: string;
  /** With the server's prefix; parameters in braces. */
  readonly path: string;
  readonly parameters: readonly Parameter[];
  /** By media type. */
  readonly bodies: ReadonlyMap<string, Schema>;
  /**
   * The documentation of an answer with this status: whether it exists, and how its body is checked
   * (undefined: it has none).
   */
  readonly response: (status: number) => { readonly validate: ValidateFunction | undefined } | undefined;
}

export interface ApiDocument {
  readonly operations: readonly Operation[];
  /** Methods that are documented for a path. */
  readonly methods: (path: string) => ReadonlySet<string>;
  /** Resolves references to a schema. */
  readonly resolve: (schema: Schema) => Schema;
}

const METHODS = ["get", "post", "put", "patch", "delete", "head", "options"];
const NAME = "openapi.json";

/**
 * Reads an OpenAPI 3.1 document.
 *
 * @throws Error when it is not an OpenAPI document, or has an unresolved reference
 */
export function readDocument(document: unknown): ApiDocument {
  const root = object(document);
  if (!String(root["openapi"]).startsWith("3.1")) throw new Error(`not OpenAPI 3.1: ${String(root["openapi"])}`);
  const ajv = new Ajv2020({ strict: false, validateSchema: false, allErrors: false });
  addFormats.default(ajv);
  ajv.addSchema(root, NAME);

  const at = (pointer: string): unknown => {
    let place: unknown = root;
    for (const step of pointer.replace(/^#/, "").split("/").slice(1)) {
      place = object(place)[decodeURIComponent(step).replaceAll("~1", "/").replaceAll("~0", "~")];
      if (place === undefined) throw new Error(`the document refers to ${pointer}, which is not there`);
    }
    return place;
  };
  const resolve = (schema: Schema): Schema => {
    const { $ref, ...beside } = schema;
    if (typeof $ref !== "string") return schema;
    const target = resolve(object(at($ref)));
    return Object.keys(beside).length === 0 ? target : { ...target, ...beside };
  };

  const prefix = serverPath(root);
  const operations = Object.entries(object(root["paths"])).flatMap(([path, item]) =>
    Object.entries(object(item))
      .filter(([method]) => METHODS.includes(method))
      .map(([method, operation]): Operation => {
        const pointer = `#/paths/${escape(path)}/${method}`;
        const shared = (object(item)["parameters"] ?? []) as Schema[];
        return {
          id: `${method.toUpperCase()} ${prefix}${path}`,
          method: method.toUpperCase(),
          path: prefix + path,
          parameters: parametersOf([...shared, ...((object(operation)["parameters"] ?? []) as Schema[])], resolve),
          bodies: bodiesOf(object(operation), resolve),
          response: responses(object(operation), { pointer, resolve, ajv }),
        };
      }),
  );
  return {
    operations,
    methods: (path) => new Set(operations.filter((each) => each.path === path).map(({ method }) => method)),
    resolve,
  };
}

function parametersOf(parameters: readonly Schema[], resolve: (schema: Schema) => Schema): Parameter[] {
  return parameters.map(resolve).flatMap((parameter) => {
    const place = parameter["in"];
    if (place !== "query" && place !== "path") return [];
    return [
      {
        name: String(parameter["name"]),
        place,
        isRequired: parameter["required"] === true,
        schema: object(parameter["schema"] ?? {}),
      },
    ];
  });
}

function bodiesOf(operation: Schema, resolve: (schema: Schema) => Schema): ReadonlyMap<string, Schema> {
  const content = object(resolve(object(operation["requestBody"] ?? {}))["content"] ?? {});
  return new Map(Object.entries(content).map(([type, media]) => [type, object(object(media)["schema"] ?? {})]));
}

function responses(
  operation: Schema,
  { pointer, resolve, ajv }: { pointer: string; resolve: (schema: Schema) => Schema; ajv: Ajv2020 },
): Operation["response"] {
  const written = object(operation["responses"] ?? {});
  const known = new Map<string, { validate: ValidateFunction | undefined }>();
  const read = (key: string): { validate: ValidateFunction | undefined } => {
    const $ref = object(written[key])["$ref"];
    const place = typeof $ref === "string" ? $ref : `${pointer}/responses/${key}`;
    const content = object(resolve(object(written[key]))["content"] ?? {});
    const type = Object.keys(content).find((each) => each.includes("json"));
    if (type === undefined) return { validate: undefined };
    const validate = ajv.compile({ $ref: `${NAME}${place}/content/${escape(type)}/schema` });
    return { validate };
  };
  return (status) => {
    const key = [String(status), `${String(status)[0]}XX`, "default"].find((each) => Object.hasOwn(written, each));
    if (key === undefined) return undefined;
    let response = known.get(key);
    if (response === undefined) known.set(key, (response = read(key)));
    return response;
  };
}

function serverPath(root: Schema): string {
  const [server] = (root["servers"] ?? []) as readonly { url?: string }[];
  return new URL(server?.url ?? "/", "http://host").pathname.replace(/\/$/, "");
}

/** One step of a JSON pointer in a URI fragment. */
function escape(step: string): string {
  return encodeURIComponent(step.replaceAll("~", "~0").replaceAll("/", "~1"));
}

function object(value: unknown): Schema {
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw new Error(`the document has ${JSON.stringify(value)} where an object should be`);
  }
  return value as Schema;
}
