import { posix } from "node:path";
import type { Plugin } from "rolldown";
import { isSitePath } from "#shared/website/rules.ts";
import { KIT_GLOBALS } from "./build-messages.ts";

/** Files of a site are modules with this prefix, so that no module name is ever a path of this machine. */
const PREFIX = "\0site:";
const TRIED_ENDINGS = ["", ".tsx", ".ts", ".jsx", ".js", ".json", "/index.tsx", "/index.ts", "/index.js"];

const quote = (text: string) => JSON.stringify(text.slice(0, 120));

/** Resolves an import to a file of the site or a package of the kit, or refuses it. */
export function resolveImport(
  files: ReadonlyMap<string, string>,
  source: string,
  importer: string,
): { path: string } | { name: string } | { refused: string } {
  if (Object.hasOwn(KIT_GLOBALS, source)) return { name: source };
  if (!/^\.{0,2}\//.test(source))
    return {
      refused: `${quote(source)} is not one of this site's packages: ${Object.keys(KIT_GLOBALS)
        .filter((name) => !name.startsWith("react/jsx"))
        .join(", ")}`,
    };
  const path = source.startsWith("/") ? posix.normalize(source) : posix.join(posix.dirname(importer), source);
  for (const ending of TRIED_ENDINGS) {
    const candidate = `${path}${ending}`;
    if (isSitePath(candidate) && files.has(candidate)) return { path: candidate };
  }
  return { refused: `${quote(source)} is not a file of this site` };
}

type ModuleType = "tsx" | "ts" | "jsx" | "js" | "json" | "text";

function moduleTypeOf(path: string): ModuleType {
  const ending = path.slice(path.lastIndexOf(".") + 1);
  if (ending === "tsx" || ending === "ts" || ending === "json" || ending === "jsx") return ending;
  // Plain JavaScript may contain JSX too, because models write it so.
  return ending === "js" ? "jsx" : "text";
}

export interface SiteModules {
  plugin: Plugin;
  /** The stylesheets in the order in which they are imported. */
  styles: string[];
}

/**
 * Provides the files of a site to the bundler from memory. It is the only source of modules: each import is resolved
 * here or refused, so the bundler never reads from the disk.
 */
export function createSiteModules(files: ReadonlyMap<string, string>): SiteModules {
  const styles: string[] = [];
  const plugin: Plugin = {
    name: "site-files",
    resolveId: {
      order: "pre",
      handler(source, importer) {
        const from = importer?.startsWith(PREFIX) ? importer.slice(PREFIX.length) : "/";
        const found = resolveImport(files, source, from);
        if ("refused" in found) throw new Error(found.refused);
        return "name" in found ? { id: found.name, external: true } : { id: PREFIX + found.path };
      },
    },
    load: {
      order: "pre",
      handler(id) {
        const path = id.startsWith(PREFIX) ? id.slice(PREFIX.length) : undefined;
        const text = path === undefined ? undefined : files.get(path);
        if (path === undefined || text === undefined) throw new Error(`${quote(id)} is not a file of this site`);
        if (!path.endsWith(".css")) return { code: text, moduleType: moduleTypeOf(path) };
        if (!styles.includes(path)) styles.push(path);
        return { code: "", moduleType: "js", moduleSideEffects: true };
      },
    },
  };
  return { plugin, styles };
}

export const toSitePath = (id: string): string => (id.includes("site:") ? id.slice(id.indexOf("site:") + 5) : id);
