import { readdirSync } from "node:fs";
import { basename, join } from "node:path";
import type { Plugin } from "vite";

const WORDS = "virtual:words/";
const START = "\0words-at-start";

interface Options {
  /** Folder with one message file per feature. */
  folder: string;
  /** Features whose messages every screen needs. */
  atStart: readonly string[];
}

/**
 * Bundles messages with the code that uses them: a module that names a message key imports its feature's messages, and
 * the complete table is left out of the build.
 */
export function words({ folder, atStart }: Options): Plugin {
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((file) => file.endsWith(".ts"));
  const fileOf = new Map(files.map((file) => [basename(file, ".ts"), join(folder, file)]));
  const features = [...fileOf.keys()];
  const late = features.filter((feature) => !atStart.includes(feature));
  const key = new RegExp(`["'\`](${late.join("|")})\\.[a-z_$]`, "g");
  const importOf = (feature: string) => `import { ${feature} } from ${JSON.stringify(fileOf.get(feature))};`;
  return {
    name: "words",
    enforce: "pre",
    resolveId(id, importer) {
      if (id.startsWith(WORDS)) return `\0${id}`;
      return id === "./english.ts" && importer?.endsWith("/messages/translate.ts") ? START : undefined;
    },
    load(id) {
      if (id === START) return `${atStart.map(importOf).join("\n")}\nexport const english = { ${atStart.join(", ")} };`;
      if (!id.startsWith(`\0${WORDS}`)) return undefined;
      const feature = id.slice(WORDS.length + 1);
      const door = join(folder, "..", "translate.ts");
      return `${importOf(feature)}\nimport { addMessages } from ${JSON.stringify(door)};\naddMessages({ ${feature} });`;
    },
    transform(code, id) {
      if (!/\.tsx?$/.test(id) || id.includes("/messages/")) return undefined;
      const named = new Set([...code.matchAll(key)].map(([, feature]) => feature));
      if (named.size === 0) return undefined;
      const imports = [...named].map((feature) => `import "${WORDS}${feature}";`).join(" ");
      // Inserted on the first line, so that line numbers stay the same.
      return { code: `${imports} ${code}`, map: null };
    },
  };
}
