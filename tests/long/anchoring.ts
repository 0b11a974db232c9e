// Searches the good PDFs of the corpus for 500 quotes with small edits, which must be found, and for 500 quotes that are
// not in the document, which must not be highlighted.
import { sweepAbsent, sweepFound } from "#tests/pdf/anchoring-sweep.ts";
import { goodPdfs, readFile, type ReadFile } from "#tests/pdf/quote-sample.ts";
import { isFull } from "#tests/kit/all-cases.ts";

const COUNT = 500;
const SEEDS = isFull ? [7, 11, 2026] : [7];
/** The exit code that tests/long/run.ts understands as "found faults". */
const FOUND_FAULTS = 3;

const files: ReadFile[] = [];
for (const path of goodPdfs()) files.push(await readFile(path));
let isGood = true;
for (const seed of files.length === 0 ? [] : SEEDS) {
  const { tried, missed } = sweepFound(files, COUNT, seed);
  const share = (tried - missed.length) / tried;
  process.stdout.write(`seed ${seed}: ${tried - missed.length} of ${tried} found on their page and rectangle\n`);
  for (const { kind, file, quote, fault } of missed)
    process.stdout.write(`  ${fault} (${kind}, ${file}): ${quote.slice(0, 120)}\n`);
  const absent = sweepAbsent(files, COUNT, seed);
  process.stdout.write(
    `seed ${seed}: ${absent.lit.length} of ${absent.tried} highlighted although they are not there\n`,
  );
  for (const { kind, file, quote } of absent.lit) process.stdout.write(`  ${kind}, ${file}: ${quote.slice(0, 160)}\n`);
  isGood = isGood && share >= 0.99 && absent.lit.length === 0 && tried === COUNT && absent.tried === COUNT;
}
process.exit(isGood ? 0 : FOUND_FAULTS);
