import type { LintRule } from "../rule.js";

/** Categories that other things than a test choose, whatever versions name them. */
const chosenOtherwise = /^(other|failure|failed|error|expired|skipped|no response|timeout|all responses)$/i;

/** Categories of a switch that no test, timeout or default leads to. Migrated flows have none that their author made. */
export const categoryWithoutTest: LintRule = {
  name: "category-without-test",
  level: "warning",
  summary: "a category that no test, timeout or default leads to",
  *check({ definition, isMigrated, reachable }) {
    if (isMigrated) return;
    for (const { uuid: node, router } of definition.nodes) {
      if (router?.type !== "switch" || router.wait?.type === "dial" || !reachable.has(node)) continue;
      const led = new Set([...router.cases.map(({ category }) => category), router.defaultCategory]);
      if (router.wait?.type === "msg" && router.wait.timeout !== undefined) led.add(router.wait.timeout.category);
      for (const [index, { uuid, name }] of router.categories.entries()) {
        if (led.has(uuid) || chosenOtherwise.test(name.trim())) continue;
        yield {
          node,
          at: `category ${name}`,
          path: `router.categories[${index}]`,
          text: `no answer can get the category '${name}': no test leads to it`,
          fix: "add a test for it, or delete it",
        };
      }
    }
  },
};
