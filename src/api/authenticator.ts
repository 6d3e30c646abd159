import { hash, timingSafeEqual } from "node:crypto";
import type { Role, TokenData } from "../wire/index.js";
import { detailError } from "./error.js";

/** Entries of the cache of authenticated headers, at most. */
const KNOWN_HEADERS_MAX = 100;

interface KnownToken {
  readonly role: Role;
  readonly isActive: boolean;
}

/** Authenticates requests by their token. */
export class Authenticator {
  readonly #tokens: readonly (KnownToken & { readonly digest: Buffer })[];
  /** Cache of accepted Authorization headers: without it the digest is 5 % of a request that reads one record. */
  readonly #knownHeaders = new Map<string, KnownToken>();

  constructor(tokens: readonly TokenData[]) {
    this.#tokens = tokens.map(({ token, role, isActive }) => ({ digest: digestOf(token), role, isActive }));
  }

  /**
   * The role of the request's token (docs/reference/service-api.md#authentication).
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

  /** Compares with every token, each in constant time, so that the duration reveals nothing about them. */
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
