import type { LegacyJson } from "./json.js";
import type { Texts } from "./texts.js";
import type { Version } from "./versions/version.js";

/** A legacy definition of any version in the shape of the last one (docs/reference/flows.md#legacy-shape). */
export interface LegacyFlow {
  /** The version that it is written in; undefined: not said, read like the last one. */
  readonly version: Version | undefined;
  /** Empty: none. */
  readonly uuid: string;
  readonly name: string;
  /** `F`, `M`, `V`, `S`, `U`. */
  readonly type: string;
  language: string;
  /** UUID of the first set; empty: the topmost is the first. */
  entry: string;
  readonly revision: number;
  readonly expiresMinutes: number;
  readonly notes: readonly LegacyJson[];
  actionSets: ActionSet[];
  ruleSets: RuleSet[];
}

/** Place in the editor, in pixels from the upper left corner. */
export interface EditorPlace {
  readonly x: number;
  y: number;
}

/** Actions that are executed in their order. */
export interface ActionSet extends EditorPlace {
  readonly uuid: string;
  destination: string;
  readonly exitUuid: string;
  actions: LegacyJson[];
}

/** A wait or split: the first rule whose test passes decides. */
export interface RuleSet extends EditorPlace {
  uuid: string;
  label: string;
  /** Empty: a message is waited for. */
  type: string;
  /** What versions before 5 have in place of a type. */
  readonly responseType: string;
  operand: string;
  readonly finishedKey: string;
  config: LegacyJson;
  /** URL and method of a webhook before version 10. */
  webhook: string;
  webhookAction: string;
  rules: Rule[];
}

export interface Rule {
  uuid: string;
  category: Texts;
  test: LegacyJson;
  destination: string;
}
