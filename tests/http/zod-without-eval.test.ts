import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { createContext, runInContext } from "node:vm";
import { build, type Rollup } from "vite";
import { expect, test } from "vitest";
import { zodWithoutEval } from "#webapp/build/zod-without-eval.ts";
import { ownFolder } from "#tests/store/own-folder.ts";

const SOURCE = `
  import { z } from "zod";
  globalThis.parsed = z.object({ a: z.string() }).parse({ a: "read" }).a;
`;

/** Builds and runs a script that parses with zod; resolves to the number of functions it created from text. */
async function countEvals(plugins: ReturnType<typeof zodWithoutEval>[]): Promise<number> {
  const entry = join(ownFolder(), "entry.js");
  writeFileSync(entry, SOURCE);
  const zod = join(import.meta.dirname, "../../node_modules/zod");
  const output = (await build({
    configFile: false,
    logLevel: "silent",
    plugins,
    resolve: { alias: { zod } },
    build: { write: false, minify: false, lib: { entry, formats: ["iife"], name: "entry" } },
  })) as Rollup.RollupOutput[];
  const [chunk] = output[0]?.output ?? [];
  if (chunk?.type !== "chunk") throw new Error("nothing was built");
  let count = 0;
  const counting = function countedFunction() {
    count += 1;
    throw new Error("blocked by the content security policy");
  };
  const context = createContext({ Function: counting, URL });
  runInContext(chunk.code, context);
  expect(context["parsed"]).toBe("read");
  return count;
}

test("zod compiles no code from strings in the browser bundle, although it does so without the build step", async () => {
  expect(await countEvals([zodWithoutEval()])).toBe(0);
  expect(await countEvals([])).toBe(1);
});
