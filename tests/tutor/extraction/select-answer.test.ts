import { expect, test } from "vitest";
import { selectAnswer } from "#shared/tutor/extraction/select-answer.ts";
import { hasNameBesideAction } from "#shared/tutor/extraction/required-facts.ts";
import { splitQuestion } from "#shared/tutor/extraction/question-parts.ts";
import { correctTypos, expandChatSpellings } from "#shared/tutor/extraction/typos.ts";

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

test.each([
  ["What is the French word for please?", "The French word for please is s'il vous plaît."],
  ["How do you say thanks in French?", "In French thanks is merci, said in every shop."],
  ["What does actually mean?", "The word actually stands for a correction of what was said."],
  ["Which French word is used for “hey”?", "The French word that is closest to hey is salut."],
])("a filler is content if the question asks about it as a word: %s", (question, answer) => {
  const other = "The French word bonjour is said in every shop in the morning.";
  expect(selectAnswer(question, passages(other, answer))).toMatchObject({ best: [{ text: answer }], isCovered: true });
  expect(covers(question, other)).toBe(false);
});

test("a filler word that is not asked about is ignored", () => {
  const text = "A codon is a sequence of three nucleotides.";
  for (const question of [
    "hey what is a codon again pls",
    "so what is a codon actually, please",
    "say it again: what is a codon",
  ])
    expect(covers(question, text), question).toBe(true);
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
  expect(covers("tell me about osmosis I hate water", text)).toBe(true);
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

test("a question when something happens asks for a condition, in the past for a date", () => {
  const condition = "The gate of the lock opens when the water is level on both sides.";
  expect(covers("When does the gate of the lock open?", condition)).toBe(true);
  expect(covers("What happens when the gate of the lock opens?", condition)).toBe(true);
  expect(covers("When did the gate of the lock open?", condition)).toBe(false);
});

test("a German question when something happens asks for a condition, in the past or perfect for a date", () => {
  const condition = "Das Tor der Schleuse öffnet sich, sobald das Wasser auf beiden Seiten gleich hoch steht.";
  expect(covers("Wann öffnet sich das Tor der Schleuse?", condition)).toBe(true);
  expect(covers("Wann öffnete sich das Tor der Schleuse?", condition)).toBe(false);
  expect(covers("Wann hat sich das Tor der Schleuse geöffnet?", condition)).toBe(false);
  const date = "Das Tor der Schleuse öffnete sich im Jahr 1890.";
  expect(covers("Wann öffnete sich das Tor der Schleuse?", date)).toBe(true);
  for (const verb of ["überschritt", "verbot", "bestritt", "betrat"]) {
    const excerpt = `Der Wächter ${verb} das Tor der Schleuse, wenn es regnete.`;
    expect(covers(`Wann ${verb} der Wächter das Tor der Schleuse?`, excerpt)).toBe(false);
  }
  const place = "Das Tor der Schleuse öffnet sich zum Fluss.";
  expect(bestOf("Wann öffnet sich das Tor der Schleuse?", place, condition)[0]).toBe(condition);
});

test("a verb spelt like a number, or a number without a unit, is no amount", () => {
  expect(covers("How much oil do keepers pour into the lamp?", "Keepers couple the lamp with a pipe of oil.")).toBe(
    false,
  );
  expect(covers("How big are the lamps of the coast?", "The lamps of the coast are of two kinds.")).toBe(false);
  expect(covers("How big are the lamps of the coast?", "The lamps of the coast are two metres high.")).toBe(true);
});

test("a paragraph that begins with “However” can be quoted alone, but not if a pronoun follows", () => {
  const joined = "However, the old lighthouse burns coal because oil is expensive.";
  expect(bestOf("Why does the old lighthouse burn coal?", joined)).toEqual([joined]);
  expect(bestOf("Why does the old lighthouse burn coal?", "However, it burns coal because oil is expensive.")).toEqual(
    [],
  );
});

test("“refer to … as T” and “T aims to …” are definitions", () => {
  const named = "Sailors refer to the side of the ship away from the wind as lee.";
  const purpose = "In contrast, pilotage aims to bring ships safely into a harbour.";
  expect(bestOf("What is lee?", "The lee grew with every gust of the storm. The sea was rough there.", named)).toEqual([
    named,
  ]);
  expect(bestOf("What is pilotage?", "In pilotage, the fee is paid to the master of the port.", purpose)).toEqual([
    purpose,
  ]);
});

test("a person is only named by a sentence that says what the person did", () => {
  expect(covers("Who invented the lamp clock?", "The lamp clock of the Harbour Office is slow.")).toBe(false);
  expect(covers("Who invented the lamp clock?", "The lamp clock was invented by Ada Quay.")).toBe(true);
});

test("a sentence that does not deny the subject of the question is preferred to one that does", () => {
  const denied = "The inner mole is not a breakwater because the outer mole stops the waves already.";
  const stated = "The outer mole is called a breakwater because the waves of the sea break on it.";
  expect(bestOf("Why is the mole called a breakwater?", denied, stated)[0]).toBe(stated);
});

test("one sentence may answer both parts of a question that asks two different things", () => {
  const both = "The lamp was lit by the first keeper of the tower, and the horn was blown by the pilots of the port.";
  const other = "The horn is made of brass.";
  expect(bestOf("Where was the lamp lit, and what was done with the horn by the pilots?", both, other)).toEqual([both]);
});

test("an age in spelt-out months answers how old something is", () => {
  const kitten = "Vets recommend a first vaccination when a kitten is six months old or younger.";
  const other = "A kitten is a young cat that lives with its mother and plays with its brothers for a while.";
  expect(bestOf("How old is a kitten at its first vaccination?", kitten, other)).toEqual([kitten]);
});

test("question words as students type them are read as those words", () => {
  expect(expandChatSpellings("waht dose a codon do, and wen")).toBe("what does a codon do, and when");
  expect(expandChatSpellings("y is the sky blue")).toBe("why is the sky blue");
  for (const correct of [
    "Wen wählt der Bund?",
    "Wen besiegte Caesar?",
    "Who was Emperor Wen?",
    "Wen Jiabao was premier of what?",
    "When was Angkor Wat built?",
    "Angkor Wat is in which country?",
    "What dose of insulin is given?",
    "y chromosome genes",
  ])
    expect(expandChatSpellings(correct)).toBe(correct);
});

test("sentences that only mention the term of a question are no answer to what it is", () => {
  const mentions = [
    "The tariff of 1930 made trade fall.",
    "A tariff may be high.",
    "Farmers wanted a tariff on grain.",
  ];
  const definition = "A tariff is a tax on goods from other countries.";
  expect(covers("What is a tariff?", ...mentions)).toBe(false);
  expect(covers("What is a tariff?", ...mentions, definition)).toBe(true);
});

test("a question how fast something is asks for a rate, and “fast” is not read as “fact”", () => {
  const fact = "It is a fact that E. coli makes RNA with an enzyme of 5 parts.";
  const rate = "E. coli makes RNA at a rate of 40 nucleotides per second.";
  expect(correctTypos("How fast does it make RNA?", [fact])).toBe("How fast does it make RNA?");
  expect(covers("How fast does E. coli make RNA?", fact)).toBe(false);
  expect(covers("How fast does E. coli make RNA?", fact, rate)).toBe(true);
});

test("“all” and “most” are a count only of what is counted", () => {
  const blame = "Herbert Hoover was blamed for all of the economic woes of his children.";
  expect(covers("How many children did Herbert Hoover raise?", blame)).toBe(false);
  expect(covers("How many children did Herbert Hoover raise?", "Herbert Hoover did not raise all children.")).toBe(
    true,
  );
});

test("the year of a reference or of an event is no amount", () => {
  const referred = "The CPAP device is effective for people with sleep apnea (McDaid et al., 2009).";
  const priced = "The CPAP device costs $600 (McDaid et al., 2009).";
  expect(covers("How much does a CPAP device cost?", referred)).toBe(false);
  expect(covers("How much does a CPAP device cost?", referred, priced)).toBe(true);
  const dated = "Herbert Hoover was elected in November 1928 and began to govern on March 4, 1929.";
  const counted = "Herbert Hoover had two children.";
  expect(covers("How many children did Herbert Hoover have?", dated)).toBe(false);
  expect(covers("How many children did Herbert Hoover have?", dated, counted)).toBe(true);
});

test("a question which country, city or company is answered only by a name", () => {
  const text =
    "Cowrie shells were used as money by many traders. They were used because they last and are hard to copy.";
  const named = "Cowrie shells were first used as money in China by many traders.";
  expect(covers("Which country used cowrie shells as money?", text)).toBe(false);
  expect(covers("Which country used cowrie shells as money?", named)).toBe(true);
});

test("a name counts as the person asked for only beside what the person did", () => {
  const beside = "The survey was designed by Ada Rowan in a small office.";
  const apart = "The survey was designed in a small office. Many towns took part, as did Ada Rowan.";
  const question = "Who designed the survey?";
  expect(hasNameBesideAction(beside, question)).toBe(true);
  expect(hasNameBesideAction(apart, question)).toBe(false);
  expect(hasNameBesideAction("The Survey Office designed the survey.", question)).toBe(false);
});

test("the section about the subject of a question answers it, not one that only names the subject", () => {
  const calvin =
    "The Calvin cycle is the series of reactions that builds sugar with the ATP of the light reactions. It takes place in the stroma.";
  const light =
    "The light reactions are the steps that turn the energy of light into the energy of ATP. They take place in the thylakoid membrane.";
  const found = [
    { text: calvin, score: 1, heading: "The Calvin cycle" },
    { text: light, score: 1, heading: "The light reactions" },
  ];
  const answer = selectAnswer("Where do the light reactions take place?", found);
  expect(answer).toMatchObject({ best: [{ text: light }], isCovered: true });
  expect(answer.best).toHaveLength(1);
});
