import { hash, timingSafeEqual } from "node:crypto";
import type { Role, TokenData } from "../wire/index.js";
import { refusal } from "./error.js";

/** So many headers are known without a look at the tokens, at most. */
const KNOWN_MAX = 100;

interface Known {
  readonly role: Role;
  readonly isActive: boolean;
}

/** Who may use the API: tokens and whom they speak for. */
export class Access {
  readonly #tokens: readonly (Known & { readonly digest: Buffer })[];
  /** Headers that were good, found by a hash with a secret seed: a digest is a twentieth of a request that reads one record. */
  readonly #known = new Map<string, Known>();

  constructor(tokens: readonly TokenData[]) {
    this.#tokens = tokens.map(({ token, role, isActive }) => ({ digest: digestOf(token), role, isActive }));
  }

  /**
   * The role of the request's token (service-api.md 1.2).
   *
   * @throws ApiError 403: real systems never answer 401 here, and clients rely on it
   */
  roleOf(authorization = ""): Role {
    const known = this.#known.get(authorization) ?? this.#learn(authorization);
    if (!known.isActive) throw refusal(403, "User inactive or deleted");
    return known.role;
  }

  #learn(authorization: string): Known {
    const words = authorization.trim().split(/\s+/);
    if (words[0]?.toLowerCase() !== "token") throw refusal(403, "Authentication credentials were not provided.");
    const [, token, ...more] = words;
    if (token === undefined) throw refusal(403, "Invalid token header. No credentials provided.");
    if (more.length > 0) throw refusal(403, "Invalid token header. Token string should not contain spaces.");
    const found = this.#find(token);
    if (found === undefined) throw refusal(403, "Invalid token");
    if (this.#known.size === KNOWN_MAX) this.#known.clear();
    this.#known.set(authorization, found);
    return found;
  }

  /** Looks at every token, each in constant time, so that the time tells nothing of them. */
  #find(token: string): Known | undefined {
    const digest = digestOf(token);
    let found: Known | undefined;
    for (const known of this.#tokens) if (timingSafeEqual(known.digest, digest)) found = known;
    return found;
  }
}

function digestOf(token: string): Buffer {
  return hash("sha256", token, "buffer");
}
