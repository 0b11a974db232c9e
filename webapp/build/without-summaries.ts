import type { Plugin } from "vite";

const CONTRACTS = /\/shared\/[^/]+\/(?:[\w-]+-)?contract\.ts$/;
const SUMMARY = /\bsummary:\s*"(?:[^"\\]|\\.)*"/g;

/** Removes the summaries of endpoints from the web app, because only the API's documentation shows them. */
export function withoutSummaries(): Plugin {
  return {
    name: "without-summaries",
    enforce: "pre",
    transform(code, id) {
      if (!CONTRACTS.test(id.split("?", 1)[0] ?? id)) return null;
      // The number of lines stays the same, so that no source map is needed.
      return {
        code: code.replaceAll(SUMMARY, (found) => `summary: ""${"\n".repeat(found.split("\n").length - 1)}`),
        map: null,
      };
    },
  };
}
