import type { ActionDefinition } from "./action-definitions.js";

/** Flow types of native definitions (docs/reference/flows.md#native-definitions). */
export type NativeFlowType = "messaging" | "messaging_background" | "messaging_offline" | "voice";

/** Where a node leads; null: the flow ends there. */
export interface FlowExit {
  readonly uuid: string;
  readonly destination: string | null;
}

/** One outcome of a router, with the exit that it takes. */
export interface FlowCategory {
  readonly uuid: string;
  readonly name: string;
  readonly exit: string;
}

/** One test of a switch router. Arguments are templates. */
export interface FlowCase {
  readonly uuid: string;
  readonly type: string;
  readonly arguments: readonly string[];
  readonly category: string;
}

/** The keyboard or picker that a phone app can offer for the answer. */
export interface WaitHint {
  readonly type: string;
  readonly count?: number;
  readonly terminated_by?: string;
}

/** A wait for a message, or for the end of a forwarded call. */
export type FlowWait =
  | {
      readonly type: "msg";
      readonly timeout?: { readonly seconds: number; readonly category: string };
      readonly hint?: WaitHint;
    }
  | {
      readonly type: "dial";
      readonly phone: string;
      readonly dialLimitSeconds: number;
      readonly callLimitSeconds: number;
    }
  | { readonly type: "unsupported"; readonly name: string };

/** The router of a node: it chooses a category. */
export type FlowRouter = {
  readonly resultName: string;
  readonly wait?: FlowWait;
  readonly categories: readonly FlowCategory[];
} & (
  | {
      readonly type: "switch";
      readonly operand: string;
      readonly cases: readonly FlowCase[];
      /** UUID; empty when there is none. */
      readonly defaultCategory: string;
    }
  | { readonly type: "random" }
  | { readonly type: "unsupported"; readonly name: string }
);

/** Actions in their order, then the router, then an exit. */
export interface FlowNode {
  readonly uuid: string;
  readonly actions: readonly ActionDefinition[];
  readonly router?: FlowRouter;
  readonly exits: readonly FlowExit[];
}

/** Translations of a flow: language, uuid of the object, property, texts. */
export type Localization = ReadonlyMap<string, ReadonlyMap<string, Readonly<Record<string, readonly string[]>>>>;

/** A native definition of any accepted version, checked and in the form that the engine executes. */
export interface FlowDefinition {
  readonly uuid: string;
  readonly name: string;
  /** As in the file; "13.0.0" if it has none. */
  readonly specVersion: string;
  /** Units of work that a sprint spends to enter the flow, because the host may have to read it first. Default: 0. */
  readonly work?: number;
  /** ISO 639-3; "und" if unset. */
  readonly language: string;
  readonly type: NativeFlowType;
  readonly revision: number;
  readonly expireAfterMinutes: number;
  readonly localization: Localization;
  /** The first one is the entry. */
  readonly nodes: readonly FlowNode[];
  readonly nodesByUuid: ReadonlyMap<string, FlowNode>;
  /** Before 13.3 `@webhook` is the parsed body itself; since then an object with status, headers and json. */
  readonly isWebhookBody: boolean;
}
