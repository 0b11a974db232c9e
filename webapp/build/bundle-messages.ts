import { readdirSync } from "node:fs";
import { basename, join } from "node:path";
import type { Plugin } from "vite";

const VIRTUAL_PREFIX = "virtual:words/";
const START_MODULE = "\0words-at-start";

interface Options {
  /** Folder with one message file per feature. */
  folder: string;
  /** Features whose messages every screen needs. */
  atStart: readonly string[];
}

/** Names the table that a file of messages exports: `access-log.ts` exports `accessLog`. */
const toCamelCase = (name: string) => name.replaceAll(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());

/**
 * Bundles messages with the code that uses them: a module that names a message key imports its feature's messages, and
 * the complete table is left out of the build.
 */
export function bundleMessages({ folder, atStart }: Options): Plugin {
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((file) => file.endsWith(".ts"));
  const fileOf = new Map(files.map((file) => [toCamelCase(basename(file, ".ts")), join(folder, file)]));
  const features = [...fileOf.keys()];
  const lateFeatures = features.filter((feature) => !atStart.includes(feature));
  const key = new RegExp(`["'\`](${lateFeatures.join("|")})\\.[a-z_$]`, "g");
  const importStatement = (feature: string) => `import { ${feature} } from ${JSON.stringify(fileOf.get(feature))};`;
  return {
    name: "words",
    enforce: "pre",
    resolveId(id, importer) {
      if (id.startsWith(VIRTUAL_PREFIX)) return `\0${id}`;
      return id === "./english.ts" && importer?.endsWith("/messages/translate.ts") ? START_MODULE : undefined;
    },
    load(id) {
      if (id === START_MODULE)
        return `${atStart.map(importStatement).join("\n")}\nexport const english = { ${atStart.join(", ")} };`;
      if (!id.startsWith(`\0${VIRTUAL_PREFIX}`)) return undefined;
      const feature = id.slice(VIRTUAL_PREFIX.length + 1);
      const translateModule = join(folder, "..", "translate.ts");
      return `${importStatement(feature)}\nimport { addMessages } from ${JSON.stringify(translateModule)};\naddMessages({ ${feature} });`;
    },
    transform(code, id) {
      if (!/\.tsx?$/.test(id) || id.includes("/messages/")) return undefined;
      const usedFeatures = new Set([...code.matchAll(key)].map(([, feature]) => feature));
      if (usedFeatures.size === 0) return undefined;
      const imports = [...usedFeatures].map((feature) => `import "${VIRTUAL_PREFIX}${feature}";`).join(" ");
      // Inserted on the first line, so that line numbers stay the same.
      return { code: `${imports} ${code}`, map: null };
    },
  };
}
