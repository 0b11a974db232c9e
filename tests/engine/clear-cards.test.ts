import { describe, expect, test } from "vitest";
import { faces, facesOf } from "./faces.ts";
import { judged } from "./judged.ts";
import { isPointless } from "#shared/engine/pointless.ts";
import { doubtInPlace } from "#shared/engine/doubts.ts";
import { cutSecondFact } from "#shared/engine/second-facts.ts";
import { tagSentence } from "#shared/engine/tagging.ts";

describe("what its reader could not answer is not asked", () => {
  test.each([
    [
      "what a thing is, by what it is a case of",
      "The **storm lamp** is a special case of the tower lamp.",
      /→ A special case/,
    ],
    [
      "many by one of them",
      "The lamps of the port are known by their club-shaped towers called **basides**, which are the swollen terminal room of a quay.",
      /^What are basides\? → The swollen/,
    ],
    [
      "the first of three",
      "There are three main kinds of lamps in the ports of the coast: **oil-fed**, in which the flame is the most obvious part of the lamp.",
      /: ____, in which/,
    ],
    [
      "praise as if it were a name",
      "The **clearest case** for closing a whole port of the coast is the discovery of drifting ice.",
      /→ clearest case/,
    ],
    [
      "what might be meant",
      "The **signal method** of the port might indicate that the lamp of the tower will be lit before the ship is seen.",
      /^What might/,
    ],
    [
      "one of two samples",
      "In sea ports, such as mole ports and **quay ports**, the lamp is composed of only a few rings and is kept within the tower.",
      /such as mole ports and ____/,
    ],
    [
      "half of what is turned into what",
      "In the harbour, a **lamp smith** converts copper plates into bright rings.",
      /convert\?/,
    ],
    [
      "a letter of a formula that is not there",
      "and **Zij** is the number of ports where both lamps are absent.",
      /^What is zij/i,
    ],
    ["a single letter", "**R** is the number of turns and use of the lamp in one night.", /^What is R\?/],
    [
      "with an adjective that is no part of the name",
      "Since spring, the **new Signal Lamp** book holds a list of marks which reports on what the harbour might have.",
      /→ new Signal/,
    ],
    [
      "when a thing was what it was",
      "Light keeping was an early harbour innovation after the appearance of the lighted boats.",
      /^When was/,
    ],
    ["an arrow of a drawing", "**even lamp**: balance oil on wick −→ form lights for each room", /→ .*→/],
    [
      "what most of them do",
      "Most **standing keepers** write monthly reports that list lamps in which oil is short.",
      /→ Most/,
    ],
    [
      "when, of a moment in a story",
      "The **harbour book** is whole and dry in its box when the light of the tower comes back.",
      /^When is/,
    ],
    ["in what, of a time", "The **tower chains** of the port are broken in late spring.", /broken in\?/],
    [
      "from what it differs, in several ways",
      "However, **quay lamps** differ from tower lamps in several ways.",
      /differ from\?/,
    ],
    [
      "what it is, by what is only said of it",
      "**Lamp lore** is the culmination of the skills of the coast from their beginning to today.",
      /→ The culmination|^What is the culmination/,
    ],
    [
      "a part of a picture",
      "left box: All ships in the harbour before the great storm\n\nThe **left box** stands on the quay.",
      /^What is (?:the )?left box/,
    ],
  ])("%s", (_, text, thrown) => {
    expect(facesOf(text).filter((face) => thrown.test(face))).toEqual([]);
  });
});

describe("what leans on something else waits for it, or goes without it", () => {
  test.each([
    [
      "a picture",
      "The bottom right diagram shows a common state of the port known as the **ebb state** with return.",
      /./,
    ],
    [
      "what was given in return",
      "In return, the keeper shields the **bright lamp** from rain and frost by closing its glass.",
      /return/,
    ],
    [
      "that cycle",
      "A **waiting light** is designed to prevent that cycle by letting the ships of the port pass.",
      /that cycle/,
    ],
    [
      "what was just described",
      "The free light from the row of **lamp works** just described is used to mark the bay.",
      /./,
    ],
    [
      "a line of its own that is lost",
      "The bright parts of the lamp oil are the following: The oil used in this lamp is **colza oil**.",
      /./,
    ],
    [
      "a drawing",
      "The tide table of the port gives a **mean tide** for the year, the height of which is shown by the dotted horizontal line.",
      /./,
    ],
    [
      "that opening",
      "In the tower, that opening is a passage through a special wall ring called the **lamp gate**.",
      /that opening/,
    ],
    [
      "this state, twice",
      "A small flame is needed to reach this twisted state. This twisted state is called the **blue state**, and it is a hot, brief state of the lamp.",
      /this twisted state\. This/,
    ],
    [
      "a word that was set twice",
      "A simple harbour would the the early keeper have called the **lamp room** for a last visit.",
      /./,
    ],
  ])("%s", (_, text, thrown) => {
    expect(facesOf(text).filter((face) => thrown.test(face))).toEqual([]);
  });

  test("a third group is one of several", () => {
    const text =
      "A third very interesting group of ports makes light, not by burning oil, but by burning gas from the ground; hence, they are called **gas ports**.";
    expect(facesOf(text).join("\n")).toMatch(/^One group of ports makes light/m);
  });
});

test.each([
  [
    "the last of a list, with what it is used for",
    "the clear oil, the makers of candles, and black pitches used to stop leaks",
  ],
  ["what somebody is asked to do", "asking the keeper to raise his hand and answer the call of the crew"],
  ["of what it is made", "a clever engine made of brass and iron rings, and many distinct ropes"],
  ["two parts of one thing", "a house with a room of oil and a room of wood joined together with a rope"],
  [
    "what is said of the fact",
    "their name from the fact that their height, eight to ten feet, is more than that of a man",
  ],
  ["a list of which one item has a reason", "wet lamps, dark lamps because no one lit them, and broken ones"],
])("one thing is not taken for two: %s", (_, text) => {
  expect(cutSecondFact(tagSentence(text))).toHaveLength(tagSentence(text).length);
});

describe("an answer goes on to its end", () => {
  test.each([
    [
      "with what may be done with it",
      "A **tide guess** is a suggested time for a flood, which can be tested.",
      "What is a tide guess? → A suggested time for a flood, which can be tested",
    ],
    [
      "with what it does where it does not do the other",
      "A **guard boat** is a vessel that does not sail during the first watch, but that can be manned at once.",
      "What is a guard boat? → A vessel that does not sail during the first watch, but that can be manned at once",
    ],
    [
      "with the second of two parts",
      "A **double store** is a house with a room of oil and a room of wood joined together with a rope.",
      "What is a double store? → A house with a room of oil and a room of wood joined together with a rope",
    ],
    [
      "with the name alone of whom it is named after",
      "The light that bends is called by two names: the **Morley effect**, after Edward Morley, who first measured it in 1887 on a hill.",
      "Whom is the Morley effect named after? → Edward Morley",
    ],
    [
      "with all that is let to do it",
      "A **bell frame** is a short-lived ring, and it allows one of the buoys (such as the northern) and the boats to more readily answer the calls of the quay.",
      "A/an ____ is a short-lived ring, and it allows one of the buoys and the boats to more readily answer the calls of the quay. → bell frame",
    ],
    [
      "without the full stop of its sentence",
      "Every change of the tide brings a change of the light, called delta L (∆L).",
      "Every change of the tide brings a change of the light, called ____. → delta L",
    ],
    [
      "with its list",
      "The light comes from **wick gas**, the gas that is a waste of the flame in lamps, stoves, ovens, and kilns.",
      "What is wick gas? → The gas that is a waste of the flame in lamps, stoves, ovens, and kilns",
    ],
    [
      "with what its brackets restrict it to",
      "When a keeper leaves the tower (and it is not in guest mode), he first writes his name into a book called the **exit log**.",
      "When a keeper leaves the tower, and it is not in guest mode, he first writes his name into a book called the ____. → exit log",
    ],
    [
      "with the time in which it is so",
      "In a storm, the **signal office** keeps the quay dark by closing the shutters of all lamps while the great boats are at sea.",
      "In a storm, how does the signal office keep the quay dark? → By closing the shutters of all lamps while the great boats are at sea",
    ],
    [
      "with what follows in turn",
      "The **lamp rule** states that keepers rule the books, which in turn rule the lights of the port.",
      "What does the lamp rule state? → That keepers rule the books, which in turn rule the lights of the port",
    ],
  ])("%s", (_, text, face) => {
    expect(facesOf(text)).toContain(face);
  });

  test.each([
    [
      "not within a list, of which one item has a reason",
      "The **signal office** can show wet lamps, dark lamps because no one lit them, and broken ones, all at its will.",
      /^Why can|dark lamps$/,
    ],
    [
      "not with a form of which nothing is said",
      "Then, a row of night posts, collectively called **tide watch**, draws the news from the ships and turns it into a form that all men of the port can use and all harbours of the coast can read.",
      /into a form\./,
    ],
    [
      "not with the reason of what is only supposed",
      "A **quay lamp** can become dull if the oil burns low due to a leak or a thief at the quay.",
      /^Why can/,
    ],
    [
      "not with an item of a list less",
      "The **bell frame** is composed of brass rings, another iron part, rope ring (of hemp), and four hard steel bolts.",
      /brass rings rope|rings,? rope ring, and/,
    ],
    [
      "not before the samples of what is the reason",
      "The **tower store** is a crucial part of a working port because mist surfaces, such as the sea walls, are the first walls onto which salt is laid.",
      /→ Because mist surfaces$/,
    ],
    [
      "not with the verb before a name",
      "After the watch is over, it lowers the flag and produces gas-oil-water (GOW), simple drinks that can later be turned into lamp oil.",
      /produces gas|^What is produces/,
    ],
    [
      "not for what the named thing is a part of",
      "The tide is measured by the port to guard its wall, which serves as a track for the movement of a long boat called **skimmer**.",
      /^What is a track/,
    ],
  ])("%s", (_, text, broken) => {
    expect(facesOf(text).filter((face) => broken.test(face))).toEqual([]);
  });
});

describe("whatever sentence it was made of", () => {
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
  ] as const)("not asked: %s", (_, style, question, answer) => {
    expect(isPointless(judged(style, question, answer))).toBe(true);
  });

  test.each([
    ["one name for one thing", "term", "What is the term for the swollen end of a beam?", "Baside"],
    ["many for many", "term", "What is the term for burning stores that feed the lamps?", "Tallows"],
    ["what it holds", "fact", "What does the chain hold?", "The buoys of the fairway"],
    ["what it is like", "definition", "What are skiffs?", "Shorter open boats that may hold one or a few men"],
    ["what it is known as", "definition", "How is light defined?", "As waves that the eye can see"],
    ["what happens meanwhile", "when", "What happens in the port during the ebb?", "The boats rest on the mud"],
  ] as const)("asked: %s", (_, style, question, answer) => {
    expect(isPointless(judged(style, question, answer))).toBe(false);
  });

  test.each([
    [
      "many names for one thing",
      "term",
      "What is the term for the swollen cell of a beam?",
      "Basidia",
      "Basidia (singular basidium) end the beam.",
    ],
    [
      "to do what",
      "cloze",
      "Lamps use the heat of the oil to ____ into light.",
      "turn coal gas",
      "Lamps use the heat of the oil to turn coal gas into light.",
    ],
    [
      "who do what",
      "cloze",
      "Keepers who ____ often have a cough that stays for years.",
      "burn wet coal",
      "Keepers who burn wet coal often have a cough that stays for years.",
    ],
  ] as const)("not asked of its sentence: %s", (_, style, question, answer, text) => {
    expect(isPointless(judged(style, question, answer, text))).toBe(true);
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
  ] as const)("left out of a small deck: %s", (_, style, question, answer) => {
    expect(doubtInPlace(judged(style, question, answer))).toBeGreaterThan(plain(style));
  });

  test.each([
    ["a sentence that hedges", "why", "The keepers usually sleep at noon because they wake at night."],
    ["one more thing that is said of it", "definition", "Lamps are also the marks of a coast."],
    ["one more thing that is it, named", "cloze", "Lamps are also the marks of a coast."],
    ["one more thing that has the name", "term", "Lamps are also the marks of a coast."],
  ] as const)("left out of a small deck for its sentence: %s", (_, style, text) => {
    const [question, answer] = [
      "What do all the keepers of the coast do at noon each day?",
      "They rest upon the quay that lies below",
    ];
    expect(doubtInPlace(judged(style, question, answer, text))).toBeGreaterThan(
      doubtInPlace(judged(style, question, answer)),
    );
  });

  test.each([
    ["an adjective before its noun", "In multiple frost, the worst of all frosts, the lamp goes out.", "multiple"],
    ["an adverb before its adjective", "Even worse is a lamp without its oil.", "Even"],
    ["what is done to it", "The keeper finds the height of a tower by measuring its shadow at noon.", "measuring"],
    ["the doing of something", "Resolution of faults is a duty of the keeper.", "Resolution"],
  ])("a blank for half of a name: %s", (_, text, answer) => {
    const question = text.replace(answer, "____");
    expect(doubtInPlace(judged("cloze", question, answer, text))).toBeGreaterThan(1);
  });
});

/** What is said against any card of the style. */
const plain = (style: "fact" | "cloze" | "definition" | "term" | "why") =>
  doubtInPlace(
    judged(
      style,
      "Which bright sign stands high upon the western rock of the bay?",
      "The long beacon that burns there",
    ),
  );

describe("an automatic deck", () => {
  const FUELS: [string, string, string][] = [
    ["Tallow", "bright", "stearin"],
    ["Beeswax", "dim", "esters"],
    ["Whale oil", "yellow", "fat"],
    ["Coal gas", "white", "methane"],
    ["Colza oil", "smoky", "erucic acid"],
    ["Mineral oil", "red", "paraffin"],
    ["Acetylene", "steady", "carbon"],
    ["Rapeseed oil", "blue", "glycerol"],
  ];
  const text = FUELS.map(
    ([fuel, flame, part]) => `${fuel} produces a ${flame} flame because it contains ${part}.`,
  ).join(" ");

  test("takes lesser cards where its source has no better ones", () => {
    expect(faces(text, "AUTO")).toHaveLength(5);
  });

  test("asks in the forms that readers keep, where its source has them", () => {
    const lamps = FUELS.map(
      ([fuel]) =>
        `A **${fuel} lamp** is a lamp of brass that burns ${fuel} behind a pane of glass. ` +
        `The ${fuel} lamp produces a steady flame of ${fuel} in towers along the northern harbour. ` +
        `The keeper fills the ${fuel} lamp with brass cans of ${fuel} before the winter storms. ` +
        `In a harbour, the ${fuel} lamp replaces the wood fire of the older towers. ` +
        `The ${fuel} lamp requires a clean pane of glass and a dry wick of cotton.`,
    );
    const asked = faces(lamps.join("\n\n"), "AUTO");
    expect(asked.length).toBeGreaterThan(5);
    expect(asked.filter((face) => !face.startsWith("What is"))).toEqual([]);
  });
});
