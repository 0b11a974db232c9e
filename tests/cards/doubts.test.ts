import { describe, expect, test } from "vitest";
import { aCandidate } from "./a-candidate.ts";
import { ambiguityPenalty } from "#shared/cards/features/penalties.ts";
import { shouldReject } from "#shared/cards/gates/rejection-rules.ts";

describe("judging a card by its text alone", () => {
  test.each([
    [
      "a definition by what a thing no longer is",
      "definition",
      "What are Deutero lamps?",
      "A group that is no longer in use",
    ],
    ['a definition by "some of"', "definition", "What is the valve?", "A guard of some of the pipes of the port"],
    ["a definition of a single letter", "definition", "What is R?", "The number of turns"],
    ["a plural abbreviation asked in the singular", "definition", "What is CTLs?", "A class of lamps"],
    ["many names for one thing", "term", "What is the term for the swollen end of a beam?", "Basides"],
    ["one name for many things", "term", "What is the term for burning stores that feed the lamps?", "Tallow"],
    ['"may want to"', "when", "When may the master want to ring the bell?", "If the quay is near"],
    [
      'two verbs joined by "and"',
      "how",
      "How does the bell call the crew and prevents the loss of ships?",
      "By ringing at night",
    ],
    ["two auxiliary verbs", "why", "Why are the ropes coiled and are kept dry?", "Because wet ropes rot"],
    ['"in exchange" without the other side', "when", "What happens in exchange?", "The port pays the fee of the pilot"],
    ["a share of the group as the answer", "fact", "Who writes monthly reports of short oil?", "Most keepers"],
    ["praise as the answer", "fact", "What is the theft of oil?", "The clearest case for closing a port"],
    ['ungrammatical "allows to"', "fact", "What allows to raise the lamp of the tower?", "The long chain"],
    [
      "a term asked by what it requires",
      "term",
      "What is the term for a tightly ruled process that requires a row of lamps?",
      "Night watch",
    ],
    ['"that opening"', "cloze", "In the tower, that opening is a passage through a ____ of the wall.", "lamp gate"],
    [
      'a recipient asked as "what"',
      "fact",
      "What is a written report on the oil of the port issued to?",
      "The harbour office",
    ],
    ['"these latter"', "cloze", "Most books hold nothing. These latter books are called ____ books.", "blank"],
    ['"the process"', "cloze", "After the process is complete, it gives ____, a simple oil of many uses.", "lamp oil"],
    [
      '"also found only in"',
      "cloze",
      "Also found only in ports are ____, which act like walls between boats.",
      "moles",
    ],
    [
      "what happens in a whole class of systems",
      "definition",
      "What happens in living systems?",
      "A class of boats carries the oil",
    ],
    ["a figure of speech", "why", "Why can lamps be thought of as “full”?", "Because they are rich in oil"],
    ["an adjective without its noun", "fact", "What must the keeper receive prior written?", "Approval of the office"],
    ["a sentence cut in the middle", "cloze", "The rate of the ____ is an estimate of P.", "lamp"],
    ["a name with no content besides it", "cloze", "In the port there is a method called ____.", "bell rota"],
    ['"together" in the answer', "fact", "What does the chain hold?", "The buoys together until spring"],
    ["placeholder letters", "fact", "What changes for every new quay book?", "The random HHHHHHHH ending"],
    ["an adjective as a definition", "definition", "What are later crossings?", "Slower following a storm"],
    ["a comparison as a definition", "definition", "What is a lamp sum?", "A more useful measure of the actual light"],
    ["what happens in a place", "when", "What happens in quiet harbours?", "A small class of boats carries the oil"],
    ["a blank in a set phrase", "cloze", "Quays have no doors; in ____, the towers have two.", "contrast"],
    [
      "a name for what is only better",
      "term",
      "What is the term for a more useful sum of the actual light?",
      "Lamp sum",
    ],
    [
      "one of two that stood before",
      "cloze",
      "The latter method is known as ____ and came from the north.",
      "bell rota",
    ],
    ["a blank for an intensifier", "cloze", "____ though the wall holds water, it is half solid.", "Even"],
  ] as const)("rejects %s", (_, style, question, answer) => {
    expect(shouldReject(aCandidate(style, question, answer))).toBe(true);
  });

  test.each([
    ["one name for one thing", "term", "What is the term for the swollen end of a beam?", "Baside"],
    ["a plural name for several things", "term", "What is the term for burning stores that feed the lamps?", "Tallows"],
    ["a name in brackets", "cloze", "The light of the outer quay (____) is lit at dusk.", "Harbour Light"],
    ["what something holds", "fact", "What does the chain hold?", "The buoys of the fairway"],
    ["a comparison with a noun", "definition", "What are skiffs?", "Shorter open boats that may hold one or a few men"],
    ["an uncountable noun", "definition", "What is a wale?", "Timber on the side of a boat that guards it"],
    ['"defined as"', "definition", "How is light defined?", "As waves that the eye can see"],
    ["what happens during a period", "when", "What happens in the port during the ebb?", "The boats rest on the mud"],
  ] as const)("accepts %s", (_, style, question, answer) => {
    expect(shouldReject(aCandidate(style, question, answer))).toBe(false);
  });

  test("rejects a plural term if its sentence gives the singular", () => {
    const question = "What is the term for the swollen cell of a beam?";
    const candidate = aCandidate("term", question, "Basidia", "Basidia (singular basidium) end the beam.");
    expect(shouldReject(candidate)).toBe(true);
  });

  test.each([
    ["turn coal gas", "Lamps use the heat of the oil to turn coal gas into light."],
    ["burn wet coal", "Keepers who burn wet coal often have a cough that stays for years."],
  ])("rejects a blank that includes its verb: %s", (answer, text) => {
    expect(shouldReject(aCandidate("cloze", text.replace(answer, "____"), answer, text))).toBe(true);
  });

  test.each([
    ["two examples", "definition", "What are burning salts?", "Hard stones such as soda and lime"],
    ["its position in a sequence", "definition", "What is the ebb phase?", "The third and final phase of the tide"],
    [
      "two terms at once",
      "definition",
      "What are ebb and flow?",
      "Two motions of the water along the coast of the bay",
    ],
    ["a vague remark", "definition", "What is night mode?", "The current default behaviour"],
    ["a term asked by examples", "term", "What is the term for hard stones such as soda and lime?", "Salts"],
    ['"may be involved in"', "cloze", "____ may be involved in the wear of the lamps of the port.", "Salts"],
    ['"play roles in"', "cloze", "Harbours: ____ play roles in the care of the lamps of the port.", "Salts"],
    ['"the disease"', "cloze", "In sheep, the disease is referred to as ____.", "ergotism"],
    [
      "a term asked by its position",
      "cloze",
      "The care of the lamps occurs in a middle layer called the ____.",
      "mesolamp",
    ],
    [
      "a mere comparison",
      "cloze",
      "As in the room of the ____ during the day, the rise of the heat makes a draught.",
      "quay",
    ],
    ["a hypothetical", "cloze", "When ____ are lit, many of them shine along the whole wall of the port.", "cressets"],
    ['"this step"', "cloze", "There are two forms of the lamp, called ____, for this step of the watch.", "isolamps"],
    [
      "what something doesn't include",
      "cloze",
      "A/an ____ does not include a pilot of the port or a man of such a pilot.",
      "bell office",
    ],
    [
      "an answer partly in the question",
      "cloze",
      "____ is ruled by the rho lamp, which tracks along behind the boat.",
      "Rho-led steering",
    ],
    [
      "an answer in the question except for its ending",
      "fact",
      "What is the first way in which beaconing boats find the port?",
      "Beaconage",
    ],
    ['"structures that exist within"', "definition", "What are brackets?", "Small structures that exist within towers"],
    ['"composed of"', "definition", "What is the chain complex?", "An engine composed of two rings"],
    [
      "a term asked by its location",
      "term",
      "What is the term for small structures that exist within towers?",
      "Brackets",
    ],
    [
      "an answer whose prefix is in the question",
      "cloze",
      "____, the study of microlamps, is the study of small oil lights.",
      "Microlampology",
    ],
    [
      "an answer whose beginning is in the question",
      "term",
      "What is the complete poly-room tower of the coast called?",
      "Polytower",
    ],
    [
      "a word of the answer in the question",
      "term",
      "What is the term for a blight that affects many kinds of elm on the quay?",
      "Dutch elm blight",
    ],
    [
      "one important thing among several",
      "cloze",
      "____ is a necessary step for the lighting of the lamp to go on.",
      "Wicking",
    ],
    [
      "a phrase without its object",
      "cloze",
      "A keeper is the ruler of some of the men who do the ____ of the lamp oil.",
      "slow cleaning",
    ],
    [
      "percentages of the answer",
      "cloze",
      "____ in the port are about 80 to 90 percent oil lamps and 10 percent gas lamps.",
      "Lights",
    ],
    [
      '"they" without a noun',
      "cloze",
      "Because they use light to find their own way, they are called ____.",
      "lightfarers",
    ],
    [
      '"those changes"',
      "cloze",
      "Later, after the ebb, those changes will be moved to the book by an act called the ____.",
      "log round",
    ],
    [
      '"more complex" without a comparison',
      "why",
      "Why is the turn of the tide a bit more complex?",
      "Because two currents meet behind the mole",
    ],
    [
      "praise as a definition",
      "definition",
      "What are bell guards?",
      "Particularly important keepers that ring great bells in fog",
    ],
    [
      '"the molecule" without a name',
      "term",
      "What is the term for the smaller form of the molecule after it has burned twice?",
      "Lampide",
    ],
    [
      '"in preparing"',
      "cloze",
      "In preparing the ____, keepers should know that there may be one more night.",
      "oil budget",
    ],
    [
      '"shorter" without a comparison',
      "definition",
      "What are skiffs?",
      "Shorter open boats that may hold one or a few men",
    ],
    [
      '"the molecule" as the subject',
      "why",
      "Why is the molecule split by the light of the port lamp?",
      "Because the light is strong enough for it",
    ],
    [
      "a list of forms",
      "cloze",
      "Accepted forms of ____ include: a pass, a ring, and a letter of the port.",
      "harbour papers",
    ],
    [
      "a quoted word that reveals the answer",
      "cloze",
      "Because oil is “fixed” from gas into a solid form, this is called ____.",
      "lamp fixation",
    ],
    [
      '"other boats"',
      "cloze",
      "Other boats, such as skiffs and yawls, are termed ____, because they follow.",
      "followers",
    ],
    ['"one of the main"', "cloze", "____ are one of the main boats that answer to the signals of the port.", "Pilots"],
    [
      "vague requirements",
      "cloze",
      "____ is a tightly ruled process that requires a row of lamps and men.",
      "Night watch",
    ],
    ['"specific duties"', "cloze", "____ perform specific duties, such as carrying oil through the port.", "Lighters"],
    ["what something has no part in", "cloze", "____ have no part in the moving of the boats of the port.", "Moles"],
    ["a blank beside the given name", "cloze", "The narrow room around the ____ is called a gallery.", "lantern"],
    [
      "a generic duty",
      "fact",
      "During the course of the night, what must the keeper exercise?",
      "Control over the lamps and the bells",
    ],
    ["generic involvement", "fact", "What are the lamp smiths involved in?", "The answer of the coast to fog"],
    [
      "half of the answer in the question",
      "fact",
      "Who studies all the bright harbours of the north?",
      "Harbour lampers",
    ],
    [
      "an abbreviation that reveals the answer",
      "cloze",
      "The ____ of a random lamp, often noted Var, is a measure of its spread.",
      "variance",
    ],
    ["parts of the answer in the question", "cloze", "____ is a way of saving oil by dropping out lamps.", "Dropout"],
    [
      "a name that reveals the answer",
      "fact",
      "What does LanternQA hold?",
      "A set of lantern tests of the port of Bell",
    ],
    ["an eponym in the question", "definition", "Whom is the Krebs lamp named after?", "Hans Krebs"],
    ['"these losses"', "fact", "Which bright sign helps the crew to count?", "A gauge for these losses"],
    ["a comparison that isn't asked", "why", "Like gulls, why do terns dive?", "Because fish swim deep in the bay"],
    ['"the disease" in a question', "term", "In sheep, what is the disease called?", "Ergot"],
    ["too few words in the question", "term", "What are slender thread-like structures called?", "Hyphae"],
    [
      "what something is a component of",
      "definition",
      "What are moles and quays?",
      "Two major components of the harbour of the town",
    ],
    ["too few words in the answer", "definition", "What are wicks?", "Organic helper threads"],
    [
      "a subordinate clause with a blank",
      "cloze",
      "Although ropes are seen under a/an ____, the whole net can be very large.",
      "lens",
    ],
    [
      '"both sections"',
      "cloze",
      "If the port has no room for both sections, the ____ section is left out of it.",
      "night",
    ],
    ["one item of a list", "cloze", "The list of lamps includes: ____, tallow, and coal.", "oil"],
  ] as const)("penalises %s", (_, style, question, answer) => {
    expect(ambiguityPenalty(aCandidate(style, question, answer))).toBeGreaterThan(basePenalty(style));
  });

  test.each([
    ["with a hedge", "why", "The keepers usually sleep at noon because they wake at night."],
    ["with an additional statement", "definition", "Lamps are also the marks of a coast."],
    ["with an additional statement, as a cloze card", "cloze", "Lamps are also the marks of a coast."],
    ["with an additional statement, as a term", "term", "Lamps are also the marks of a coast."],
  ] as const)("penalises the source sentence: %s", (_, style, text) => {
    const [question, answer] = [
      "What do all the keepers of the coast do at noon each day?",
      "They rest upon the quay that lies below",
    ];
    expect(ambiguityPenalty(aCandidate(style, question, answer, text))).toBeGreaterThan(
      ambiguityPenalty(aCandidate(style, question, answer)),
    );
  });

  test.each([
    ["an adjective before its noun", "In multiple frost, the worst of all frosts, the lamp goes out.", "multiple"],
    ["an adverb before its adjective", "Even worse is a lamp without its oil.", "Even"],
    [
      "a gerund without its object",
      "The keeper finds the height of a tower by measuring its shadow at noon.",
      "measuring",
    ],
    ['a noun without its "of" phrase', "Resolution of faults is a duty of the keeper.", "Resolution"],
  ])("penalises a blank for part of a phrase: %s", (_, text, answer) => {
    const question = text.replace(answer, "____");
    expect(ambiguityPenalty(aCandidate("cloze", question, answer, text))).toBeGreaterThan(1);
  });
});

/** The penalty of an ordinary card of this style. */
const basePenalty = (style: "fact" | "cloze" | "definition" | "term" | "why") =>
  ambiguityPenalty(
    aCandidate(
      style,
      "Which bright sign stands high upon the western rock of the bay?",
      "The long beacon that burns there",
    ),
  );
