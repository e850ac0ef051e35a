// What the linter refuses in the scripts of the pages and in their tests.

import js from "@eslint/js";
import globals from "globals";

const RULES = {
  "array-callback-return": "error",
  eqeqeq: "error",
  "no-control-regex": "off", // notes of logs refuse control characters
  "no-implicit-globals": "error",
  "no-self-compare": "error",
  "no-template-curly-in-string": "error",
  "no-unused-vars": ["error", { ignoreRestSiblings: true, argsIgnorePattern: "^_", destructuredArrayIgnorePattern: "^_" }],
  "no-use-before-define": ["error", { functions: false, classes: false, variables: false }],
  "no-var": "error",
  "object-shorthand": "error",
  "prefer-const": "error",
};

export default [
  js.configs.recommended,
  { files: ["service/pages/static/**/*.js"], languageOptions: { globals: globals.browser }, rules: RULES },
  { files: ["tests/service/pages/javascript/*.js"], languageOptions: { globals: globals.nodeBuiltin }, rules: RULES },
];
