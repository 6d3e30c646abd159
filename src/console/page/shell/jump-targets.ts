import type { FleetGroup } from "../../protocol/index.js";
import { displayName } from "../domain/display-name.js";
import { linkTo, linkToChain, linkToHandset, linkToPerson, type ViewName } from "../navigation/route.js";

/** A place that the quick jump offers. */
export interface JumpChoice {
  readonly kind: "view" | "handset" | "person" | "event";
  readonly label: string;
  readonly note: string;
  readonly href: string;
}

const HANDSETS_MAX = 8;

/** The places that match a text without a request: views, handsets, ids and phone numbers. */
export function jumpTargets(
  text: string,
  {
    views,
    groups,
  }: { readonly views: readonly (readonly [ViewName, string])[]; readonly groups: readonly FleetGroup[] },
): readonly JumpChoice[] {
  const wanted = text.trim().toLowerCase();
  return [...idTargets(wanted), ...handsetTargets(wanted, groups), ...viewTargets(wanted, views)];
}

function viewTargets(wanted: string, views: readonly (readonly [ViewName, string])[]): JumpChoice[] {
  return views
    .filter(([, title]) => title.toLowerCase().includes(wanted))
    .map(([view, title]) => ({ kind: "view", label: title, note: "View", href: linkTo(view) }));
}

/** `clinic`, `clinic/3`, `clinic 3`. */
function handsetTargets(wanted: string, groups: readonly FleetGroup[]): JumpChoice[] {
  if (wanted === "") return [];
  const [, name = "", number] = /^(.*?)(?:[/\s]+(\d*))?$/.exec(wanted) ?? [];
  const found: JumpChoice[] = [];
  for (const group of groups) {
    const isMeant = [group.name, group.label].some((one) => one.toLowerCase().includes(name));
    if (!isMeant && !group.label.toLowerCase().includes(wanted)) continue;
    const last = group.firstIndex + group.count;
    if (group.count === 1 && (number ?? "") === "") found.push(handsetTarget(group, group.firstIndex));
    else if (number !== undefined && number !== "") {
      const index = Number(number);
      if (index >= group.firstIndex && index < last) found.push(handsetTarget(group, index));
    } else {
      for (let index = group.firstIndex; index < Math.min(last, group.firstIndex + 3); index++) {
        found.push(handsetTarget(group, index));
      }
    }
    if (found.length >= HANDSETS_MAX) break;
  }
  return found.slice(0, HANDSETS_MAX);
}

function handsetTarget(group: FleetGroup, index: number): JumpChoice {
  const selector = `${group.name}/${index}`;
  const channel = group.firstChannel + index - group.firstIndex;
  const label = displayName(group, index);
  const note = label === selector ? `Handset, channel ${channel}` : selector;
  return { kind: "handset", label, note, href: linkToHandset(selector) };
}

/** `3/17` is an event, `1204` a message, `+250788…` a person. */
function idTargets(wanted: string): JumpChoice[] {
  if (/^\d+\/\d+$/.test(wanted)) {
    return [{ kind: "event", label: wanted, note: "Event", href: linkToChain(wanted) }];
  }
  if (/^\+?\d{7,15}$/.test(wanted)) {
    return [{ kind: "person", label: wanted, note: "Phone number", href: linkToPerson(wanted) }];
  }
  if (/^\d+$/.test(wanted)) {
    return [{ kind: "event", label: wanted, note: "Message or call", href: linkToChain(wanted) }];
  }
  return [];
}
