import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { deflateRawSync } from "node:zlib";
import type { Plugin } from "vite";
import {
  PREFIX_LENGTH_BASE,
  createFirstNumber,
  type FoldedModel,
  toRelative,
  MAX_PREFIX_LENGTH,
  NUMBERS_PER_ROW,
  type TaggerModel,
} from "#shared/text/tagging/tagger-model.ts";

function foldWords(words: readonly string[]): string {
  let previous = "";
  return words
    .map((word) => {
      if (/[\u0100-\u011f]/.test(word)) throw new Error(`A word contains a character reserved for folding: ${word}`);
      let prefixLength = 0;
      while (
        prefixLength < MAX_PREFIX_LENGTH &&
        prefixLength < word.length &&
        word[prefixLength] === previous[prefixLength]
      )
        prefixLength += 1;
      previous = word;
      return String.fromCharCode(PREFIX_LENGTH_BASE + prefixLength) + word.slice(prefixLength);
    })
    .join("");
}

/** The parts of the model that cannot be derived from its words, in a form that compresses well. */
export function foldModel({ lexicon, features }: TaggerModel): FoldedModel {
  const { list } = features.lexeme;
  const bytes = Buffer.from(lexicon, "base64");
  const numberAt = (row: number, column: number) => bytes.readUInt32LE((row * NUMBERS_PER_ROW + column) * 4);
  const first = createFirstNumber(features);
  const columns = Buffer.alloc(list.length * (NUMBERS_PER_ROW - 1) * 4);
  const writeValue = (column: number, row: number, value: number) => {
    for (let byte = 0; byte < 4; byte += 1)
      columns[(column * 4 + byte) * list.length + row] = Math.floor(value / 2 ** (8 * byte)) % 256;
  };
  const odd: FoldedModel["odd"] = [];
  for (const [row, word] of list.entries()) {
    if (numberAt(row, 0) !== first(word)) odd.push([row, numberAt(row, 0)]);
    writeValue(0, row, numberAt(row, 1));
    writeValue(1, row, numberAt(row, 2));
    writeValue(2, row, toRelative(numberAt(row, 3), row));
  }
  return { words: foldWords(list), rows: columns.toString("base64"), odd };
}

/** The model without the folded parts. */
export function withoutFolded<M extends TaggerModel>(model: M): M {
  const lexeme = { ...model.features.lexeme, list: [] };
  return { ...model, lexicon: "", features: { ...model.features, lexeme } };
}

const MODEL = "eng-core-web-model.json";
const FOLDED = "\0folded-tagger-model";
/** Models for entities and sentiment, which the card engine does not use. */
const UNUSED_MODELS = new Set(["eng-ner-model.json", "eng-sa-model.json"]);

const baseName = (path: string) => path.split("/").at(-1) ?? "";

/** A module with the folded model as plain text, because the build compresses the web app's files anyway. */
function writeText(model: TaggerModel): string {
  const parts = [withoutFolded(model), foldModel(model)].map((part) => JSON.stringify(JSON.stringify(part)));
  return `import { unfoldModel } from "#shared/text/tagging/tagger-model.ts";
export const toJSON = () => unfoldModel(JSON.parse(${parts[0]}), JSON.parse(${parts[1]}));`;
}

/** A module with the folded model deflated to a quarter of its size, for a package that is installed uncompressed. */
export function writeDeflated(model: TaggerModel): string {
  const parts = [withoutFolded(model), foldModel(model)].map((part) =>
    JSON.stringify(deflateRawSync(JSON.stringify(part), { level: 9 }).toString("base64")),
  );
  return `import { inflateSync, strFromU8 } from "fflate";
import { unfoldModel } from "#shared/text/tagging/tagger-model.ts";
const read = (text) => JSON.parse(strFromU8(inflateSync(Uint8Array.from(atob(text), (char) => char.charCodeAt(0)))));
export const toJSON = () => unfoldModel(read(${parts[0]}), read(${parts[1]}));`;
}

/** Vite plugin that shrinks the tagger's model in the bundle and leaves out unused models. */
export function leanTagger(write = writeText): Plugin {
  let path = "";
  return {
    name: "lean-tagger",
    enforce: "pre",
    resolveId(source, importer) {
      const name = baseName(source);
      if (UNUSED_MODELS.has(name)) return join(import.meta.dirname, "empty-tagger-model.json");
      if (name !== MODEL || importer === undefined) return undefined;
      path = join(dirname(importer), source);
      return FOLDED;
    },
    load(id) {
      if (id !== FOLDED) return undefined;
      // The module unfolds the model on first use.
      return write(JSON.parse(readFileSync(path, "utf8")) as TaggerModel);
    },
  };
}
