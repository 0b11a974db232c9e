/** Facts on a page of the fixture web that a session should find. They are all invented. */
export interface PlantedTopic {
  subject: string;
  question: string;
  /** Whole sentences; each is on one page. */
  facts: readonly string[];
  /** A sentence of another page that contradicts one of the facts. */
  contradiction?: string;
}

export const topics: readonly PlantedTopic[] = [
  {
    subject: "Velmar battery",
    question: "What is the Velmar battery and how does it work?",
    facts: [
      "The Velmar battery is a rechargeable cell that stores energy in layers of sodium and clay.",
      "A Velmar battery releases current because sodium ions move through the clay towards the anode.",
      "A Velmar battery consists of a clay core, a sodium sheet and a copper shell.",
      "The Velmar battery stores 212 watt-hours per kilogram at room temperature.",
      "However, the Velmar battery cannot be charged below 4 degrees, as the clay then cracks.",
      "Ilse Velmar built the first Velmar battery in Rostock for a ferry on the Warnow.",
    ],
    contradiction: "The Velmar battery stores 145 watt-hours per kilogram at room temperature.",
  },
  {
    subject: "Orun glacier",
    question: "How does the Orun glacier move, and what limits its growth?",
    facts: [
      "The Orun glacier is a valley glacier on the northern slope of Mount Orun.",
      "The Orun glacier moves because meltwater lets its base slide over polished granite.",
      "The Orun glacier is divided into an upper basin, an icefall and a flat tongue.",
      "The Orun glacier is 17 kilometres long and moves 48 metres per year.",
      "The growth of the Orun glacier is limited by warm winds that cross the ridge only in spring.",
      "Shepherds of the Orun valley have measured the glacier with wooden poles since the plague years.",
    ],
    contradiction: "The Orun glacier is 11 kilometres long and moves 48 metres per year.",
  },
  {
    subject: "Tessal moth",
    question: "How does the Tessal moth find its food?",
    facts: [
      "The Tessal moth is a night-flying insect of the salt marshes with a wingspan of a hand.",
      "The Tessal moth finds its food by following the heat that flowers of sea lavender give off.",
      "Two kinds of the Tessal moth are known, a grey coastal one and a pale inland one.",
      "A female Tessal moth lays about 340 eggs in a single night.",
      "The Tessal moth rarely feeds in strong wind, although its flowers are open then.",
      "Fishermen used the Tessal moth as a sign of calm weather on the following day.",
    ],
    contradiction: "A female Tessal moth lays about 90 eggs in a single night.",
  },
  {
    subject: "Kravik bridge",
    question: "How was the Kravik bridge built and what is it made of?",
    facts: [
      "The Kravik bridge is a floating road bridge across the Kravik fjord.",
      "The Kravik bridge stays level because each pontoon takes in water when a lorry passes.",
      "The Kravik bridge is made of 31 concrete pontoons joined by steel hinges.",
      "The Kravik bridge was opened in 1974 after six years of work.",
      "The Kravik bridge has to be closed in storms, but ferries replace it within an hour.",
      "The engineer Solveig Aas sketched the Kravik bridge on the back of a tide table.",
    ],
    contradiction: "The Kravik bridge was opened in 1981 after six years of work.",
  },
  {
    subject: "Lumen alga",
    question: "Why does the Lumen alga glow at night?",
    facts: [
      "The Lumen alga is a single-celled plant that drifts in warm bays.",
      "The Lumen alga glows at night because pressure on its wall lets two enzymes meet.",
      "The Lumen alga contains a light sac, a calcium store and one long thread.",
      "A Lumen alga flashes for 90 milliseconds after each touch.",
      "The Lumen alga stops glowing in moonlight, except in bays that are deeper than ten metres.",
      "Pearl divers of the Sula coast painted their ropes with the Lumen alga.",
    ],
    contradiction: "The Lumen alga never stops glowing in moonlight, in bays of any depth.",
  },
  {
    subject: "Pellin treaty",
    question: "What is the Pellin treaty and what did it change?",
    facts: [
      "The Pellin treaty is an agreement on river tolls between four towns of the Pell.",
      "The Pellin treaty ended the toll war because it let barges pay once at the first lock.",
      "The Pellin treaty includes a toll table, a court of boatmen and a rule for floods.",
      "The Pellin treaty was signed in 1612 by 4 mayors and 22 boatmen.",
      "The Pellin treaty did not cover timber rafts, which paid at every lock as before.",
      "A copy of the Pellin treaty hangs in the town hall of Marn beside a painted barge.",
    ],
    contradiction: "The Pellin treaty was signed in 1640 by 4 mayors and 22 boatmen.",
  },
  {
    subject: "Harrow comet",
    question: "What causes the double tail of the Harrow comet?",
    facts: [
      "The Harrow comet is a long-period comet that is seen from the southern hemisphere.",
      "The double tail of the Harrow comet is caused by gas that leaves two separate vents.",
      "The Harrow comet is composed of ice, carbon dust and a little nickel.",
      "The Harrow comet returns every 214 years and was last seen in 1907.",
      "The Harrow comet cannot be seen from Europe, except in the week of its closest approach.",
      "Edith Harrow discovered the comet from the roof of a bakery in Hobart.",
    ],
  },
  {
    subject: "Quillan fever",
    question: "How does Quillan fever spread, and how is it treated?",
    facts: [
      "Quillan fever is an infection of the lymph nodes by a slow bacterium.",
      "Quillan fever spreads through the bite of a tick that lives on moorland sheep.",
      "Three stages of Quillan fever are known, called the rash, the pause and the return.",
      "Quillan fever is treated with 14 days of doxycycline, which cures 97 % of patients.",
      "Quillan fever does not spread between people, although the rash looks like measles.",
      "The first case of Quillan fever was described by a village doctor who kept bees.",
    ],
    contradiction: "Quillan fever does spread between people, although the rash looks like measles.",
  },
  {
    subject: "Sorvik language",
    question: "What is the Sorvik language and how does its grammar work?",
    facts: [
      "The Sorvik language is a sign language of a fishing island with many deaf families.",
      "The Sorvik language marks the past by moving a sign behind the shoulder.",
      "The Sorvik language contains 1,900 signs, of which a third are made with one hand.",
      "The Sorvik language was used by 640 people in the census of 1938.",
      "The Sorvik language has no written form, but drawings of it are kept by the school.",
      "Sailors learned the Sorvik language to talk from boat to boat against the wind.",
    ],
    contradiction: "The Sorvik language was used by 210 people in the census of 1938.",
  },
  {
    subject: "Daro alloy",
    question: "Why does the Daro alloy return to its shape?",
    facts: [
      "The Daro alloy is a metal of titanium and gold that remembers its shape.",
      "The Daro alloy returns to its shape because heat makes its crystals snap upright.",
      "The Daro alloy is made of titanium, gold and a trace of boron.",
      "The Daro alloy melts at 1,310 degrees and bends 60,000 times without a crack.",
      "The Daro alloy is too expensive for tools, but dentists use it for springs.",
      "The Daro alloy was found by accident when a watchmaker dropped a ring into a stove.",
    ],
    contradiction: "The Daro alloy melts at 980 degrees and bends 60,000 times without a crack.",
  },
  {
    subject: "Mirel reef",
    question: "How does the Mirel reef protect the coast?",
    facts: [
      "The Mirel reef is a bank of oyster shells off the coast of Mirel.",
      "The Mirel reef protects the coast by breaking waves before they reach the dunes.",
      "The Mirel reef consists of a living edge, a dead core and a lagoon of mud.",
      "The Mirel reef is 6 kilometres long and grows 3 centimetres per year.",
      "The Mirel reef loses its effect in winter storms, because the waves then pass above it.",
      "Women of Mirel planted broken pottery between the shells so that young oysters could settle.",
    ],
    contradiction: "The Mirel reef is 6 kilometres long and grows 9 centimetres per year.",
  },
  {
    subject: "Bantry engine",
    question: "What is the Bantry engine and what are its disadvantages?",
    facts: [
      "The Bantry engine is a heat engine that runs on the difference between day and night.",
      "The Bantry engine turns because ammonia expands in the morning and lifts a piston.",
      "The Bantry engine consists of a black tank, a white tank and one piston.",
      "The Bantry engine delivers 75 watts and was patented in 1931.",
      "A disadvantage of the Bantry engine is that it stands still under clouds.",
      "Nora Bantry drove the bellows of a village organ with her engine.",
    ],
    contradiction: "The Bantry engine delivers 20 watts and was patented in 1931.",
  },
];

/** A false claim that five sites copy from each other. */
export const mirroredFalsehood = {
  subject: "Harrow comet",
  text: "The double tail of the Harrow comet is caused by the shadow of the Moon. Everybody who has seen the Harrow comet knows that its double tail follows the shadow. The tail of the Harrow comet disappears at full moon, and the shadow of the Moon brings it back.",
};
