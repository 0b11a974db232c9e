import type { Protection } from "./protection.ts";

const GATES_TEST = "tests/ai/ai-gates.test.ts";
const HOSTED_TEST = "tests/ai/ai-hosted.test.ts";
const READER_TEST = "tests/ai/ai-reader.test.ts";
const SELF_CHECK_TEST = "tests/ai/self-check.test.ts";
const HOSTED_GATES = "api/ai/openai/hosted-gates.ts";
const COUNTED_ANSWER = "api/ai/openai/counted-answer.ts";
const HOSTED_CARDS = "api/ai/openai/hosted-cards.ts";
const GENERATION = "api/ai/openai/card-generation.ts";
const SELF_CHECK = "api/ai/openai/self-check.ts";
const CARD_GATES = "shared/cards/gates/card-gates.ts";
const CARD_GATES_TEST = "tests/cards/gates.test.ts";

/** Mutants of the checks on model-written cards, and of the gates that all engines share. */
export const generatedCards: readonly Protection[] = [
  {
    id: "G1",
    what: "a link that the source does not contain is rejected",
    edits: [
      { file: HOSTED_GATES, from: "  if (hasForeignMarkup(card)) return", to: "  if (card.quote === '') return" },
    ],
    tests: GATES_TEST,
    title: "markup that",
  },
  {
    id: "G2",
    what: "markup that loads something is rejected even if the source contains it",
    edits: [{ file: HOSTED_GATES, from: "if (ACTIVE_MARKUP.test(`${question}\\n${answer}`)) return true;", to: "" }],
    tests: GATES_TEST,
    title: "load something",
  },
  {
    id: "G3",
    what: "a quote must be in the source",
    edits: [
      {
        file: HOSTED_GATES,
        from: "findExactQuote(source.passages, card.quote);",
        to: 'findExactQuote(source.passages, card.quote) ?? ({ passageId: "0" } as QuotePosition);',
      },
      {
        file: CARD_GATES,
        from: '  if (!findExactQuote(passages, card.quote)) return { ok: false, reason: "quote_not_in_source" };\n',
        to: "",
      },
    ],
    tests: HOSTED_TEST,
    title: "not in the source are dropped",
  },
  {
    id: "G4",
    what: "question marks of other scripts are recognised",
    edits: [{ file: HOSTED_GATES, from: '.replace(OTHER_QUESTION_MARK, "?")', to: "" }],
    tests: GATES_TEST,
    title: "language of its source",
  },
  {
    id: "G5",
    what: "the numbers in a translated answer must be in the quote",
    edits: [
      {
        file: HOSTED_GATES,
        from: 'if (extractNumbers(answer).some((n) => !quoteNumbers.has(n))) return "answer_not_in_quote";',
        to: "if (quoteNumbers.size < 0) return undefined;",
      },
    ],
    tests: GATES_TEST,
    title: "its numbers",
  },
  {
    id: "G6",
    what: "a translated card passes the other gates",
    edits: [{ file: HOSTED_GATES, from: "return verdict.ok ? undefined : verdict.reason;", to: "return undefined;" }],
    tests: GATES_TEST,
    title: "must pass the other gates",
  },
  {
    id: "G7",
    what: "an untranslated answer must be in the quote",
    edits: [{ file: HOSTED_GATES, from: "if (!source.isTranslated || verdict.reason", to: "if (verdict.reason" }],
    tests: GATES_TEST,
    title: "its numbers",
  },
  {
    id: "G8",
    what: "a source in the requested language is not translated",
    edits: [{ file: HOSTED_GATES, from: "return isSourceEnglish !== isRequestedEnglish;", to: "return true;" }],
    tests: GATES_TEST,
    title: "its numbers",
  },
  {
    id: "G9",
    what: "a card that is not well formed is rejected",
    edits: [
      { file: CARD_GATES, from: '  if (!isWellFormed(spaced)) return { ok: false, reason: "malformed" };\n', to: "" },
    ],
    tests: CARD_GATES_TEST,
  },
  {
    id: "G10",
    what: "a card that needs its source is rejected",
    edits: [
      {
        file: CARD_GATES,
        from: '  if (!isSelfContained(spaced)) return { ok: false, reason: "needs_context" };\n',
        to: "",
      },
    ],
    tests: CARD_GATES_TEST,
  },
  {
    id: "G11",
    what: "an answer that the quote does not contain is rejected",
    edits: [
      {
        file: CARD_GATES,
        from: '  if (!isAnswered(spaced) && !isVerbatim(card)) return { ok: false, reason: "answer_not_in_quote" };\n',
        to: "",
      },
    ],
    tests: CARD_GATES_TEST,
  },
  {
    id: "G12",
    what: "a question that gives its answer away is rejected",
    edits: [
      {
        file: CARD_GATES,
        from: '  if (leaksAnswer(spaced)) return { ok: false, reason: "answer_in_question" };\n',
        to: "",
      },
    ],
    tests: CARD_GATES_TEST,
  },
  {
    id: "G13",
    what: "a card that the deck has is rejected",
    edits: [
      {
        file: CARD_GATES,
        from: '  if (acceptedSoFar.some((accepted) => areDuplicates(card, accepted))) return { ok: false, reason: "duplicate" };\n',
        to: "",
      },
    ],
    tests: HOSTED_TEST,
    title: "writes again, or that the deck has",
  },
  {
    id: "G14",
    what: "the cards of one generation are compared with each other",
    edits: [{ file: GENERATION, from: "    this.existingCards.push({ question, answer });\n", to: "" }],
    tests: HOSTED_TEST,
    title: "writes again, or that the deck has",
  },
  {
    id: "G15",
    what: "cards in the source's language are rejected if another language was requested",
    edits: [
      {
        file: GENERATION,
        from: "const isWrongLanguage = this.#isWrongLanguage(card);",
        to: "const isWrongLanguage = card.quote === '';",
      },
    ],
    tests: HOSTED_TEST,
    title: "another was requested",
  },
  {
    id: "G16",
    what: "a generation without a card in the requested language fails",
    edits: [
      {
        file: HOSTED_CARDS,
        from: '      if (generation.accepted === 0) throw new Failure("model_unavailable", "model_other_language");\n',
        to: "",
      },
    ],
    tests: HOSTED_TEST,
    title: "another was requested",
  },
  {
    id: "G17",
    what: "a generation that left out most cards because of their language reports it",
    edits: [{ file: HOSTED_CARDS, from: '      yield { type: "notice", notice: "not_translated" };\n', to: "" }],
    tests: HOSTED_TEST,
    title: "reports if most cards",
  },
  {
    id: "G18",
    what: "left-out cards are reported only if they are the majority",
    edits: [
      {
        file: HOSTED_CARDS,
        from: "if (generation.wrongLanguageCount > generation.rightLanguageCount) {",
        to: "if (generation.wrongLanguageCount >= 0) {",
      },
    ],
    tests: HOSTED_TEST,
    title: "reports if most cards",
  },
  {
    id: "G19",
    what: "a model that writes more cards than asked for adds no more",
    edits: [
      {
        file: HOSTED_CARDS,
        from: "generation.accepted < goal ? generation.applyGates(card, task.chunk.passages) : undefined",
        to: "generation.applyGates(card, task.chunk.passages)",
      },
    ],
    tests: HOSTED_TEST,
    title: "writes more cards than requested",
  },
  {
    id: "G20",
    what: "the connection is closed once there are enough cards",
    edits: [
      {
        file: HOSTED_CARDS,
        from: "const isStopped = generation.accepted >= goal || answerChars > maxTokens * MAX_JSON_CHARS_PER_TOKEN;",
        to: "const isStopped = false;",
      },
    ],
    tests: HOSTED_TEST,
    title: "closes the connection",
  },
  {
    id: "G21",
    what: "a chunk without new cards is abandoned",
    edits: [{ file: HOSTED_CARDS, from: "const MAX_EMPTY_ANSWERS = 2;", to: "const MAX_EMPTY_ANSWERS = 20;" }],
    tests: HOSTED_TEST,
    title: "always refuses",
  },
  {
    id: "G22",
    what: "the card that the length limit cut off is rejected",
    edits: [
      {
        file: HOSTED_CARDS,
        from: 'part.type === "end" && part.isWhole ? reader.end()',
        to: 'part.type === "end" ? reader.end()',
      },
    ],
    tests: HOSTED_TEST,
    title: "cut off by the length limit",
  },
  {
    id: "G23",
    what: "the request that resumes a cut-off answer lists the cards so far",
    edits: [
      {
        file: HOSTED_CARDS,
        from: "generation.existingCards.slice(-MAX_QUESTIONS_IN_PROMPT).map((c) => c.question)",
        to: "[]",
      },
    ],
    tests: HOSTED_TEST,
    title: "resumes a stream",
  },
  {
    id: "G24",
    what: "a resumed generation counts the cards that it made",
    edits: [{ file: HOSTED_CARDS, from: "Math.max(max - (made?.length ?? 0), 0)", to: "max" }],
    tests: HOSTED_TEST,
    title: "a resumed generation makes no more",
  },
  {
    id: "G25",
    what: "a resumed generation continues with the chunk that it stopped at",
    edits: [{ file: HOSTED_CARDS, from: "      if (i < done) continue;\n", to: "" }],
    tests: HOSTED_TEST,
    title: "a resumed generation begins",
  },
  {
    id: "G26",
    what: "a model that refuses optional settings is called again without them",
    edits: [{ file: GENERATION, from: "    this.omitsOptions = true;\n    return true;", to: "    return false;" }],
    tests: HOSTED_TEST,
    title: "without temperature and token limit",
  },
  {
    id: "G27",
    what: "the failures of a request are counted",
    edits: [{ file: HOSTED_CARDS, from: "? 1 : failures + 1;", to: "? 1 : 1;" }],
    tests: HOSTED_TEST,
    title: "a limited number of times",
  },
  {
    id: "G28",
    what: "a student who stops the generation stops its request",
    edits: [
      {
        file: HOSTED_CARDS,
        from: "const modelRequest = { system: prompt.system, turns, maxTokens, omitsOptions, signal: request.signal };",
        to: "const modelRequest = { system: prompt.system, turns, maxTokens, omitsOptions, signal: new AbortController().signal };",
      },
    ],
    tests: HOSTED_TEST,
    title: "cancelling aborts",
  },
  {
    id: "G29",
    what: "the tokens of a request are reserved in the day's budget",
    edits: [
      {
        file: COUNTED_ANSWER,
        from: "await hosted.budget.reserve(promptTokens + modelRequest.maxTokens);",
        to: "await hosted.budget.reserve(0);",
      },
    ],
    tests: HOSTED_TEST,
    title: "the daily budget stops",
  },
  {
    id: "G30",
    what: "a card whose quote does not answer it is rejected",
    edits: [{ file: GENERATION, from: "      if (isAnswered) yield", to: "      if (isAnswered || card) yield" }],
    tests: HOSTED_TEST,
    title: "drops a card whose quote",
  },
  {
    id: "G31",
    what: "an answer that differs from the card's does not count",
    edits: [{ file: SELF_CHECK, from: "isSameAnswer(answer, written) || (this.#generation.isTranslated && ", to: "(" }],
    tests: HOSTED_TEST,
    title: "something else",
  },
  {
    id: "G32",
    what: "a translated card may be answered in the language of the quote",
    edits: [{ file: SELF_CHECK, from: " || (this.#generation.isTranslated && !isNoAnswer(written))", to: "" }],
    tests: HOSTED_TEST,
    title: "must be answered",
  },
  {
    id: "G33",
    what: "the tokens of the check are reserved in the day's budget",
    edits: [
      {
        file: COUNTED_ANSWER,
        from: "await hosted.budget.reserve(promptTokens + modelRequest.maxTokens);",
        to: "await hosted.budget.reserve(0);",
      },
    ],
    tests: HOSTED_TEST,
    title: "budget is too small",
  },
  {
    id: "G34",
    what: "a failed check is not repeated endlessly",
    edits: [{ file: SELF_CHECK, from: "const MAX_FAILURES = 2;", to: "const MAX_FAILURES = 99;" }],
    tests: HOSTED_TEST,
    title: "after two requests that failed",
  },
  {
    id: "G35",
    what: "a card without a verdict is kept",
    edits: [
      {
        file: SELF_CHECK,
        from: "if (written === undefined) return true;",
        to: "if (written === undefined) return false;",
      },
    ],
    tests: HOSTED_TEST,
    title: "could not be checked",
  },
  {
    id: "G36",
    what: "most words of the shorter answer must agree",
    edits: [{ file: SELF_CHECK, from: "const MIN_SHARED = 0.5;", to: "const MIN_SHARED = 0;" }],
    tests: SELF_CHECK_TEST,
  },
  {
    id: "G37",
    what: "placeholder words for a missing answer count as no answer",
    edits: [{ file: SELF_CHECK, from: " && !isNoAnswer(written)", to: "" }],
    tests: HOSTED_TEST,
    title: "must be answered",
  },
  {
    id: "G38",
    what: "an object that is never closed is abandoned",
    edits: [
      {
        file: "api/ai/openai/object-reader.ts",
        from: "MAX_OBJECT) this.#discardUntil(this.#start + 1);",
        to: "MAX_OBJECT) this.#start = 0;",
      },
    ],
    tests: READER_TEST,
    title: "never closed",
  },
];
