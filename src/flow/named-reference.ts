/** Uuid and name of an object that a definition names. */
export interface NamedReference {
  readonly uuid: string;
  readonly name: string;
}
