import type { Assets } from "../../src/flow/index.js";

/** An account that has nothing: what a test or measurement needs is laid over it. */
export const emptyAssets: Assets = {
  flow: () => undefined,
  flowByName: () => undefined,
  field: () => undefined,
  fields: () => [],
  group: () => undefined,
  groupByName: () => undefined,
  smartGroups: () => [],
  isMember: () => undefined,
  label: () => undefined,
  labelByName: () => undefined,
  channel: () => undefined,
  channels: () => [],
  resthook: () => undefined,
  globals: {},
};
