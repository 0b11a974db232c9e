import { expect, test } from "vitest";
import type { Passage } from "#shared/pdf/schema.ts";
import { listenabilityPenalty } from "#shared/podcasts/script/listenability.ts";
import { NewWords } from "#shared/podcasts/script/new-words.ts";
import { isAskable } from "#shared/podcasts/script/host/questions.ts";
import { ShortForms } from "#shared/podcasts/script/short-forms.ts";
import { withTalkHeadings } from "#api/podcasts/making/talk-headings.ts";

/** For each sentence of a source, whether it contains a short form that was not spelled out before. */
function listUnknown(...sentences: readonly string[]): boolean[] {
  const forms = new ShortForms(sentences, sentences.join("\n"));
  const introduced = new Set<string>();
  return sentences.map((sentence) => {
    const isUnknown = forms.hasUnknown(sentence, introduced);
    forms.introduce(sentence, introduced);
    return isUnknown;
  });
}

test.each([
  ["The dense passage retriever (DPR) compares vectors.", "With one exception, DPR finds more passages."],
  ["The major histocompatibility complex (MHC) shows antigens.", "Helper cells read the MHC of a cell."],
  ["MHC (major histocompatibility complex) molecules show antigens.", "Helper cells read the MHC of a cell."],
  ["Antigen-presenting cells (APCs) eat pathogens.", "APCs then show what they have eaten."],
  ["It becomes glyceraldehyde 3-phosphate (G3P).", "Only one G3P leaves the cycle."],
  ["They form a compound called ribulose bisphosphate (RuBP).", "RuBP has five atoms of carbon."],
])("a short form is unknown until it is introduced by “%s”", (introduces, use) => {
  expect(listUnknown(introduces, use)).toEqual([false, false]);
  expect(listUnknown(use, introduces)).toEqual([true, false]);
});

test("a name of letters that no sentence spells out is unknown before the sentence that names it first", () => {
  const forms = new ShortForms(["Lee built a system with the name ORQA.", "ORQA finds more passages."], "");
  expect(forms.hasUnknown("ORQA finds more passages.", new Set())).toBe(true);
  const introduced = new Set<string>();
  forms.introduce("Lee built a system with the name ORQA.", introduced);
  expect(forms.hasUnknown("ORQA finds more passages.", introduced)).toBe(false);
});

test.each([
  [
    "Karl Lashley looked for the engram in the brains of rats.",
    "However, Lashley did not find evidence of the engram.",
  ],
  ["Karl S. Lashley had looked for the engram since 1920.", "Since Lashley’s research, others have looked for it too."],
  ["E. L. Thorndike put cats into a box.", "Thorndike observed how fast a cat left its box."],
  ["In 1930, President Hoover signed the law.", "As before, Hoover believed that people would help."],
])("a person is not called by the surname before the full name in “%s”", (introduces, use) => {
  expect(listUnknown(introduces, use)).toEqual([false, false]);
  expect(listUnknown(use, introduces)).toEqual([true, false]);
});

test.each([
  ["Melvin Calvin won a prize for his work.", "The Calvin cycle was found by him."],
  ["Great Britain left the gold standard.", "Britain raised its interest rates in summer."],
  ["Early New England had a cold winter.", "England was colder still."],
  ["The American Bankers met in summer.", "Bankers lost the savings of many people, and bankers knew."],
  ["Most cells divide.", "Lashley trained rats."],
])("places, named things and persons with a single name need no introduction: %s", (introduces, use) => {
  expect(listUnknown(use, introduces)).toEqual([false, false]);
});

test("a person whose full name was not spoken is not called by the surname", () => {
  const forms = new ShortForms(["Lashley trained rats."], "Karl Lashley wrote a book [3]. Lashley trained rats.");
  expect(forms.hasUnknown("Lashley trained rats.", new Set())).toBe(true);
});

test("a long chain of hyphens is read as fast as other words", () => {
  const chain = "Met-Ala-Gly-".repeat(400);
  expect(listUnknown(`${chain}end is a chain called GHIJKL.`, `${chain} (GHIJKL`)).toEqual([false, false]);
});

test.each([
  ["Cells make a fuel called ATP in their mitochondria.", "The ATP is used for work."],
  ["Retrieval uses methods such as TF-IDF or BM25.", "Only BM25 ranks the passages."],
  ["DNA is read in the nucleus.", "Deoxyribonucleic acid (DNA) was found in 1869."],
  ["The tower (OPQ) is old.", "OPQ is its other name."],
])(
  "a short form that the source never spells out is known after a sentence that says what it is: %s",
  (first, second) => {
    expect(listUnknown(first, second)).toEqual([false, false]);
  },
);

test("a short form that no sentence explains stays unknown", () => {
  const sentences = ["Although ORQA beats BM25, it is slow.", "The NCVR reports a higher rate than before."];
  expect(listUnknown(...sentences)).toEqual([true, true]);
  expect(new ShortForms(sentences, sentences.join("\n")).listUnexplained()).toEqual(["ORQA", "BM25", "NCVR"]);
});

test.each([
  ["Reactions that release energy are called exergonic reactions.", [], "Most exergonic reactions need a small push."],
  ["The means of enforcing rules are sanctions.", ["sanctions"], "In schools, sanctions can be positive."],
])("a term is unknown before the sentence that introduces it: “%s”", (introduces, terms, use) => {
  const text = [introduces, use].join("\n");
  const forms = new ShortForms([introduces, use], text, new NewWords([introduces, use], text, terms));
  const introduced = new Set<string>();
  expect(forms.hasUnknown(use, introduced)).toBe(true);
  expect(forms.hasUnknown(introduces, introduced)).toBe(false);
  forms.introduce(introduces, introduced);
  expect(forms.hasUnknown(use, introduced)).toBe(false);
});

test.each([
  ["a word that the source has used before", "All energy is work.", "Work that waits is called potential energy."],
  ["a term whose sentence cannot be spoken", "", "Its sum is called the enthalpy (Figure 3)."],
])("%s needs no introduction", (_title, before, introduces) => {
  const use = "The enthalpy and the energy change together.";
  const words = new NewWords([use], [before, introduces, use].join("\n"), []);
  expect(words.listNeeded(use)).toEqual([]);
});

test.each([
  "Natural killer cells destroy cells that viruses have infected.",
  "The theory was published in 1859 and read in 1860, 1861 and 1862.",
  "We find that more examples improve the accuracy.",
  "Retrieval uses BM25 or TF-IDF (Smith, 2009; Jones, 2011; Brown, 2013; White, 2014).",
])("a sentence that is easy to follow by ear has no penalty: %s", (sentence) => {
  expect(listenabilityPenalty(sentence)).toBe(0);
});

test.each([
  "The encoders were trained for 40 epochs on large sets and 100 on small ones, with a rate of 0.1.",
  "We fine-tune the reader on the questions of the target set.",
  "Our reader considers more passages than the others.",
  "The gap between both methods is largest when k is small.",
])("a sentence with many figures, or about how the work was done, is chosen last: %s", (sentence) => {
  expect(listenabilityPenalty(sentence)).toBeGreaterThan(0);
});

test.each([
  [
    "What has evolved processes to conserve water and deal with harsh conditions?",
    "Desert plants have evolved processes to conserve water and deal with harsh conditions.",
    false,
  ],
  [
    "With the exception of SQuAD, what performs consistently better than BM25 on all datasets?",
    "With the exception of SQuAD, DPR performs consistently better than BM25 on all datasets.",
    false,
  ],
  ["What is storage?", "Storage is the creation of a permanent record of information.", true],
  [
    "Why do witnesses make mistakes?",
    "Witnesses make mistakes because memory is fragile and other people talk to them.",
    true,
  ],
])("“%s” is asked before “%s”: %s", (question, sentence, isAsked) => {
  expect(isAskable(question, sentence)).toBe(isAsked);
});

const SENTENCE_MS = 10_000;

const toPassages = (sentences: readonly string[]): Passage[] =>
  sentences.map((text, at) => {
    const startMs = at * SENTENCE_MS;
    return {
      id: `${at}`,
      text,
      kind: "paragraph",
      bold: [],
      italic: [],
      locator: { startMs, endMs: startMs + SENTENCE_MS - 500 },
    };
  });

const PARTS = [
  ["volcano", "lava"],
  ["glacier", "ice"],
  ["desert", "dune"],
];

/** A talk whose vocabulary changes twice: each part is about two things of its own. */
const aTalk = () =>
  toPassages(
    PARTS.flatMap(([one = "", other = ""]) =>
      Array.from({ length: 16 }, (_, at) =>
        at % 2 === 0 ? `The ${one} moves its ${other} slowly.` : `Every ${one} has ${other} of its own.`,
      ),
    ),
  );

test("a talk gets headings where its vocabulary changes, named by its nouns", () => {
  const headings = withTalkHeadings(aTalk(), []).filter(({ kind }) => kind === "heading");
  const titles = headings.map(({ text }) => text.toLowerCase());
  for (const [one = ""] of PARTS) expect(titles.some((title) => title.includes(one))).toBe(true);
  expect(titles.join(" ")).not.toMatch(/slowly|own/);
});

test("a detected part begins with a sentence that can be understood without those before it", () => {
  const passages = aTalk();
  const [, second] = withTalkHeadings(passages, []).flatMap((passage, at, all) =>
    passage.kind === "heading" ? [all[at + 1]] : [],
  );
  const at = passages.findIndex(({ id }) => id === second?.id);
  const changed = passages.map((passage, index) =>
    index === at ? { ...passage, text: "It is the opposite of that, and cold." } : passage,
  );
  const texts = withTalkHeadings(changed, []).map(({ kind, text }) => (kind === "heading" ? "##" : text));
  const moved = texts.indexOf("It is the opposite of that, and cold.");
  expect(texts[moved - 1]).not.toBe("##");
});

test("the chapters of a video's description become its headings", () => {
  const chapters = [
    { startMs: 0, title: "Fire" },
    { startMs: 165_000, title: "Ice" },
  ];
  const passages = withTalkHeadings(aTalk(), chapters);
  const at = passages.findIndex(({ text }) => text === "Ice");
  expect(passages.filter(({ kind }) => kind === "heading").map(({ text }) => text)).toEqual(["Fire", "Ice"]);
  expect(passages[at + 1]?.locator.startMs).toBe(170_000);
});

test("a short talk has no headings", () => {
  const passages = toPassages(["The volcano moves its lava.", "Every glacier has ice."]);
  expect(withTalkHeadings(passages, [])).toEqual(passages);
});
