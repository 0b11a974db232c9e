import { describe, expect, test, vi } from "vitest";
import { checkCard } from "#shared/cards/gates/card-gates.ts";
import { passagesFromText } from "#shared/text/plain-text.ts";
import { findExactQuote } from "#shared/text/quotes.ts";

const passages = passagesFromText(
  "# Rivers\n\nA delta is a landform that a river builds from sediment where it meets still water. " +
    "The “Nile” delta is fan-\nshaped, and its ﬂoods once fed the fields.\n\nMeanders are wide bends in a river.",
);
const card = {
  question: "What is a delta?",
  answer: "A landform that a river builds from sediment where it meets still water",
  quote: "A delta is a landform that a river builds from sediment where it meets still water.",
};
const reasonFor = (change: Partial<typeof card>, accepted: { question: string; answer: string }[] = []) => {
  const verdict = checkCard({ ...card, ...change }, passages, accepted);
  return verdict.ok ? "ok" : verdict.reason;
};

describe("a card must pass every gate", () => {
  test("accepts a card whose quote is in the source", () => {
    expect(reasonFor({})).toBe("ok");
  });

  test("rejects a quote that isn't in the source", () => {
    expect(reasonFor({ quote: "A delta is a landform that the sea builds from sand." })).toBe("quote_not_in_source");
    expect(reasonFor({ quote: "" })).toBe("quote_not_in_source");
    expect(reasonFor({ quote: "delta" })).toBe("quote_not_in_source");
  });

  test("rejects an answer whose words aren't in the quote", () => {
    expect(reasonFor({ answer: "A volcanic island in the ocean" })).toBe("answer_not_in_quote");
    expect(reasonFor({ answer: "Both of them" })).toBe("answer_not_in_quote");
    // An answer in another language than the source.
    expect(reasonFor({ question: "Was ist ein Delta?", answer: "Eine Landform aus Ablagerungen" })).toBe(
      "answer_not_in_quote",
    );
  });

  test.each([
    ["no question mark and no blank", { question: "Say what a delta is" }],
    ["too short", { question: "Delta?" }],
    ["too long", { question: `What ${"very ".repeat(40)}is a delta?` }],
    ["an answer longer than one fact", { answer: "A landform that rivers build ".repeat(5).trim() }],
    ["an answer that is cut off", { answer: "A landform that a river builds," }],
    ["an empty answer", { answer: " " }],
    ["an open bracket", { answer: "A landform (that a river builds" }],
    ["an open bracket in the question", { question: "What is a delta (of a river?" }],
    ["a bracket that closes before it opens", { answer: "A landform) that a (river builds" }],
    ["a question cut short", { question: "What is a delta and the?" }],
    ["an answer cut short", { answer: "A landform that a river builds from" }],
    ["an answer to another question", { answer: "A landform that a river builds?" }],
    ["an answer with a blank", { answer: "A landform that a ____ builds" }],
  ])("rejects a malformed card: %s", (_, change) => {
    expect(reasonFor(change)).toBe("malformed");
  });

  test.each([
    ["What does it build from sediment?", card.answer],
    ["What does this process build?", card.answer],
    ["What does the figure show about a delta?", card.answer],
    ["What is the landform described above?", card.answer],
    ["According to the text, what is a delta?", card.answer],
    ["What is a delta?", "It is a landform that a river builds"],
    ["What is a delta?", "A landform in that list"],
  ])("rejects a card that can't be understood alone: %s %s", (question, answer) => {
    expect(reasonFor({ question, answer })).toBe("needs_context");
  });

  test("rejects a question that contains its answer, also in the plural", () => {
    expect(reasonFor({ question: "Which landform is called a delta?", answer: "Deltas" })).toBe("answer_in_question");
    expect(reasonFor({ question: "What sediment does a river build with?", answer: "River sediment" })).toBe(
      "answer_in_question",
    );
  });

  test("rejects an answer of stop words if the question contains it", () => {
    expect(reasonFor({ question: "Does a delta form where a river meets the sea?", answer: "Where" })).toBe(
      "answer_in_question",
    );
  });

  test("rejects the reverse of an accepted card", () => {
    const turned = "Which landform does a river build from sediment where it meets still water?";
    expect(reasonFor({ question: turned, answer: "A delta" }, [card])).toBe("duplicate");
  });

  test("rejects the same question with a shortened answer", () => {
    expect(reasonFor({ answer: "A landform" }, [card])).toBe("duplicate");
  });

  test("rejects a card that repeats an accepted one", () => {
    expect(reasonFor({}, [{ question: "What are deltas?", answer: card.answer }])).toBe("duplicate");
    expect(reasonFor({}, [{ question: "What are meanders?", answer: "Wide bends in a river" }])).toBe("ok");
  });

  test("rejects a card with the same answer and nearly the same question", () => {
    const asked = { question: "What is the landform that a river builds from sediment called?", answer: "A delta" };
    const again = "What landform grows where rivers drop their sediment?";
    expect(reasonFor({ question: again, answer: "A delta" }, [asked])).toBe("duplicate");
  });

  test("requires a blank in a cloze question", () => {
    const quote = "Meanders are wide bends in a river.";
    expect(reasonFor({ question: "____ are wide bends in a river.", answer: "Meanders", quote })).toBe("ok");
  });
});

describe("a quote is found word for word", () => {
  test("ignoring spaces, hyphens at line ends, case, quotation marks and ligatures", () => {
    const place = findExactQuote(passages, 'the "nile" delta is fanshaped, and its floods');
    expect(place?.passageId).toBe(passages[1]?.id);
    expect(passages[1]?.text.slice(place?.start, place?.end)).toBe("The “Nile” delta is fan- shaped, and its ﬂoods");
  });

  test("but not if it begins or ends inside a word", () => {
    expect(findExactQuote(passages, "elta is a landform that a river")).toBeUndefined();
    expect(findExactQuote(passages, "Meanders are wide ben")).toBeUndefined();
  });

  test("but not if it spans more passages than a list", () => {
    const words = Array.from({ length: 12 }, (_, i) => `Bend number ${i} of the river`);
    const many = passagesFromText(words.join("\n\n"));
    expect(findExactQuote(many, words.slice(0, 4).join(" "))).toBeDefined();
    expect(findExactQuote(many, words.join(" "))).toBeUndefined();
  });

  test("across a passage boundary, past a running head", () => {
    const [first, second] = passagesFromText("Rocks are worn\n\naway by moving water.");
    if (!first || !second) throw new Error("two passages expected");
    const head = { ...first, id: "h", text: "Chapter 3", kind: "running_head" as const };
    const pages = [{ ...first, locator: { page: 4 } }, head, { ...second, locator: { page: 5 } }];
    expect(findExactQuote(pages, "Rocks are worn away by moving water.")).toEqual({
      passageId: first.id,
      page: 4,
      start: 0,
      end: first.text.length,
    });
  });

  test("in a megabyte of one line, emoji and lone surrogates", () => {
    const long = passagesFromText(`${"ab ".repeat(350_000)}😀😀 end of the line \uD800`);
    const startedAt = performance.now();
    expect(findExactQuote(long, "😀😀 end of the line")).toBeDefined();
    expect(findExactQuote(long, `${"ab ".repeat(200)}x`)).toBeUndefined();
    expect(performance.now() - startedAt).toBeLessThan(5000);
  });
});

describe("a card in a script without spaces", () => {
  const chinese = passagesFromText("光合作用是植物利用光能制造有机物的过程。");
  const quote = "光合作用是植物利用光能制造有机物的过程。";
  const definition = { question: "光合作用是什么?", answer: "植物利用光能制造有机物的过程", quote };

  test("is compared with the deck word by word", () => {
    expect(checkCard(definition, chinese, [])).toEqual({ ok: true });
    expect(checkCard(definition, chinese, [{ question: "光合作用是什么?", answer: "植物制造有机物的过程" }])).toEqual({
      ok: false,
      reason: "duplicate",
    });
  });

  test("is segmented once, however many cards it is compared with", () => {
    const deck = Array.from({ length: 20 }, (_, i) => ({ question: `第${i}个细胞器是什么?`, answer: `线粒体${i}` }));
    const segment = vi.spyOn(Intl.Segmenter.prototype, "segment");
    checkCard({ ...definition }, chinese, deck);
    const first = segment.mock.calls.length;
    checkCard({ ...definition }, chinese, deck);
    expect(segment.mock.calls.length - first).toBeLessThan(deck.length);
    segment.mockRestore();
  });
});
