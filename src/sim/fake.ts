import type { Faker, LocaleDefinition } from "@faker-js/faker";
import { type Stream, Streams } from "./stream.js";

/** Draws invented texts with a faker method such as `lorem.sentence`, in a locale, from a stream. */
export interface Fakes {
  draw(path: string, locale: string, stream: Stream): string;
}

/** A faker method such as `lorem.sentence` and its locale. */
export interface WantedFake {
  readonly path: string;
  readonly locale: string;
}

/** Why a fake cannot be drawn. */
export interface FakeFault extends WantedFake {
  readonly on: "path" | "locale";
  /** The reason, without the path. */
  readonly why: string;
  /** For an unknown path or locale: the known ones. */
  readonly known?: readonly string[];
}

/**
 * Prepares the fakes that a scenario names. Faker is imported here, on demand: importing it takes 0.1 s.
 *
 * One faker instance serves a locale. Each draw takes its random numbers from the stream of that draw.
 *
 * @throws RangeError when a fake cannot be drawn, see `findFakeFaults`
 */
export async function prepareFakes(wanted: readonly WantedFake[]): Promise<Fakes> {
  const { generators, faults } = await prepare(wanted);
  const [fault] = faults;
  if (fault !== undefined) throw new RangeError(`fake ${fault.path} in locale ${fault.locale}: ${fault.why}`);
  return {
    draw(path, locale, stream) {
      const generate = generators.get(`${locale} ${path}`);
      if (generate === undefined) throw new Error(`fake ${path} in ${locale} was not prepared`);
      return generate(stream);
    },
  };
}

/** Finds fakes that cannot be drawn: unknown locales and methods, methods that need arguments or return no text. */
export async function findFakeFaults(wanted: readonly WantedFake[]): Promise<readonly FakeFault[]> {
  return (await prepare(wanted)).faults;
}

type FakeGenerator = (stream: Stream) => string;

async function prepare(
  wanted: readonly WantedFake[],
): Promise<{ generators: ReadonlyMap<string, FakeGenerator>; faults: readonly FakeFault[] }> {
  const generators = new Map<string, FakeGenerator>();
  const faults: FakeFault[] = [];
  if (wanted.length === 0) return { generators, faults };
  const { Faker, allLocales, base, en } = await import("@faker-js/faker");
  const locales = new Map(Object.entries<LocaleDefinition>(allLocales));
  let current: Stream | undefined;
  const randomizer = {
    next: (): number => (current === undefined ? 0 : current.next()),
    seed: (): void => undefined,
  };
  const fakers = new Map<string, Faker>();
  for (const { path, locale } of wanted) {
    const definition = locales.get(locale);
    if (definition === undefined) {
      faults.push({ path, locale, on: "locale", why: `faker has no locale '${locale}'`, known: [...locales.keys()] });
      continue;
    }
    const faker = fakers.get(locale) ?? new Faker({ locale: [definition, en, base], randomizer });
    faker.setDefaultRefDate(0);
    fakers.set(locale, faker);
    const method = methodAt(faker, path);
    if (typeof method !== "function") {
      faults.push({ path, locale, on: "path", ...method });
      continue;
    }
    const generate: FakeGenerator = (stream) => {
      current = stream;
      try {
        return textOf(method());
      } finally {
        current = undefined;
      }
    };
    const why = faultOfTrialDraws(generate);
    if (why === undefined) generators.set(`${locale} ${path}`, generate);
    else faults.push({ path, locale, on: "path", why });
  }
  return { generators, faults };
}

/** The method at a path, or why there is none. */
function methodAt(faker: Faker, path: string): (() => unknown) | Pick<FakeFault, "why" | "known"> {
  const modules = new Map(Object.entries(faker).filter(([name, value]) => isModule(value) && !name.startsWith("_")));
  const methods = [...modules].flatMap(([name, module]) => methodNames(module).map((method) => `${name}.${method}`));
  if (!methods.includes(path)) return { why: `faker has no method '${path}'`, known: methods };
  const [moduleName = "", methodName = ""] = path.split(".");
  const module = modules.get(moduleName) as Readonly<Record<string, () => unknown>>;
  return () => module[methodName]?.();
}

function isModule(value: unknown): value is object {
  return typeof value === "object" && value !== null && methodNames(value).length > 0;
}

/** Methods of a faker module: own ones, which faker binds to the instance, and inherited ones. */
function methodNames(module: object): string[] {
  const names = new Set<string>();
  for (let one: unknown = module; one !== Object.prototype && one !== null; one = Object.getPrototypeOf(one)) {
    for (const name of Object.getOwnPropertyNames(one)) names.add(name);
  }
  names.delete("constructor");
  return [...names].filter((name) => typeof (module as Readonly<Record<string, unknown>>)[name] === "function");
}

/** Trial draws per method: some methods fail, or return an empty text, only for some random numbers. */
const TRIAL_DRAWS = 8;

/** Draws from a throw-away stream. @returns why it is no text; undefined when it is one */
function faultOfTrialDraws(generate: FakeGenerator): string | undefined {
  const stream = new Streams(0).get("fake");
  try {
    for (let count = 0; count < TRIAL_DRAWS; count++) if (generate(stream) === "") return "gives an empty text";
    return undefined;
  } catch (error) {
    if (error instanceof NoText) return error.message;
    const isExplained = error instanceof Error && error.name === "FakerError";
    // A FakerError explains itself; any other error (`undefined has no length`) is an accident inside faker.
    const why = isExplained ? `: ${error.message.split("\n", 1)[0]?.replace(/\.$/, "") ?? ""}` : "";
    return `cannot be drawn without arguments${why}`;
  }
}

class NoText extends Error {}

function textOf(value: unknown): string {
  // eslint-disable-next-line no-restricted-globals -- faker draws these dates; UTC makes them equal in every time zone
  if (value instanceof Date) return value.toISOString();
  if (typeof value === "string" || typeof value === "number" || typeof value === "bigint" || typeof value === "boolean")
    return String(value);
  throw new NoText(
    `gives no text but ${Array.isArray(value) ? "a list" : typeof value === "object" ? "an object" : "nothing"}`,
  );
}
