import type { Plugin } from "vite";

const CONFIG_FILE = /\/zod\/v4\/core\/core\.js$/;
const EMPTY_CONFIG = "__zod_globalConfig = {})";

/**
 * Sets zod's `jitless` before any schema is made. Otherwise the first object that is parsed tries `new Function`, which
 * the content security policy blocks and reports on every screen.
 */
export function zodWithoutEval(): Plugin {
  return {
    name: "zod-without-eval",
    enforce: "pre",
    transform(code, id) {
      if (!CONFIG_FILE.test(id)) return null;
      if (!code.includes(EMPTY_CONFIG)) throw new Error("zod's configuration is not where it was");
      return { code: code.replace(EMPTY_CONFIG, "__zod_globalConfig = { jitless: true })"), map: null };
    },
  };
}
