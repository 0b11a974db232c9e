// Every dependency has a licence that the product may be given away with; anything new stops here to be read.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { giveUp, root, say } from "./runtime.mjs";

const allowed = new Set([
  "MIT",
  "MIT-0",
  "ISC",
  "BSD-2-Clause",
  "BSD-3-Clause",
  "0BSD",
  "Apache-2.0",
  "BlueOak-1.0.0",
  "CC0-1.0",
  "CC-BY-4.0",
  "Unlicense",
  "Python-2.0",
  "OFL-1.1",
  "Zlib",
  "WTFPL",
]);
/** Read one by one: a licence that binds only who changes the files themselves, or a tool that never ships. */
const read = new Map([
  ["MPL-2.0", "weak copyleft by file; we change none of them"],
  ["LGPL-3.0-or-later", "libvips, a shared library of its own that sharp loads; unchanged and replaceable"],
  ["BSD", "duck, below mammoth: its licence file is the two-clause text"],
]);

const isAllowed = (expression) => {
  const plain = expression.replace(/[()]/g, "");
  if (plain.includes(" OR ")) return plain.split(" OR ").some((part) => isAllowed(part.trim()));
  if (plain.includes(" AND ")) return plain.split(" AND ").every((part) => isAllowed(part.trim()));
  return allowed.has(plain) || read.has(plain);
};

const { packages } = JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8"));
const strange = [];
for (const [place, entry] of Object.entries(packages)) {
  if (place === "") continue;
  let licence = entry.license;
  if (licence === undefined) {
    try {
      const manifest = JSON.parse(readFileSync(join(root, place, "package.json"), "utf8"));
      licence =
        typeof manifest.license === "string"
          ? manifest.license
          : (manifest.license?.type ?? manifest.licenses?.[0]?.type);
    } catch {
      // Not installed on this platform: its siblings of the same package were read.
      continue;
    }
  }
  if (licence === undefined || !isAllowed(licence)) strange.push(`${place}: ${licence ?? "no licence named"}`);
}
if (strange.length > 0) giveUp(`Licences that nobody has read yet:\n${strange.join("\n")}`);
say(`${Object.keys(packages).length - 1} packages, all licences known`);
