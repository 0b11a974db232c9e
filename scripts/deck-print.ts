/** Prints twenty generated cards of each given document with the passages they stand on: `node scripts/deck-print.ts FILE…`. */
import { readDocument } from "#api/kit/parsing/document-reader.ts";
import { closeParsers } from "#api/kit/parsing/parser-pool.ts";
import { generateCards } from "#shared/engine/cards.ts";
import { Density } from "#shared/engine/schema.ts";
import { documentKindOf } from "#shared/pdf/document-kinds.ts";
import type { Passage } from "#shared/pdf/schema.ts";

const density = Density.parse(process.env["DENSITY"] ?? "AUTO");
const MOST = 20;

for (const path of process.argv.slice(2)) {
  const kind = documentKindOf(path);
  if (kind === undefined || kind === "image") {
    console.log(`${path}: no text to read without recognition`);
    continue;
  }
  const passages: Passage[] = [];
  for await (const page of readDocument(kind, path)) passages.push(...page.passages);
  const cards = [...generateCards(passages, { density })].flatMap((e) => (e.type === "card" ? [e.card] : []));
  console.log(`\n# ${path}: ${cards.length} cards`);
  // From all over the document, not from its beginning.
  const shown = cards.filter(
    (_, at) => Math.floor((at * MOST) / cards.length) !== Math.floor(((at - 1) * MOST) / cards.length),
  );
  for (const { question, answer, quote, page } of shown.slice(0, MOST))
    console.log(`\n${question}\n  → ${answer}\n  “${quote}”${page === undefined ? "" : ` (page ${page})`}`);
}
closeParsers();
