import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterEach, expect, test } from "vitest";
import { startModelServer } from "#tests/kit/servers/model-server.ts";
import { madePdf } from "#tests/pdf/made-pdf.ts";

const closers: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).toReversed()) await close();
});

const LINES = [
  "A lighthouse is a tower that sends out light to guide ships at night.",
  "A logbook is a diary in which the weather and every passing ship are written down.",
  "A daymark is a pattern of colour that tells one tower from another by day.",
];

/** Counts the cards whose quotes occur in the chapter. */
const SCORER = `import { readFileSync } from "node:fs";
const deck = JSON.parse(readFileSync(process.argv[2], "utf8"));
const text = readFileSync(process.argv[4], "utf8").replaceAll(/\\s+/g, " ");
const quoted = deck.filter(({ quote }) => text.includes(quote.replaceAll(/\\s+/g, " "))).length;
console.log(JSON.stringify({ cards: deck.length, quoted: quoted / deck.length }));`;

function aCorpus() {
  const folder = mkdtempSync(join(tmpdir(), "lamplight-eval-"));
  closers.push(() => rmSync(folder, { recursive: true }));
  mkdirSync(join(folder, "textbook"));
  const chapter = join(folder, "textbook", "lighthouses");
  writeFileSync(`${chapter}.pdf`, madePdf([LINES.map((text, i) => ({ x: 60, y: 100 + 30 * i, text }))]));
  writeFileSync(`${chapter}.md`, LINES.join("\n\n"));
  writeFileSync(`${chapter}.reference.json`, "{}");
  writeFileSync(join(folder, "scorer.mjs"), SCORER);
  return folder;
}

test("the evaluation prints the same table for a model server as for the built-in engine", async () => {
  const folder = aCorpus();
  const server = await startModelServer();
  closers.push(() => server.close());
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ["scripts/cards/deck-score.ts", "--model", "test-model"],
    {
      env: {
        ...process.env,
        NODE_ENV: "test",
        CORPUS_DIR: folder,
        SCORER: join(folder, "scorer.mjs"),
        AI_BASE_URL: server.baseUrl,
      },
    },
  );
  const [, builtin = "", hosted = ""] = stdout.split(/^(?:built-in engine|test-model)$/m);
  const heads = [builtin, hosted].map((table) => /cards.*quoted.*clozeShare.*firstMs/.exec(table)?.[0]);
  expect(heads[0]).toBeDefined();
  expect(heads[1]).toBe(heads[0]);
  expect(builtin).toMatch(/lighthouses/);
  expect(hosted).toMatch(/lighthouses.*│ [1-9]\d* +│ 1 /);
  expect(server.requests.length).toBeGreaterThan(0);
}, 60_000);
