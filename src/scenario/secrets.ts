import { isAlias, isMap, isScalar, parseDocument, type Scalar } from "yaml";
import type { Scenario } from "./scenario.js";

/** Replaces a secret in a recorded scenario. URLs and headers may contain it, so the scenario still parses. */
export const NOT_KEPT = "NOT-KEPT";

/** Headers whose values are credentials. */
const secretHeader = /^(?:proxy-)?authorization$|^cookie$|token|secret|password|api-?key|signature/i;

/** Matches user name and password in each URL of a text. */
const userInfo = /(\bhttps?:\/\/)[^/?#@\s"'<>]+@/gi;

/**
 * A scenario's source as recordings store it: without the values of headers such as `Authorization`, and without user
 * names and passwords in URLs. Secrets elsewhere (in texts, in files) stay.
 */
export function withoutSecrets(scenario: Scenario): Scenario["source"] {
  const { source } = scenario;
  const hide = (text: string): string => withoutSecretValues(text, scenario);
  return {
    ...source,
    text: hide(withoutHeaderValues(source.text)),
    ...(source.set !== undefined && { set: source.set.map(hide) }),
  };
}

/**
 * A text without the secrets of a scenario, such as what a receiver logs of its requests.
 *
 * @param tokens - further secrets
 */
export function withoutSecretValues(
  text: string,
  { receiver }: Pick<Scenario, "receiver">,
  tokens: readonly string[] = [],
): string {
  const values = Object.entries(receiver?.headers ?? {})
    .filter(([name]) => secretHeader.test(name))
    .map(([, value]) => value);
  return [...values, ...tokens]
    .filter((value) => value !== "")
    .reduce((hidden, value) => hidden.replaceAll(value, NOT_KEPT), text)
    .replace(userInfo, `$1${NOT_KEPT}@`);
}

/**
 * Removes the placeholders of `withoutSecrets` from a scenario that was parsed from a recorded source: such headers,
 * and user names in URLs.
 */
export function withoutMissing(scenario: Scenario): Scenario {
  const { receiver, cast } = scenario;
  const clean = (url: string): string => url.replace(`${NOT_KEPT}@`, "");
  const headers = Object.entries(receiver?.headers ?? {}).filter(([, value]) => !value.includes(NOT_KEPT));
  return {
    ...scenario,
    ...(receiver !== undefined && {
      receiver: { ...receiver, url: clean(receiver.url), headers: Object.fromEntries(headers) },
    }),
    cast: {
      ...cast,
      handsets: cast.handsets.map((group) =>
        group.receiver === undefined ? group : { ...group, receiver: clean(group.receiver) },
      ),
    },
  };
}

/** Replaces secret values by their place in the YAML, because a search for a value would miss an escaped spelling. */
function withoutHeaderValues(text: string): string {
  const document = parseDocument(text);
  const headers = document.getIn(["receiver", "headers"], true);
  if (!isMap(headers)) return text;
  const secrets = headers.items.flatMap(({ key, value }): Scalar[] => {
    if (!isScalar(key) || !secretHeader.test(String(key.value))) return [];
    const resolved = isAlias(value) ? value.resolve(document) : value;
    return isScalar(resolved) ? [resolved] : [];
  });
  // From the last to the first, so the offsets of the others stay valid.
  return secrets
    .flatMap(({ range }) => (range === null || range === undefined ? [] : [range]))
    .sort((a, b) => b[0] - a[0])
    .reduce((hidden, [from, to]) => `${hidden.slice(0, from)}${NOT_KEPT}${hidden.slice(to)}`, text);
}
