import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";

/**
 * What is said to somebody else than a student at a screen: to models, operators, a mailbox; and what stands in a card or
 * in an answer of the tutor, which is in the language of those.
 */
const ELSEWHERE = [
  /^shared\/(messages|engine|sync\/simulated|tutor\/wordings)/,
  /^shared\/flashcards\/making\.ts$/,
  /^api\/(ai\/(prompts|openai\/writing|builtin\/builtin-worker)|store\/(cannot-open|data-folder|sqlite\/(sqlite|vector-tables|passage-tables))|documents\/anki\/)/,
  /^api\/(auth\/mails|tutor\/answering\/tools)\.ts$/,
];

/** Sentences: a capital, and an end. */
const SENTENCE = /^[A-Z“].*(?:[.!?]|https:\/\/)$/s;

const isFailure = (node: ts.Node): node is ts.NewExpression =>
  ts.isNewExpression(node) && ts.isIdentifier(node.expression) && node.expression.text === "Failure";

/** The words of a literal, with `{{0}}` where something is put in; undefined for anything else. */
function wordsOf(node: ts.Node): string | undefined {
  if (ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node)) return node.text;
  if (!ts.isTemplateExpression(node)) return undefined;
  return node.templateSpans.reduce((said, span, at) => `${said}{{${at}}}${span.literal.text}`, node.head.text);
}

/** Errors of our own that no caller sees, and what rows say of themselves to programmers. */
function isForProgrammers(node: ts.Node): boolean {
  const { parent } = node;
  if (ts.isNewExpression(parent)) return parent.expression.getText() !== "Failure";
  return ts.isPropertyAssignment(parent) && parent.name.getText() === "summary";
}

function* messagesIn(path: string, text: string): Generator<string> {
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const open: ts.Node[] = [source];
  for (let node = open.pop(); node; node = open.pop()) {
    const words = wordsOf(node);
    const isRefusal = words !== undefined && isFailure(node.parent);
    const isSaid = isRefusal
      ? words.includes(" ")
      : words !== undefined && SENTENCE.test(words) && !isForProgrammers(node);
    if (words !== undefined && isSaid) yield words;
    open.push(...node.getChildren(source));
  }
}

const filesIn = (folder: string) =>
  readdirSync(folder, { recursive: true, encoding: "utf8" })
    .map((file) => join(folder, file))
    .filter((file) => file.endsWith(".ts") && !ELSEWHERE.some((place) => place.test(file)));

/** Every sentence that the server, or a rule it shares with its clients, may say to a student, with where it stands. */
export const servedMessages = (): Map<string, string> =>
  new Map(
    ["api", "shared"]
      .flatMap(filesIn)
      .flatMap((file) => [...messagesIn(file, readFileSync(file, "utf8"))].map((words) => [words, file] as const)),
  );
