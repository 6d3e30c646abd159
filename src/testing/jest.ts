/** `import "handset-lab/testing/jest"`: the matchers in jest's global `expect`, with their types. */
import { type LabMatchers, matchers } from "./index.js";

declare global {
  namespace jest {
    interface Matchers<R> extends LabMatchers<R> {}
  }
}

const { expect } = globalThis as unknown as { readonly expect: { extend(all: object): void } };
expect.extend(matchers);
