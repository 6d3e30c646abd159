/** `import "handset-lab/testing/vitest"`: the matchers in vitest's `expect`, with their types. */
import { expect } from "vitest";
import { type LabMatchers, matchers } from "./index.js";

declare module "vitest" {
  // eslint-disable-next-line typescript/no-empty-object-type, typescript/no-explicit-any -- vitest merges this interface into its own
  interface Matchers<T = any> extends LabMatchers<T> {}
}

expect.extend(matchers);
