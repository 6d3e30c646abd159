import { randomBytes } from "node:crypto";
import type { ServedLab } from "../control/index.js";
import { Authenticator } from "../api/index.js";
import type { Recording } from "../store/index.js";
import type { TokenData } from "../wire/index.js";

/** A random token of 40 hexadecimal digits. */
export function newToken(): string {
  return randomBytes(20).toString("hex");
}

/** Key of the fact with the token of the control API. */
const LAB_TOKEN = "labToken";

/** The recorded token of the control API; undefined: none. */
export function keptLabToken(recording: Pick<Recording, "kept">): string | undefined {
  return recording.kept(LAB_TOKEN);
}

/** Records the token of the control API for the next start. */
export function keepLabToken(recording: Recording, token: string): void {
  recording.keep(LAB_TOKEN, token);
}

/** Admits one token, with the role of an administrator. */
export function authenticatorOf(token: string): Authenticator {
  return new Authenticator([administrator(token)]);
}

/** The first active token of an administrator. */
export function administratorTokenIn(tokens: readonly TokenData[]): string | undefined {
  return tokens.find(isAdministrator)?.token;
}

/**
 * Adds tokens to the account, and an administrator's token if it has none.
 *
 * @returns all tokens of the account, the added ones first
 */
export function keepTokens({ lab, recording }: ServedLab, wanted: readonly TokenData[]): TokenData[] {
  const { tokens } = recording.tables;
  const hasAdministrator = [...wanted, ...tokens.all()].some(isAdministrator);
  const added = hasAdministrator ? wanted : [...wanted, administrator(newToken())];
  if (added.length > 0) {
    lab.write({ kind: "tokens", json: JSON.stringify({ count: added.length }) }, () => {
      for (const token of added) tokens.put(token);
    });
  }
  return [...added, ...tokens.all().filter(({ token }) => !added.some((one) => one.token === token))];
}

/** A token with the role of an administrator. */
export function administrator(token: string): TokenData {
  return { role: "administrator", token, isActive: true };
}

function isAdministrator({ role, isActive }: TokenData): boolean {
  return role === "administrator" && isActive;
}
