// Builds the packages that generated sites share into dist/site-kit.
import { copyFile, mkdir, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { rolldown } from "rolldown";
import { root } from "./runtime.mjs";

const folder = join(root, "dist", "site-kit");
const source = join(root, "shared", "website", "kit");

const bundle = await rolldown({
  input: join(source, "kit.ts"),
  cwd: root,
  platform: "browser",
  transform: { jsx: { runtime: "automatic" }, define: { "process.env.NODE_ENV": '"production"' } },
});
const { output } = await bundle.generate({
  format: "iife",
  name: "LamplightKit",
  minify: true,
  codeSplitting: false,
});
await bundle.close();

// Written under another name first, so that two builds at once never leave half a file.
await mkdir(folder, { recursive: true });
const write = async (name, fill) => {
  const unfinished = join(folder, `${name}.${process.pid}`);
  await fill(unfinished);
  await rename(unfinished, join(folder, name));
};
await write("kit.css", (path) => copyFile(join(source, "kit.css"), path));
await write("kit.js", (path) => writeFile(path, output[0].code));
