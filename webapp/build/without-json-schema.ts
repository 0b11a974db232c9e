import { readFileSync } from "node:fs";
import type { Plugin } from "vite";

const WRITERS = /\/zod\/v4\/core\/(?:json-schema-processors|to-json-schema)\.js$/;
const EXPORTED = /^export (?:const|function) (\w+)/gm;

/**
 * Removes zod's JSON Schema support from the web app, which only parses. The API generates the schemas. Saves 8 KB on
 * every screen.
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
