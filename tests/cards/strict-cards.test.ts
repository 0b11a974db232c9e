import { describe, expect, test } from "vitest";
import { cardTexts, newCardTexts } from "./card-texts.ts";

describe("leaves out cards that a strict student would delete", () => {
  test.each([
    [
      "an answer that repeats the question",
      "The **long wick assumption** seemed reasonable since until recently all lamps of the coast used a long wick.",
      /→ The long wick assumption$/,
    ],
    [
      "one example presented as the only one",
      "A **tallow lamp** of the port is a classic example of the many lamps that smoke.",
      /^What is a classic example/,
    ],
    [
      "an unspecific plural",
      "**Light keeping** within a tower involves many coordinated tasks.",
      /→ Many coordinated tasks$/,
    ],
    [
      "a generic noun",
      "The challenge for all living harbours is to obtain oil from their surroundings in forms that they can turn into light to do work. The first challenge of a port is oil. The second challenge of a port is wind. A third challenge of a port is ice.",
      /→ challenge$/i,
    ],
    [
      "the number of parts instead of the parts",
      "The **Fresnel lamp** consists of two distinct phases.",
      /→ Two distinct phases$/,
    ],
    ['"a few types"', "A few types of **fog horns** have pipes comparable to organs of old churches.", /→ A few types/],
    [
      "examples presented as all",
      "Two examples of harbour works of the coast are the outer mole and the inner quay.",
      /^What are the two examples/,
    ],
    [
      "an eponym read as a time",
      "A lens of rings is called Fresnel lens after Augustin Fresnel, the engineer who built the first one.",
      /^When is/,
    ],
    [
      "a concession read as a reason",
      "While the **harbour survey** almost certainly answered some questions of the keepers, any good survey should lead to more questions. Therefore, a well-made **harbour survey** leaves room for the next one of the coast.",
      /→ While/,
    ],
    [
      "two whens",
      "The curve of the lamp goes up whenever someone enters the box and down when they leave. The **lamp box** is a box of wood.",
      /^When .*whenever/,
    ],
    [
      'a list that ends in "and so on"',
      "The **night watch** of the coast includes first watch, second watch, and so on.",
      /so on$/,
    ],
    [
      "an abbreviation beside its words",
      "The **harbour light list**, also noted **HLL**, is the list of all lamps of a coast with their colours.",
      /light list, noted ____/,
    ],
    [
      "a definition by something named earlier",
      "The **bright flame** is the fuller form of the compound after it has taken up two parts of air.",
      /→ The fuller form of the compound/,
    ],
    [
      "a whole asked by one of its parts",
      "Any **open lamp system** needs to include a keeper part that can select a small set of lamps, before the crew draws the chart.",
      /^What needs to include/,
    ],
    [
      "praise as a definition",
      "The **Fresnel lens** is a popular lamp glass within the coast guard.",
      /→ A popular lamp glass/,
    ],
    [
      "two pairs compared with two pairs",
      "Moss and rot harm ropes, whereas **rust** and salt harm irons of the chain.",
      /^How do .* and .* and .* and .* differ/,
    ],
  ])("%s", (_, text, thrown) => {
    expect(newCardTexts(text).filter((face) => thrown.test(face))).toEqual([]);
  });
});

describe("splits a sentence only where that is correct", () => {
  test.each([
    [
      "with the condition of both halves",
      "If there are no foreign ships in the port no pilot is called and the **harbour book** holds an empty line in the place reserved for pilots.",
      /^(?!.*foreign).*(?:harbour book|empty line)/,
    ],
    [
      "not into a list inside a relative clause",
      "Old ports are composed of **moles**, which correspond to wave-breaking walls, and outlying walls called **groynes**, which may be seen in sand drift but are removed from the port in winter.",
      /^Moles correspond to .*, and/,
    ],
    [
      "not before the decisive half",
      "The **storm lamps** are considered safe lamps because they have a long chimney but are not filled with oil.",
      /→ Because they have a long chimney$/,
    ],
    [
      "not at a hypothetical moment",
      "The harbour clerk of the port might be cleaning up after a storm crash or power failure. A **clerk** is a writer.",
      /^When might/,
    ],
    [
      "not between two objects of a verb",
      "Ports must also export waste and toxins to stay healthy, and many ports must swim or move goods via the beating motion of **port wheels** like mills.",
      /^Toxins to stay/,
    ],
    [
      "before the second of several verbs",
      "The **lamp keepers** find the cause of the fault, mend the broken ring to save the light, and then light the lamp.",
      /find\? → The cause of the fault, mend/,
    ],
    [
      "not between two gerunds before one noun",
      "Harbour Version 3 introduced a new locking and **journaling mechanism** designed to improve the speed of pilots and to reduce the lamp problem.",
      /→ A new locking$/,
    ],
    [
      'not after "help"',
      "The **sync lamps** that the harbour performs to help ensure safety can be disabled at night using the lamp switch.",
      /help ensure\?/,
    ],
    [
      'before "however"',
      "A lamp keeper can run concurrently with **harbour pilots**, however the lamp keeper must stop when it reaches a mark of the harbour that is past the end of any pilot.",
      /however the lamp keeper must stop\?/,
    ],
    [
      "not within a list of duties",
      "The **harbour keeper** must advise the crew of the duty under the storm rule to keep records, make reports and give notice of the case.",
      /keep records, make reports$/,
    ],
    [
      "not between two compared things",
      "The **lamp rule** demands a likeness between the new chart and draw charts.",
      /between the new chart$/,
    ],
    [
      "with the clause that completes a purpose",
      "In harbour work, **lamp pairs** line up end-to-end so that when they divide, each lamp keeper receives a sister lamp from both members of the pair.",
      /→ So that when they divide$/,
    ],
    [
      "not where that would lose a negation",
      "Secondary ledgers of the port are not involved in shielding the harbour from losses due to fires or floods. A **ledger** is a book.",
      /^Why are .* not involved/,
    ],
  ])("%s", (_, text, broken) => {
    expect(newCardTexts(text).filter((face) => broken.test(face))).toEqual([]);
  });
});

describe("leaves out text that depends on something else", () => {
  test.each([
    [
      "a numbered step",
      "In the fifth step, a **pilot ketch** turns the slow boat into its twin at the outer quay.",
      /In the fifth step/,
    ],
    [
      '"the other manner"',
      "The other manner of signalling in the port uses a group of tall masts called **yard masts**, seen from far away.",
      /The other manner/,
    ],
    [
      '"accordingly"',
      "The **harbour watch** must answer accordingly: by ringing the bell of the mole and by lighting the red lamp.",
      /accordingly/,
    ],
    ["a lost symbol", "Direct use of -bright lamps fails to reap the full gain of the **storm glass**.", /./],
    [
      '"most members"',
      "Most members live on land, with a few swimming exceptions. They build visible nests with a rough look and are commonly known as **terns**.",
      /Most members/,
    ],
    [
      '"both methods"',
      "Both methods need a **signal lamp** in which two colours of glass stand side by side.",
      /Both methods/,
    ],
    [
      '"remedy this"',
      "The keeper of the tower performs an additional cleaning step called **lamp scouring** to remedy this.",
      /remedy this/,
    ],
    [
      "an instruction without an agent",
      "Drop the **main anchor** and the spare anchor locks but retain the shared chain of the quay.",
      /./,
    ],
    [
      "a footnote letter attached to a word",
      "aIn previous years of the port a **sparse chart** could be drawn by hand.",
      /^aIn|aIn /,
    ],
    [
      "a single letter as a name",
      "If D is the **drawn chart**, the harbour rule can be met by just asking for a likeness.",
      /\bD\b/,
    ],
  ])("%s", (_, text, leaning) => {
    expect(newCardTexts(text).filter((face) => leaning.test(face))).toEqual([]);
  });
});

describe("phrases questions well", () => {
  test.each([
    [
      "a title that ran into its text",
      "LampkeeperStorm damage is the leading cause of dark towers in the northern ports.",
      /^Storm damage is the leading cause/m,
    ],
    [
      '"the source of"',
      "**Old towers** are the source of legends and songs of the sea.",
      "What are old towers the source of? → Legends and songs of the sea",
    ],
    [
      "a lower-case name with a digit",
      "By default, the **lme4** package of the harbour draws channels, and lme4 assumes that all lamps are joined. The machinery of lme4 is old.",
      /^(?!.*→ Lme4)/s,
    ],
    [
      'a verb after "then"',
      "The **lamp machine** of the tower closes the old valve then opens the new valve before moving to the next ring.",
      /then opens the new valve/,
    ],
    [
      'without a trailing "therefore"',
      "Any use of a **cracked lens** can easily lead to lamp fires, therefore.",
      /→ Lamp fires$/,
    ],
    [
      "a verb spelt like a noun",
      "The **pbc lamp** data set contains baseline data and follow-up status for a set of harbours with early fog.",
      /^What does the pbc lamp data set contain\?/m,
    ],
  ])("%s", (_, text, wanted) => {
    expect(newCardTexts(text).join("\n")).toMatch(wanted);
  });
});

describe("a deck that doesn't have to be full", () => {
  const places = "quay lock mole beach channel basin dock ferry bridge market yard pier".split(" ");
  const keepers = "oil glass rope chain wick bell".split(" ");
  const body = keepers
    .map((thing) =>
      places
        .map((place) => `The harbour keeper of the ${place} cleans the ${thing} of the lamp before the winter storms.`)
        .join(" "),
    )
    .join("\n\n");
  const aside = "Saint Hubert blesses Belgian dogs because hunters once saw a white stag in the forest.";
  const about = "**Lamp oil** is warmed by the harbour keeper before winter storms so that the lamp burns evenly.";

  test("leaves out what is unrelated to the rest of its source", () => {
    const found = cardTexts(`${body}\n\n${aside}\n\n${about}`, "AUTO").join("\n");
    expect(found).toMatch(/lamp oil/i);
    expect(found).not.toMatch(/Hubert/);
  });

  test("and includes it at very high density", () => {
    expect(cardTexts(`${body}\n\n${aside}\n\n${about}`, "VERY_HIGH").join("\n")).toMatch(/Hubert/);
  });
});
