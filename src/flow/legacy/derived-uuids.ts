import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js";

/**
 * UUIDs for what has none in a legacy flow: categories, cases, exits. Each is a hash of the flow's UUID and of the path
 * to the object, so the same definition always gives the same native one. They have the form of version 4, the only
 * one that readers of native definitions accept.
 */
export class DerivedUuids {
  readonly #seed: string;
  readonly #claimed = new Set<string>();

  /** @param seed - identifies the flow: its UUID, or its content if it has none */
  constructor(seed: string) {
    this.#seed = seed;
  }

  /** The UUID of an object at a path. */
  at(...path: readonly (string | number)[]): string {
    return hashUuid([this.#seed, ...path].join("/"));
  }

  /** The object's own UUID if it has one that no other object has claimed, else the UUID derived from its path. */
  claim(uuid: string, ...path: readonly (string | number)[]): string {
    let chosen = uuid;
    for (let copy = 0; chosen === "" || this.#claimed.has(chosen); copy++) chosen = this.at(...path, copy);
    this.#claimed.add(chosen);
    return chosen;
  }
}

/** A UUID in the form of version 4 whose 122 free bits are a hash of the text. */
export function hashUuid(text: string): string {
  const hex = bytesToHex(sha256(utf8ToBytes(text)));
  const variant = "89ab"[parseInt(hex[16] ?? "0", 16) % 4] ?? "8";
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}
