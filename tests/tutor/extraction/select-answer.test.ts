import { expect, test } from "vitest";
import { selectAnswer } from "#shared/tutor/extraction/select-answer.ts";
import { splitQuestion } from "#shared/tutor/extraction/question-parts.ts";
import { correctTypos } from "#shared/tutor/extraction/typos.ts";

const passages = (...texts: string[]) => texts.map((text) => ({ text, score: 1 }));
const bestOf = (question: string, ...texts: string[]) =>
  selectAnswer(question, passages(...texts)).best.map(({ text }) => text);
const covers = (question: string, ...texts: string[]) => selectAnswer(question, passages(...texts)).isCovered;

test("a sentence that begins with a pronoun is returned with the sentence before it", () => {
  const text = "Thrombopoietin is made by the liver. It triggers the development of megakaryocytes.";
  expect(bestOf("What triggers the development of megakaryocytes?", text)).toEqual([text]);
});

test("a sentence that begins with a pronoun is left out if no sentence comes before it", () => {
  const answer = selectAnswer(
    "How does erythropoietin trigger the development of megakaryocytes?",
    passages("It triggers the development of megakaryocytes in the bone marrow."),
  );
  expect(answer).toMatchObject({ best: [], isCovered: false });
});

test("names, years and the asked quantity must occur in the answer", () => {
  const text = "The inflation rate of Nigeria was high in the early years of that decade.";
  const number = "In 1995 the inflation rate of Nigeria was 75% after some hard years.";
  expect(covers("What was the inflation rate of Nigeria in 1995?", text)).toBe(false);
  expect(covers("What was the inflation rate of Nigeria in 1995?", text, number)).toBe(true);
  expect(covers("What was the inflation rate of Norway in 1995?", text, number)).toBe(false);
});

test("a question is covered only if one answer covers it, not all passages together", () => {
  const apart = passages(
    "The ribosome is found in every living cell.",
    "Quartz crystals grow slowly in cooling rock.",
    "Old glaciers press the mountains down for centuries.",
  );
  expect(selectAnswer("How does the ribosome press quartz crystals into mountains?", apart).isCovered).toBe(false);
});

test("an answer has up to three neighbouring sentences of one passage, and other passages are listed separately", () => {
  const text =
    "A codon is a sequence of three nucleotides. It names one amino acid. It is read by the ribosome. " +
    "These steps end at a stop codon.";
  const { best, more } = selectAnswer(
    "What is a codon?",
    passages(text, "Each codon is read in turn by the ribosome."),
  );
  expect(best.map(({ sentences }) => sentences)).toEqual([3]);
  expect(more.every(({ passage }) => passage === 1)).toBe(true);
});

test("a card with a blank is never used for an answer", () => {
  expect(
    bestOf("What does the genetic code state?", "The ____ states that genes specify the sequence of mRNAs."),
  ).toEqual([]);
});

test("a question about two things is split into two", () => {
  expect(splitQuestion("What is the difference between anterograde and retrograde amnesia?")).toEqual([
    "What is anterograde amnesia?",
    "What is retrograde amnesia?",
  ]);
  expect(splitQuestion("Was ist der Unterschied zwischen Mitose und Meiose?")).toHaveLength(2);
  expect(splitQuestion("When was it issued, and who signed it?")).toHaveLength(2);
  expect(splitQuestion("What does the ribosome read?")).toHaveLength(1);
});

test("a question is split into at most three parts, each with content words of its own", () => {
  expect(splitQuestion("Where is it, and how old is iron, and how old is gold, and what is tin?")).toEqual([
    "how old is iron",
    "how old is gold",
    "what is tin?",
  ]);
  expect(splitQuestion("What is iron, and what is gold, and what is tin, and what is lead?")).toHaveLength(3);
  expect(splitQuestion("What did the glacier leave, and why?")).toEqual(["What did the glacier leave, and why?"]);
  expect(splitQuestion(`${"What is iron, and ".repeat(800)}why?`)).toHaveLength(1);
});

test("misspelt words are corrected to the nearest words of the sources, but stop words are not", () => {
  expect(correctTypos("hey what does teh amigdala do", ["The amygdala regulates emotions."])).toBe(
    "hey what does teh amygdala do",
  );
});

test("a pronoun in a later part is replaced by the subject of the first part", () => {
  expect(splitQuestion("How big are muscle cells, and where do they keep their fuel?")[1]).toBe(
    "where do muscle cells keep their fuel?",
  );
});

test("a question about a name with a label, such as complex II, is answered only from that label", () => {
  const text = "Complex II takes its electrons from succinate.";
  const complexOne = "Complex I takes its electrons from another carrier.";
  expect(bestOf("Where does complex I take its electrons from?", text, complexOne)[0]).toBe(complexOne);
  expect(covers("Where does complex III take its electrons from?", text, complexOne)).toBe(false);
});

test("the pronoun I in a question is not taken for a label", () => {
  const text = "Osmosis is the movement of water through a membrane.";
  expect(covers("explain osmosis I dont get it", text)).toBe(true);
  expect(covers("what is osmosis I hate water", text)).toBe(true);
  const labelled = "Complex II takes its electrons from succinate.";
  expect(covers("where does complex II take its electrons from", labelled)).toBe(true);
  expect(covers("I read about the complex I dont get where its electrons are from", labelled)).toBe(true);
});

const inLecture = (sourceId: string, position: number, text: string) => ({
  text,
  score: 1,
  title: "Lecture 3",
  sourceId,
  position,
});

const glaciersIn = (otherId: string) =>
  selectAnswer("Where do glaciers form?", [
    inLecture("a", 0, "Glaciers form where the summers of the valley are cool."),
    inLecture(otherId, 9, "Glaciers form where snow stays."),
  ]).best.map(({ text }) => text);

test("the first explanation in each source ranks higher, even if two sources have the same title", () => {
  expect(glaciersIn("b")).not.toEqual(glaciersIn("a"));
});

test("a sentence that is neither a definition nor a figure is returned with the sentences around it", () => {
  const text =
    "The glacier moves downhill under its own weight. Water under the ice carries it over the rock. Where the rock is " +
    "rough it slides in jerks.";
  expect(bestOf("How does the glacier move downhill?", text)).toEqual([text]);
  expect(bestOf("What is a glacier?", "A glacier is a river of ice. Snow falls on it in winter.")).toEqual([
    "A glacier is a river of ice.",
  ]);
});

test("a question that asks why is answered with the reason only", () => {
  const text = "The lake is green because algae grow in it. Boats cross the lake in summer.";
  expect(bestOf("Why is the lake green?", text)).toEqual(["The lake is green because algae grow in it."]);
});

test("a question about size is answered only with a figure", () => {
  expect(covers("How big are the stores of the valley?", "Most stores of the valley are small.")).toBe(false);
  expect(covers("How big are the stores of the valley?", "The stores of the valley have 40 square metres.")).toBe(true);
});

test("a term after a preposition or after “a type of” is not taken for the defined term", () => {
  const text = "Dew is water that condenses at night.";
  expect(bestOf("What is dew?", "Unlike dew, the rain of the coast falls from clouds.", text)).toEqual([text]);
  expect(bestOf("What is dew?", "Rime is a type of dew: it freezes on grass.", text)).toEqual([text]);
});
