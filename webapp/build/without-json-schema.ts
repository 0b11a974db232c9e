import { readFileSync } from "node:fs";
import type { Plugin } from "vite";

const WRITERS = /\/zod\/v4\/core\/(?:json-schema-processors|to-json-schema)\.js$/;
const EXPORTED = /^export (?:const|function) (\w+)/gm;

/**
 * Every schema of zod carries the means to describe itself as JSON Schema. The web app only parses: the API describes.
 * Left out, they are 8 KB that no screen waits for.
 */
export function withoutJsonSchema(): Plugin {
  return {
    name: "without-json-schema",
    enforce: "pre",
    load(id) {
      if (!WRITERS.test(id)) return null;
      const names = [...readFileSync(id, "utf8").matchAll(EXPORTED)].map((match) => match[1]);
      return `const none = () => none;\n${names.map((name) => `export { none as ${name} };`).join("\n")}`;
    },
  };
}
