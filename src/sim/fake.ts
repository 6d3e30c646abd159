import type { Faker, LocaleDefinition } from "@faker-js/faker";
import type { Stream } from "./stream.js";

/** Draws invented texts: a faker method such as `lorem.sentence`, in a locale, from a stream. */
export interface Fakes {
  draw(path: string, locale: string, stream: Stream): string;
}

/**
 * Loads faker for the locales that a scenario names (importing all of them would cost every start a tenth of a second).
 *
 * Each draw takes its random numbers from the stream that is handed in, so a stream's texts are its own although
 * one faker serves a locale.
 *
 * @throws RangeError when there is no such locale or a path is not a method of faker
 */
export async function prepareFakes(wanted: readonly { path: string; locale: string }[]): Promise<Fakes> {
  const makers = new Map<string, (stream: Stream) => string>();
  if (wanted.length > 0) {
    const { Faker, allLocales, base, en } = await import("@faker-js/faker");
    let current: Stream | undefined;
    const randomizer = {
      next: (): number => (current === undefined ? 0 : current.next()),
      seed: (): void => undefined,
    };
    const fakers = new Map<string, Faker>();
    for (const { path, locale } of wanted) {
      let faker = fakers.get(locale);
      if (faker === undefined) {
        const definition = (allLocales as Record<string, LocaleDefinition>)[locale];
        if (definition === undefined) throw new RangeError(`faker has no locale '${locale}'`);
        faker = new Faker({ locale: [definition, en, base], randomizer });
        faker.setDefaultRefDate(0);
        fakers.set(locale, faker);
      }
      const make = methodAt(faker, path);
      if (make === undefined) throw new RangeError(`faker has no method '${path}'`);
      makers.set(`${locale} ${path}`, (stream) => {
        current = stream;
        try {
          return String(make());
        } finally {
          current = undefined;
        }
      });
    }
  }
  return {
    draw(path, locale, stream) {
      const make = makers.get(`${locale} ${path}`);
      if (make === undefined) throw new Error(`fake ${path} in ${locale} was not prepared`);
      return make(stream);
    },
  };
}

function methodAt(faker: Faker, path: string): (() => unknown) | undefined {
  const [moduleName, methodName, ...rest] = path.split(".");
  if (moduleName === undefined || methodName === undefined || rest.length > 0) return undefined;
  const module = (faker as unknown as Record<string, unknown>)[moduleName];
  if (typeof module !== "object" || module === null) return undefined;
  const method = (module as Record<string, unknown>)[methodName];
  return typeof method === "function" ? () => (method as () => unknown).call(module) : undefined;
}
