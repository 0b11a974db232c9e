import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";
import { expect, test } from "vitest";

/** Literary words that docs/glossary.md replaces by standard terms. */
const FORBIDDEN = new Set(
  "told said says kept keeper holds leans speaks telling door doors patience whoever lesser errand errands seat stretches heard mended mending hears malus wished wishes journey shelves talks underway".split(
    " ",
  ),
);

/** Names in one file that contain such a word and stay, with the reason. */
const allowedWords: Readonly<Record<string, string>> = {
  "shared/study/deck/cached-decks.ts: keptAt": "stored in browsers",
  "shared/sync/storage/local-store.ts: keptAt": "stored in browsers",
  "tests/sync/storage/upgraded-databases.test.ts: keptAt": "a field of earlier versions",
};

/** Names exported twice in one room, with the reason. */
const allowedTwins: Readonly<Record<string, string>> = {
  "api importHandlers": "decks, and notes",
  "api pictureHandlers": "pictures of cards, and of profiles",
  "api Collection": "an Anki collection, and one of the document store",
  "api Note": "an Anki note, and one of a notes archive",
  "api Source": "of a generation, and of the search index",
  "api findUser": "auth and user each read the account for their own purpose",
  "api saveUser": "auth and user each write the account for their own purpose",
  "extension DraftCard": "the component and the data that it shows",
  "shared Density": "the engine's own scale, and the one of the call",
  "webapp Sessions": "the component and the data that it shows",
  "webapp clearSelection": "of a document, and of a transcript",
};

/** Earlier names, which stay readable. */
const EARLIER_NAMES = new Set([
  "shared/messages/renamed-reasons.ts",
  "api/store/migrations/stored-names.ts",
  "shared/podcasts/renamed-notices.ts",
  "tests/store/data-folders/renamed-names-suite.ts",
]);

const rooms = ["api", "shared", "webapp", "extension", "scripts", "bench"];

const allFilesIn = (room: string) =>
  readdirSync(room, { recursive: true, encoding: "utf8" })
    .map((file) => join(room, file))
    .filter((file) => /\.(?:tsx?|mjs)$/.test(file));
/** The files without messages, because each language exports the same tables. */
const filesIn = (room: string) => allFilesIn(room).filter((file) => !file.startsWith("shared/messages/"));

const parse = (file: string) =>
  ts.createSourceFile(
    file,
    readFileSync(file, "utf8"),
    ts.ScriptTarget.Latest,
    true,
    file.endsWith("x") ? ts.ScriptKind.TSX : ts.ScriptKind.TS,
  );

const wordsOf = (name: string) => name.replaceAll(/(?<=[a-z\d])(?=[A-Z])|_/g, " ").split(" ");

function* declaredNames(node: ts.Node): Generator<string> {
  const { parent } = node;
  const isDeclared = ts.isIdentifier(node) && "name" in parent && parent.name === node;
  if (isDeclared && !ts.isPropertyAccessExpression(parent)) yield node.text;
  for (const child of node.getChildren()) yield* declaredNames(child);
}

const isExported = (statement: ts.Statement) =>
  ts.canHaveModifiers(statement) &&
  (ts.getModifiers(statement) ?? []).some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword);

function exportedNames(file: ts.SourceFile): string[] {
  return file.statements.filter(isExported).flatMap((statement) => {
    if (ts.isVariableStatement(statement))
      return statement.declarationList.declarations.map((declaration) => declaration.name.getText());
    return "name" in statement && statement.name ? [(statement.name as ts.Identifier).text] : [];
  });
}

test("identifiers use the terms of the glossary", () => {
  const files = [...rooms, "tests"].flatMap(allFilesIn).filter((file) => !EARLIER_NAMES.has(file));
  const found = files.flatMap((file) =>
    [...new Set(declaredNames(parse(file)))]
      .filter((name) => wordsOf(name).some((word) => FORBIDDEN.has(word.toLowerCase())))
      .map((name) => `${file}: ${name}`),
  );
  expect(found.filter((name) => !(name in allowedWords))).toEqual([]);
});

/** Contract rows, handlers and client calls share one word on purpose; entry points are named by the framework. */
const isShared = (file: string) => /(?:contract|handlers)\.ts$|^extension\/entrypoints\//.test(file);

test("no two things in one room are exported under one name", () => {
  const twins = rooms.slice(0, 4).flatMap((room) => {
    const filesByName = new Map<string, string[]>();
    for (const file of filesIn(room).filter((path) => !isShared(path)))
      for (const name of new Set(exportedNames(parse(file))))
        filesByName.set(name, [...(filesByName.get(name) ?? []), file]);
    return [...filesByName].filter(([, files]) => files.length > 1).map(([name]) => `${room} ${name}`);
  });
  expect(twins.filter((twin) => !(twin in allowedTwins))).toEqual([]);
});

test("the name of a class that is thrown ends in Error", () => {
  // `Failure` is the API's own word for a refused call, and the same on both sides of it.
  const found = [...rooms, "tests"].flatMap(allFilesIn).flatMap((file) =>
    [...readFileSync(file, "utf8").matchAll(/\bclass (\w+) extends (?:\w*Error|Failure)\b/g)]
      .map(([, name = ""]) => name)
      .filter((name) => !name.endsWith("Error") && name !== "Failure")
      .map((name) => `${file}: ${name}`),
  );
  expect(found).toEqual([]);
});
