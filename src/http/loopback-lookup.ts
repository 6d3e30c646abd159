import type { LookupFunction } from "node:net";

/**
 * How the addresses of a host are found; undefined: by the resolver. `localhost` and names below it are loopback,
 * whatever the resolver says (RFC 6761, 6.3): a hosts file or a name server could lead them to another machine, and many
 * resolvers know no name below `localhost`.
 */
export function lookupFor(host: string): LookupFunction | undefined {
  return isLocalhost(host) ? lookUpLoopback : undefined;
}

/** Whether a name is `localhost` or below it. */
export function isLocalhost(host: string): boolean {
  return /^(?:.+\.)?localhost$/i.test(host);
}

const addresses = [
  { address: "127.0.0.1", family: 4 },
  { address: "::1", family: 6 },
] as const;

/** With `all`, a connection tries one address after the other: servers may listen at one of them only. */
const lookUpLoopback: LookupFunction = (_host, { all, family }, callback) => {
  const wanted = family === 6 || family === "IPv6" ? addresses[1] : addresses[0];
  // As a resolver does, never before the caller has set its listeners.
  process.nextTick(() => {
    if (all === true) callback(null, family === 4 || family === 6 ? [wanted] : [...addresses]);
    else callback(null, wanted.address, wanted.family);
  });
};
