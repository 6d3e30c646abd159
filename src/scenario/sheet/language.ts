/** The properties of a file's language, a scenario's or an account's, that the readers of this folder need. */
export interface Language {
  /** The noun for the whole file in messages: `scenario`. */
  readonly noun: string;
  /** Keys that a message names together with the key around them: `rings.exp`. */
  readonly qualifiedKeys: ReadonlySet<string>;
  /** Keys of maps whose keys are data: `csv` and `fake` are ordinary keys in them. */
  readonly dataMaps: ReadonlySet<string>;
  /** Keys that accept a plain value instead of a map, each with the key of that value in the map. */
  readonly shorthands: Readonly<Record<string, string>>;
  /** The hint for a comma that split the value of `key`, if this language has a better one than "use quotes". */
  readonly hintForComma: (key: string, afterComma: string) => string | undefined;
}
