import type { LintRule } from "../rule.js";
import { badTemplate } from "./bad-template.js";
import { badTest } from "./bad-test.js";
import { categoryWithoutTest } from "./category-without-test.js";
import { deadEnd } from "./dead-end.js";
import { longText } from "./long-text.js";
import { missingFlow, missingGroup, unknownField } from "./missing-reference.js";
import { missingTranslation } from "./missing-translation.js";
import { shadowedTest } from "./shadowed-test.js";
import { unknownPart } from "./unknown-part.js";
import { unknownProperty } from "./unknown-property.js";
import { unknownResult } from "./unknown-result.js";
import { unreachableNode } from "./unreachable-node.js";

/** All rules, in the order of their findings within a flow. */
export const lintRules: readonly LintRule[] = [
  unknownPart,
  badTemplate,
  badTest,
  unknownResult,
  unknownProperty,
  unknownField,
  missingFlow,
  missingGroup,
  unreachableNode,
  deadEnd,
  categoryWithoutTest,
  shadowedTest,
  missingTranslation,
  longText,
];
