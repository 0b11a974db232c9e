import { mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { buildSite } from "#api/website/build/build-site.ts";

const MAIN = "/src/main.tsx";
const STYLE = "/src/style.css";
/** Written into files outside the site; no site may contain it. */
const SECRET = "canary_7f3a9c";

let folder = "";
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "lamplight-imports-"));
  for (const name of ["secret.js", "secret.json", "secret.css"])
    await writeFile(
      join(folder, name),
      name.endsWith("json") ? `{"a":"${SECRET}"}` : `/*! ${SECRET} */ .${SECRET} { }`,
    );
  // A working plug-in, so that only the refusal prevents its use.
  await writeFile(join(folder, "plugin.mjs"), "export default function plugin() {}\n");
  await symlink(join(folder, "secret.json"), join(folder, "link.json"));
});
afterAll(() => rm(folder, { recursive: true }));

const build = (files: Record<string, string>) => buildSite(MAIN, new Map(Object.entries(files)));

/** What a script may try to import; `FOLDER` is a folder outside the site that contains the secret. */
const IMPORTS = [
  "FOLDER/secret.js",
  "FOLDER/secret.json",
  "FOLDER/secret.json?raw",
  "FOLDER/secret.json?url",
  "FOLDER/secret.json#x",
  "FOLDER/link.json",
  "file://FOLDER/secret.json",
  "../../../../../../../../FOLDER/secret.json",
  "./../../../../../../../../FOLDER/secret.json",
  "/src/../../../../../../FOLDER/secret.json",
  "/%2e%2e/%2e%2e/FOLDER/secret.json",
  "./%2e%2e/%2e%2e/package.json",
  String.raw`\0site:FOLDER/secret.json`,
  String.raw`FOLDER/secret.json\0.ts`,
  String.raw`..\\..\\package.json`,
  "/etc/passwd?raw",
  "/proc/self/environ",
  "node:fs",
  "fs",
  "node:child_process",
  "module",
  "data:text/javascript,export default 1",
  "blob:null/1",
  "http://127.0.0.1:9/x.js",
  "https://example.org/x.js",
  "//example.org/x.js",
  "rolldown",
  "react/../../rolldown",
  "#api/settings.ts",
  "virtual:secret",
  "/dist/site-kit/kit.js",
  "constructor",
  "__proto__",
];

const STATEMENTS = [
  (name: string) => `import x from "${name}"; console.log(x);`,
  (name: string) => `import("${name}").then(console.log);`,
  (name: string) => `export * from "${name}";`,
];

test.each(IMPORTS)("a script cannot import %s", async (name) => {
  for (const write of STATEMENTS) {
    const result = await build({ [MAIN]: write(name.replace("FOLDER", folder)) });
    expect(result).toMatchObject({ ok: false });
    expect(JSON.stringify(result)).not.toContain(SECRET);
  }
});

test.each([
  `@import "FOLDER/secret.css";`,
  `@import "../../../../../../FOLDER/secret.css";`,
  `@import "FOLDER/secret.css" layer(base);`,
  `@reference "FOLDER/secret.css";`,
  `@plugin "FOLDER/secret.js";`,
  `@config "FOLDER/secret.js";`,
  `@plugin "FOLDER/plugin.mjs";`,
  `@import "node:fs";`,
])("a stylesheet cannot load %s", async (text) => {
  const result = await build({ [MAIN]: 'import "./style.css";', [STYLE]: text.replaceAll("FOLDER", folder) });
  expect(result).toMatchObject({ ok: false });
  expect(JSON.stringify(result)).not.toContain(SECRET);
});

test("text that only resembles an import stays text, and no file is read for it", async () => {
  const result = await build({
    [MAIN]: `import "./style.css"; console.log(new URL("${folder}/secret.json", location.href), require);`,
    [STYLE]: `@source "${folder}"; @import url("https://example.org/x.css"); a { background: url("${folder}/secret.css"); }`,
  });
  expect(JSON.stringify(result)).not.toContain(SECRET);
});

test("a site imports its own files and the packages of the kit", async () => {
  const result = await build({
    [MAIN]: 'import { renderSite } from "lamplight-kit"; import { a } from "./a"; renderSite(a);',
    "/src/a.ts": "export const a: any = 1;",
  });
  expect(result).toMatchObject({ ok: true });
});
