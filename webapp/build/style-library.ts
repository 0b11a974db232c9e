import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { brotliDecompressSync, gzipSync } from "node:zlib";
import { type StyleIndex, STYLES_PER_FILE } from "#shared/marketing/style-index.ts";

const PACK = "marketing/citations/styles/more-styles.json.br";

interface Pack {
  /** The styles' names, each with the position of its style in `texts`. */
  names: StyleIndex;
  texts: readonly string[];
}

/** Reads all styles that the citation generator can find by name. `root` is `webapp/`. */
export const readStylePack = (root: string): Pack =>
  JSON.parse(brotliDecompressSync(readFileSync(join(root, PACK))).toString("utf8")) as Pack;

/**
 * Writes the index of names, and files with several styles each; returns their folder in the built web app. The browser
 * code decompresses the files, which are a tenth of the size of the text.
 */
export function writeStyleLibrary(root: string, folder: string): string {
  const { names, texts } = readStylePack(root);
  const hash = createHash("sha256").update(JSON.stringify(names)).update(texts.join("")).digest("hex").slice(0, 8);
  const path = `assets/styles-${hash}`;
  mkdirSync(join(folder, path), { recursive: true });
  writeFileSync(join(folder, path, "names.json"), JSON.stringify(names));
  for (let from = 0; from < texts.length; from += STYLES_PER_FILE) {
    const part = JSON.stringify(texts.slice(from, from + STYLES_PER_FILE));
    writeFileSync(join(folder, path, `${from / STYLES_PER_FILE}.bin`), gzipSync(part, { level: 9 }));
  }
  return path;
}
