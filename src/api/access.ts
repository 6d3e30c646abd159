import { hash, timingSafeEqual } from "node:crypto";
import type { Role, TokenData } from "../wire/index.js";
import { refusal } from "./error.js";

/** Who may use the API: tokens and whom they speak for. */
export class Access {
  #tokens: readonly { readonly digest: Buffer; readonly role: Role; readonly isActive: boolean }[];

  constructor(tokens: readonly TokenData[]) {
    this.#tokens = tokens.map(({ token, role, isActive }) => ({ digest: digestOf(token), role, isActive }));
  }

  /**
   * The role of the request's token (service-api.md 1.2).
   *
   * @throws ApiError 403: real systems never answer 401 here, and clients rely on it
   */
  roleOf(authorization: string | undefined): Role {
    const words = (authorization ?? "").trim().split(/\s+/);
    if (words[0]?.toLowerCase() !== "token") throw refusal(403, "Authentication credentials were not provided.");
    const [, token, ...more] = words;
    if (token === undefined) throw refusal(403, "Invalid token header. No credentials provided.");
    if (more.length > 0) throw refusal(403, "Invalid token header. Token string should not contain spaces.");
    const found = this.#find(token);
    if (found === undefined) throw refusal(403, "Invalid token");
    if (!found.isActive) throw refusal(403, "User inactive or deleted");
    return found.role;
  }

  /** Looks at every token, each in constant time, so that the time tells nothing of them. */
  #find(token: string): { readonly role: Role; readonly isActive: boolean } | undefined {
    const digest = digestOf(token);
    let found: { readonly role: Role; readonly isActive: boolean } | undefined;
    for (const known of this.#tokens) if (timingSafeEqual(known.digest, digest)) found = known;
    return found;
  }
}

function digestOf(token: string): Buffer {
  return hash("sha256", token, "buffer");
}
