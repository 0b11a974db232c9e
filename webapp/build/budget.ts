import { gzipSync } from "node:zlib";
import type { Plugin } from "vite";
import { chunksOf, withImports } from "./chunks.ts";

interface Limit {
  /** Source files of the screen and its layout. */
  screens: readonly string[];
  /** Gzipped, all scripts together that the screen needs before it can show. */
  bytes: number;
}

const KILOBYTE = 1024;

/** Ends the build when a screen's first load outgrows its budget, and prints what it is otherwise. */
export function budget(limits: Readonly<Record<string, Limit>>): Plugin {
  return {
    name: "budget",
    apply: (config) => config.build?.ssr === undefined,
    generateBundle(_, bundle) {
      const entries = Object.values(bundle).filter((part) => part.type === "chunk" && part.isEntry);
      for (const [address, { screens, bytes }] of Object.entries(limits)) {
        const own = chunksOf(bundle, screens);
        if (!own) return this.error(`No file of its own for every screen of ${address}`);
        const starts = [...entries.filter((part) => part.type === "chunk"), ...own];
        const sizes = withImports(bundle, starts).map((chunk) => gzipSync(chunk.code).length);
        const size = sizes.reduce((sum, one) => sum + one, 0);
        const said = `${address} loads ${(size / KILOBYTE).toFixed(1)} KB of scripts (gzip), ${bytes / KILOBYTE} KB allowed`;
        if (size > bytes) this.error(said);
        this.info(said);
      }
      return undefined;
    },
  };
}
