import { describe, expect, test } from "vitest";
import { judged } from "./judged.ts";
import { ambiguityPenalty } from "#shared/cards/features/penalties.ts";
import { shouldReject } from "#shared/cards/gates/rejection-rules.ts";

describe("judging a card by its text alone", () => {
  test.each([
    ["a thing by what it is no more", "definition", "What are Deutero lamps?", "A group that is no longer in use"],
    [
      "a thing by what some of it rules",
      "definition",
      "What is the valve?",
      "A guard of some of the pipes of the port",
    ],
    ["a letter", "definition", "What is R?", "The number of turns"],
    ["letters of many as one", "definition", "What is CTLs?", "A class of lamps"],
    ["many names for one thing", "term", "What is the term for the swollen end of a beam?", "Basides"],
    ["one name for many things", "term", "What is the term for burning stores that feed the lamps?", "Tallow"],
    ["what somebody may want", "when", "When may the master want to ring the bell?", "If the quay is near"],
    ["two verbs", "how", "How does the bell call the crew and prevents the loss of ships?", "By ringing at night"],
    ["two verbs of being", "why", "Why are the ropes coiled and are kept dry?", "Because wet ropes rot"],
    ["what happens, and nothing else", "when", "What happens in exchange?", "The port pays the fee of the pilot"],
    ["how many of them do it", "fact", "Who writes monthly reports of short oil?", "Most keepers"],
    ["praise", "fact", "What is the theft of oil?", "The clearest case for closing a port"],
    ["a broken grammar", "fact", "What allows to raise the lamp of the tower?", "The long chain"],
    [
      "by what it needs",
      "term",
      "What is the term for a tightly ruled process that requires a row of lamps?",
      "Night watch",
    ],
    ["which opening", "cloze", "In the tower, that opening is a passage through a ____ of the wall.", "lamp gate"],
    [
      "to whom, asked as to what",
      "fact",
      "What is a written report on the oil of the port issued to?",
      "The harbour office",
    ],
    ["these latter of which", "cloze", "Most books hold nothing. These latter books are called ____ books.", "blank"],
    [
      "after which process",
      "cloze",
      "After the process is complete, it gives ____, a simple oil of many uses.",
      "lamp oil",
    ],
    ["what else was found", "cloze", "Also found only in ports are ____, which act like walls between boats.", "moles"],
    [
      "what happens in any of them",
      "definition",
      "What happens in living systems?",
      "A class of boats carries the oil",
    ],
    ["a figure of speech", "why", "Why can lamps be thought of as “full”?", "Because they are rich in oil"],
    ["half of what it gets", "fact", "What must the keeper receive prior written?", "Approval of the office"],
    ["a sentence that was cut", "cloze", "The rate of the ____ is an estimate of P.", "lamp"],
    ["a thing that has a name, and nothing else", "cloze", "In the port there is a method called ____.", "bell rota"],
    ["what is together", "fact", "What does the chain hold?", "The buoys together until spring"],
    ["letters that stand for any", "fact", "What changes for every new quay book?", "The random HHHHHHHH ending"],
    ["how later ones are, and not what", "definition", "What are later crossings?", "Slower following a storm"],
    ["that it is more useful", "definition", "What is a lamp sum?", "A more useful measure of the actual light"],
    ["what happens at some place", "when", "What happens in quiet harbours?", "A small class of boats carries the oil"],
    ["a word of a turn of speech", "cloze", "Quays have no doors; in ____, the towers have two.", "contrast"],
    ["a word that only stresses", "cloze", "____ though the wall holds water, it is half solid.", "Even"],
  ] as const)("rejects %s", (_, style, question, answer) => {
    expect(shouldReject(judged(style, question, answer))).toBe(true);
  });

  test.each([
    ["one name for one thing", "term", "What is the term for the swollen end of a beam?", "Baside"],
    ["many for many", "term", "What is the term for burning stores that feed the lamps?", "Tallows"],
    ["what it holds", "fact", "What does the chain hold?", "The buoys of the fairway"],
    ["what it is like", "definition", "What are skiffs?", "Shorter open boats that may hold one or a few men"],
    ["what timber is", "definition", "What is a wale?", "Timber on the side of a boat that guards it"],
    ["what it is known as", "definition", "How is light defined?", "As waves that the eye can see"],
    ["what happens meanwhile", "when", "What happens in the port during the ebb?", "The boats rest on the mud"],
  ] as const)("accepts %s", (_, style, question, answer) => {
    expect(shouldReject(judged(style, question, answer))).toBe(false);
  });

  test("rejects a plural term if its sentence gives the singular", () => {
    const question = "What is the term for the swollen cell of a beam?";
    const candidate = judged("term", question, "Basidia", "Basidia (singular basidium) end the beam.");
    expect(shouldReject(candidate)).toBe(true);
  });

  test.each([
    ["turn coal gas", "Lamps use the heat of the oil to turn coal gas into light."],
    ["burn wet coal", "Keepers who burn wet coal often have a cough that stays for years."],
  ])("rejects a blank that includes its verb: %s", (answer, text) => {
    expect(shouldReject(judged("cloze", text.replace(answer, "____"), answer, text))).toBe(true);
  });

  test.each([
    ["two samples", "definition", "What are burning salts?", "Hard stones such as soda and lime"],
    ["where it stands in its row", "definition", "What is the ebb phase?", "The third and final phase of the tide"],
    [
      "two things at once",
      "definition",
      "What are ebb and flow?",
      "Two motions of the water along the coast of the bay",
    ],
    ["a plain remark", "definition", "What is night mode?", "The current default behaviour"],
    ["what samples are called", "term", "What is the term for hard stones such as soda and lime?", "Salts"],
    ["what may be many", "cloze", "____ may be involved in the wear of the lamps of the port.", "Salts"],
    ["what plays a part", "cloze", "Harbours: ____ play roles in the care of the lamps of the port.", "Salts"],
    ["a name of the disease", "cloze", "In sheep, the disease is referred to as ____.", "ergotism"],
    [
      "a name of something in the middle",
      "cloze",
      "The care of the lamps occurs in a middle layer called the ____.",
      "mesolamp",
    ],
    [
      "what is only likened",
      "cloze",
      "As in the room of the ____ during the day, the rise of the heat makes a draught.",
      "quay",
    ],
    [
      "what is only supposed",
      "cloze",
      "When ____ are lit, many of them shine along the whole wall of the port.",
      "cressets",
    ],
    ["of which step", "cloze", "There are two forms of the lamp, called ____, for this step of the watch.", "isolamps"],
    [
      "what it has not",
      "cloze",
      "A/an ____ does not include a pilot of the port or a man of such a pilot.",
      "bell office",
    ],
    [
      "a part of its name",
      "cloze",
      "____ is ruled by the rho lamp, which tracks along behind the boat.",
      "Rho-led steering",
    ],
    [
      "all but the ending of its name",
      "fact",
      "What is the first way in which beaconing boats find the port?",
      "Beaconage",
    ],
    ["where things are", "definition", "What are brackets?", "Small structures that exist within towers"],
    ["of what a thing is made", "definition", "What is the chain complex?", "An engine composed of two rings"],
    ["where named things are", "term", "What is the term for small structures that exist within towers?", "Brackets"],
    [
      "what a beginning beside it tells",
      "cloze",
      "____, the study of microlamps, is the study of small oil lights.",
      "Microlampology",
    ],
    ["the beginning of its name", "term", "What is the complete poly-room tower of the coast called?", "Polytower"],
    [
      "a word of its name",
      "term",
      "What is the term for a blight that affects many kinds of elm on the quay?",
      "Dutch elm blight",
    ],
    ["one of what is important", "cloze", "____ is a necessary step for the lighting of the lamp to go on.", "Wicking"],
    [
      "of what, in a phrase",
      "cloze",
      "A keeper is the ruler of some of the men who do the ____ of the lamp oil.",
      "slow cleaning",
    ],
    [
      "whose share is told",
      "cloze",
      "____ in the port are about 80 to 90 percent oil lamps and 10 percent gas lamps.",
      "Lights",
    ],
    ["they of whom", "cloze", "Because they use light to find their own way, they are called ____.", "lightfarers"],
    [
      "those of which",
      "cloze",
      "Later, after the ebb, those changes will be moved to the book by an act called the ____.",
      "log round",
    ],
    [
      "more than what",
      "why",
      "Why is the turn of the tide a bit more complex?",
      "Because two currents meet behind the mole",
    ],
    [
      "praise of what they are",
      "definition",
      "What are bell guards?",
      "Particularly important keepers that ring great bells in fog",
    ],
    [
      "of the lamp",
      "term",
      "What is the term for the smaller form of the molecule after it has burned twice?",
      "Lampide",
    ],
    [
      "while doing",
      "cloze",
      "In preparing the ____, keepers should know that there may be one more night.",
      "oil budget",
    ],
    ["shorter than what", "definition", "What are skiffs?", "Shorter open boats that may hold one or a few men"],
    [
      "which molecule",
      "why",
      "Why is the molecule split by the light of the port lamp?",
      "Because the light is strong enough for it",
    ],
    [
      "what forms there are",
      "cloze",
      "Accepted forms of ____ include: a pass, a ring, and a letter of the port.",
      "harbour papers",
    ],
    [
      "a word in quotes that tells it",
      "cloze",
      "Because oil is “fixed” from gas into a solid form, this is called ____.",
      "lamp fixation",
    ],
    [
      "which others",
      "cloze",
      "Other boats, such as skiffs and yawls, are termed ____, because they follow.",
      "followers",
    ],
    [
      "one of the main ones",
      "cloze",
      "____ are one of the main boats that answer to the signals of the port.",
      "Pilots",
    ],
    [
      "what needs much",
      "cloze",
      "____ is a tightly ruled process that requires a row of lamps and men.",
      "Night watch",
    ],
    [
      "what does many things",
      "cloze",
      "____ perform specific duties, such as carrying oil through the port.",
      "Lighters",
    ],
    ["what it has none of", "cloze", "____ have no part in the moving of the boats of the port.", "Moles"],
    ["beside the name that is given", "cloze", "The narrow room around the ____ is called a gallery.", "lantern"],
    [
      "any duty",
      "fact",
      "During the course of the night, what must the keeper exercise?",
      "Control over the lamps and the bells",
    ],
    ["any part", "fact", "What are the lamp smiths involved in?", "The answer of the coast to fog"],
    ["half of the answer stands in it", "fact", "Who studies all the bright harbours of the north?", "Harbour lampers"],
    [
      "a name of its own letters",
      "cloze",
      "The ____ of a random lamp, often noted Var, is a measure of its spread.",
      "variance",
    ],
    ["parts of its word", "cloze", "____ is a way of saving oil by dropping out lamps.", "Dropout"],
    ["a name that says it", "fact", "What does LanternQA hold?", "A set of lantern tests of the port of Bell"],
    ["who gave the name", "definition", "Whom is the Krebs lamp named after?", "Hans Krebs"],
    ["these of which", "fact", "Which bright sign helps the crew to count?", "A gauge for these losses"],
    ["a likeness that is not asked", "why", "Like gulls, why do terns dive?", "Because fish swim deep in the bay"],
    ["the disease", "term", "In sheep, what is the disease called?", "Ergot"],
    ["too few words", "term", "What are slender thread-like structures called?", "Hyphae"],
    [
      "what it belongs to",
      "definition",
      "What are moles and quays?",
      "Two major components of the harbour of the town",
    ],
    ["too few words of what it is", "definition", "What are wicks?", "Organic helper threads"],
    ["what is granted", "cloze", "Although ropes are seen under a/an ____, the whole net can be very large.", "lens"],
    [
      "both of which",
      "cloze",
      "If the port has no room for both sections, the ____ section is left out of it.",
      "night",
    ],
    ["one of a row", "cloze", "The list of lamps includes: ____, tallow, and coal.", "oil"],
  ] as const)("penalises %s", (_, style, question, answer) => {
    expect(ambiguityPenalty(judged(style, question, answer))).toBeGreaterThan(plain(style));
  });

  test.each([
    ["a sentence that hedges", "why", "The keepers usually sleep at noon because they wake at night."],
    ["one more thing that is said of it", "definition", "Lamps are also the marks of a coast."],
    ["one more thing that is it, named", "cloze", "Lamps are also the marks of a coast."],
    ["one more thing that has the name", "term", "Lamps are also the marks of a coast."],
  ] as const)("penalises the source sentence: %s", (_, style, text) => {
    const [question, answer] = [
      "What do all the keepers of the coast do at noon each day?",
      "They rest upon the quay that lies below",
    ];
    expect(ambiguityPenalty(judged(style, question, answer, text))).toBeGreaterThan(
      ambiguityPenalty(judged(style, question, answer)),
    );
  });

  test.each([
    ["an adjective before its noun", "In multiple frost, the worst of all frosts, the lamp goes out.", "multiple"],
    ["an adverb before its adjective", "Even worse is a lamp without its oil.", "Even"],
    ["what is done to it", "The keeper finds the height of a tower by measuring its shadow at noon.", "measuring"],
    ["the doing of something", "Resolution of faults is a duty of the keeper.", "Resolution"],
  ])("penalises a blank for part of a phrase: %s", (_, text, answer) => {
    const question = text.replace(answer, "____");
    expect(ambiguityPenalty(judged("cloze", question, answer, text))).toBeGreaterThan(1);
  });
});

/** What is said against any card of the style. */
const plain = (style: "fact" | "cloze" | "definition" | "term" | "why") =>
  ambiguityPenalty(
    judged(
      style,
      "Which bright sign stands high upon the western rock of the bay?",
      "The long beacon that burns there",
    ),
  );
