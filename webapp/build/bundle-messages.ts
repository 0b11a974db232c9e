import { readdirSync } from "node:fs";
import { basename, join } from "node:path";
import type { Plugin } from "vite";

const VIRTUAL_PREFIX = "virtual:messages/";
const START_MODULE = "\0initial-messages";

interface Options {
  /** Folder with one message file per feature. */
  folder: string;
  /** Features whose messages every screen needs. */
  atStart: readonly string[];
}

/** The name of a message file's export: `access-log.ts` exports `accessLog`. */
const toCamelCase = (name: string) => name.replaceAll(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());

/**
 * Bundles messages with the code that uses them: a module that names a message key imports its feature's messages, and
 * the complete table is left out of the build.
 */
export function bundleMessages({ folder, atStart }: Options): Plugin {
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((file) => file.endsWith(".ts"));
  const fileByFeature = new Map(files.map((file) => [toCamelCase(basename(file, ".ts")), join(folder, file)]));
  const features = [...fileByFeature.keys()];
  const lazyFeatures = features.filter((feature) => !atStart.includes(feature));
  const messageKeyPattern = new RegExp(`["'\`](${lazyFeatures.join("|")})\\.[a-z_$]`, "g");
  const importStatement = (feature: string) =>
    `import { ${feature} } from ${JSON.stringify(fileByFeature.get(feature))};`;
  return {
    name: "bundle-messages",
    enforce: "pre",
    resolveId(id, importer) {
      if (id.startsWith(VIRTUAL_PREFIX)) return `\0${id}`;
      // The complete table is replaced by one with the initial features only.
      return id === "./english.ts" && importer?.endsWith("/messages/translate.ts") ? START_MODULE : undefined;
    },
    load(id) {
      if (id === START_MODULE)
        return `${atStart.map(importStatement).join("\n")}\nexport const english = { ${atStart.join(", ")} };`;
      const prefix = `\0${VIRTUAL_PREFIX}`;
      if (!id.startsWith(prefix)) return undefined;
      const feature = id.slice(prefix.length);
      const translateModule = join(folder, "..", "translate.ts");
      return `${importStatement(feature)}\nimport { addMessages } from ${JSON.stringify(translateModule)};\naddMessages({ ${feature} });`;
    },
    transform(code, id) {
      if (!/\.tsx?$/.test(id) || id.includes("/messages/")) return undefined;
      const usedFeatures = new Set([...code.matchAll(messageKeyPattern)].map(([, feature]) => feature));
      if (usedFeatures.size === 0) return undefined;
      const imports = [...usedFeatures].map((feature) => `import "${VIRTUAL_PREFIX}${feature}";`).join(" ");
      // Inserted on the first line, so that line numbers stay the same.
      return { code: `${imports} ${code}`, map: null };
    },
  };
}
