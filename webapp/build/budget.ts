import { gzipSync } from "node:zlib";
import type { Plugin } from "vite";
import { findChunks, withImports } from "./chunks.ts";

interface Limit {
  /** Source files of the screen and its layout. */
  screens: readonly string[];
  /** Gzipped size of all scripts needed before the screen can render. */
  bytes: number;
}

const KILOBYTE = 1024;

/** Fails the build if a screen's initial scripts exceed their budget; otherwise prints their size. */
export function checkBudget(limits: Readonly<Record<string, Limit>>): Plugin {
  return {
    name: "budget",
    apply: (config) => config.build?.ssr === undefined,
    generateBundle(_, bundle) {
      const entries = Object.values(bundle).filter((part) => part.type === "chunk" && part.isEntry);
      for (const [address, { screens, bytes }] of Object.entries(limits)) {
        const screenChunks = findChunks(bundle, screens);
        if (!screenChunks) return this.error(`A screen of ${address} has no chunk of its own`);
        const starts = [...entries.filter((part) => part.type === "chunk"), ...screenChunks];
        const sizes = withImports(bundle, starts).map((chunk) => gzipSync(chunk.code).length);
        const size = sizes.reduce((sum, chunkSize) => sum + chunkSize, 0);
        const message = `${address} loads ${(size / KILOBYTE).toFixed(1)} KB of scripts (gzip), ${bytes / KILOBYTE} KB allowed`;
        if (size > bytes) this.error(message);
        this.info(message);
      }
      return undefined;
    },
  };
}
