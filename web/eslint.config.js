// Rules of ESLint, typescript-eslint and eslint-plugin-svelte; what is only style is prettier's.
import js from "@eslint/js";
import prettier from "eslint-config-prettier";
import svelte from "eslint-plugin-svelte";
import globals from "globals";
import ts from "typescript-eslint";

export default ts.config(
  { ignores: ["**/dist/", "protocol/index.ts", "board/src/sprite.ts"] },
  { linterOptions: { reportUnusedDisableDirectives: "error" } },
  js.configs.recommended,
  ts.configs.recommended,
  svelte.configs.recommended,
  prettier,
  svelte.configs.prettier,
  { languageOptions: { globals: { ...globals.browser, ...globals.node } } },
  {
    files: ["**/*.svelte", "**/*.svelte.ts"],
    languageOptions: { parserOptions: { parser: ts.parser } },
  },
  {
    rules: {
      eqeqeq: ["error", "always", { null: "ignore" }],
      "no-console": "error",
      "@typescript-eslint/no-unused-vars": [
        "error",
        { argsIgnorePattern: "^_", varsIgnorePattern: "^_" },
      ],
      "svelte/no-useless-mustaches": "off", // {" "} is a space that stays
      "max-lines": ["error", { max: 600 }],
      "max-lines-per-function": ["error", { max: 120 }],
    },
  },
  {
    // a `describe` is a list of tests
    files: ["**/test/**", "tests/**"],
    rules: { "max-lines-per-function": "off" },
  },
  {
    // programs for the terminal
    files: ["**/*.mjs"],
    rules: { "no-console": "off" },
  },
  {
    // a list
    files: ["board/demo/fixtures.ts"],
    rules: { "max-lines": "off" },
  },
);
