import type { BuildFault } from "#shared/website/schema.ts";

export interface BuildRequest {
  id: number;
  entry: string;
  files: readonly (readonly [path: string, text: string])[];
}

export type BuildResult = { ok: true; js: string; css: string } | { ok: false; faults: BuildFault[] };

export type FromBuilder = { id: number; result: BuildResult; memoryBytes: number };

/** The packages of a site and the names under which the prebuilt kit offers them. */
export const KIT_GLOBALS: Readonly<Record<string, string>> = {
  react: "LamplightKit.react",
  "react/jsx-runtime": "LamplightKit.jsxRuntime",
  "react/jsx-dev-runtime": "LamplightKit.jsxRuntime",
  "react-dom/client": "LamplightKit.reactDom",
  "ts-fsrs": "LamplightKit.fsrs",
  katex: "LamplightKit.katex",
  "lamplight-kit": "LamplightKit.kit",
};
