import { hash, timingSafeEqual } from "node:crypto";
import type { Role, TokenData } from "../wire/index.js";
import { detailError } from "./error.js";

/** So many headers are known without a look at the tokens, at most. */
const KNOWN_HEADERS_MAX = 100;

interface KnownToken {
  readonly role: Role;
  readonly isActive: boolean;
}

/** Who may use the API: tokens and whom they speak for. */
export class Authenticator {
  readonly #tokens: readonly (KnownToken & { readonly digest: Buffer })[];
  /** Headers that were good, found by a hash with a secret seed: a digest is a twentieth of a request that reads one record. */
  readonly #knownHeaders = new Map<string, KnownToken>();

  constructor(tokens: readonly TokenData[]) {
    this.#tokens = tokens.map(({ token, role, isActive }) => ({ digest: digestOf(token), role, isActive }));
  }

  /**
   * The role of the request's token (service-api.md 1.2).
   *
   * @throws ApiError 403: real systems never answer 401 here, and clients rely on it
   */
  authenticate(authorization = ""): Role {
    const known = this.#knownHeaders.get(authorization) ?? this.#checkHeader(authorization);
    if (!known.isActive) throw detailError(403, "User inactive or deleted");
    return known.role;
  }

  #checkHeader(authorization: string): KnownToken {
    const words = authorization.trim().split(/\s+/);
    if (words[0]?.toLowerCase() !== "token") throw detailError(403, "Authentication credentials were not provided.");
    const [, token, ...more] = words;
    if (token === undefined) throw detailError(403, "Invalid token header. No credentials provided.");
    if (more.length > 0) throw detailError(403, "Invalid token header. Token string should not contain spaces.");
    const found = this.#findToken(token);
    if (found === undefined) throw detailError(403, "Invalid token");
    if (this.#knownHeaders.size === KNOWN_HEADERS_MAX) this.#knownHeaders.clear();
    this.#knownHeaders.set(authorization, found);
    return found;
  }

  /** Looks at every token, each in constant time, so that the time tells nothing of them. */
  #findToken(token: string): KnownToken | undefined {
    const digest = digestOf(token);
    let found: KnownToken | undefined;
    for (const known of this.#tokens) if (timingSafeEqual(known.digest, digest)) found = known;
    return found;
  }
}

function digestOf(token: string): Buffer {
  return hash("sha256", token, "buffer");
}
