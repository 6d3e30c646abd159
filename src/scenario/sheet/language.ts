/** What the readers of this folder must know about the language of a file: a scenario's or an account's. */
export interface Language {
  /** What messages call the whole file: `scenario`. */
  readonly noun: string;
  /** Keys that a message names together with the key around them: `rings.exp`. */
  readonly qualifiedKeys: ReadonlySet<string>;
  /** Keys of maps whose keys are data: `csv` and `fake` are ordinary keys in them. */
  readonly dataMaps: ReadonlySet<string>;
  /** Keys whose plain value stands for a map, each with the key that the value has in that map. */
  readonly shorthands: Readonly<Record<string, string>>;
  /** The hint for a comma that split the value of `key`, if this language has a better one than "use quotes". */
  readonly hintForComma: (key: string, afterComma: string) => string | undefined;
}
