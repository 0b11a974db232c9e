import { array, assert, constantFrom, integer, property, record, string } from "fast-check";
import { expect, test } from "vitest";
import { CardReader, type WrittenCard } from "#api/ai/openai/object-reader.ts";

function readInPieces(text: string, size: number): WrittenCard[] {
  const reader = new CardReader();
  const cards: WrittenCard[] = [];
  for (let at = 0; at < text.length; at += size) cards.push(...reader.push(text.slice(at, at + size)));
  return [...cards, ...reader.end()];
}

const words = string({ unit: "grapheme", minLength: 1, maxLength: 60 });
const card = record({ question: words, answer: words, quote: words, passageId: constantFrom("1", "2") });
const frames = [
  (json: string) => json,
  (json: string) => `\`\`\`json\n${json}\n\`\`\``,
  (json: string) => `{"cards": ${json}}`,
  (json: string) => `Here you are:\n${json}\nThat is all.`,
];

test("reads the same cards however an answer is chunked and framed", () => {
  assert(
    property(
      array(card, { maxLength: 6 }),
      integer({ min: 1, max: 50 }),
      constantFrom(...frames),
      (cards, size, frame) => {
        const expected = cards.map(({ question, answer, quote }) => ({ question, answer, quote }));
        expect(readInPieces(frame(JSON.stringify(cards)), size)).toEqual(expected);
        expect(readInPieces(frame(JSON.stringify(cards, null, 2)), size)).toEqual(expected);
      },
    ),
  );
});

test("reads arbitrary model output quickly and without errors", () => {
  assert(
    property(string({ unit: "binary", maxLength: 400 }), integer({ min: 1, max: 50 }), (text, size) => {
      expect(Array.isArray(readInPieces(text, size))).toBe(true);
    }),
  );
  const startedAt = performance.now();
  for (const piece of ["{", '{"', "[{", '{"question":"', "\\", '"{'])
    readInPieces(piece.repeat(200_000 / piece.length), 500);
  expect(performance.now() - startedAt).toBeLessThan(15_000);
});

const good = (n: number) => `{"question": "What is ${n}?", "answer": "${n}", "quote": "It is ${n} and no other."}`;

test("a stray quotation mark costs at most its own card", () => {
  const broken = '{"question": "How long is 5" of tape?", "answer": "5 inches", "quote": "It is 5" long."}';
  const cards = readInPieces(`[${good(1)}, ${broken}, ${good(2)}, ${good(3)}]`, 7);
  expect(cards.map((c) => c.answer)).toEqual(expect.arrayContaining(["1", "2", "3"]));
});

test("an object that is never closed is skipped, and the cards after it are read while the answer streams", () => {
  const reader = new CardReader();
  for (let i = 0; i < 20; i++)
    expect(reader.push(i === 0 ? '{"question": "' : "What is that? ".repeat(100))).toEqual([]);
  expect(reader.push(good(1)).map(({ answer }) => answer)).toEqual(["1"]);
});

test("repairs numbers as answers, single quotes, comments and trailing commas", () => {
  const text = `[{'question': 'How many?', 'answer': 46, 'quote': 'There are 46 of them.',}, // next\n${good(2)},]`;
  expect(readInPieces(text, 9).map((c) => c.answer)).toEqual(["46", "2"]);
});
