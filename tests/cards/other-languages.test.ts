import { describe, expect, test } from "vitest";
import { generateCards } from "#shared/cards/deck/generate-cards.ts";
import { PhraseIndex } from "#shared/cards/source/phrase-facts.ts";
import { isRepeatedLabel, phraseAskedBy, termLikelihood } from "#shared/cards/features/term-likelihood.ts";
import type { Density } from "#shared/cards/schema.ts";
import { passagesFromText } from "#shared/text/plain-text.ts";

const asked = (text: string, density: Density = "MEDIUM") =>
  [...generateCards(passagesFromText(text), { density })].flatMap((e) =>
    e.type === "card" ? [`${e.card.question} → ${e.card.answer}`] : [],
  );

/** Long enough for the source to count as German. */
const GERMAN =
  "Die Leuchttürme stehen an der Küste und weisen den Schiffen in der Nacht den Weg durch das seichte Wasser.\n\n".repeat(
    12,
  );
const FRENCH =
  "Les phares sont sur la côte et montrent aux navires la route dans la nuit, et les gardiens veillent sur la lampe.\n\n".repeat(
    12,
  );
const SPANISH =
  "Los faros están en la costa y muestran a los barcos el camino en la noche, y los guardianes cuidan de la lámpara.\n\n".repeat(
    12,
  );

const SYLLABLES = ["ba", "ke", "li", "mo", "nu", "par", "que", "rot", "sil", "tan"];
/** A different word for each number. */
const word = (n: number) => String(1000 + n).replaceAll(/\d/g, (digit) => SYLLABLES[Number(digit)] ?? "");

describe("a source in another language", () => {
  test("writes no space after an elided French article", () => {
    expect(asked(`${FRENCH}Un albédo est une part de la lumière que renvoie la surface d'un corps.`)).toEqual([
      "Qu’est-ce qu’un albédo ? → Une part de la lumière que renvoie la surface d'un corps",
    ]);
  });

  test.each([
    [GERMAN, "Eine einfache Möglichkeit ist die Lampe mit dem großen Spiegel aus altem Glas."],
    [GERMAN, "Die letzte Stufe ist die Prüfung durch einen Wärter des alten Turms."],
    [GERMAN, "Aus Sicht der Wärter ist die Lampe ein großer Gewinn für alle Schiffe."],
    [GERMAN, "Die Sichtbarkeit ist eine der wichtigsten Eigenschaften von Lampen auf See."],
    [GERMAN, "Der Zweck von Nebelhörnern ist es, die Schiffe auch bei Nebel in den Hafen zu leiten."],
    [FRENCH, "Une autre solution est la lampe à pétrole avec le grand miroir de verre."],
    [FRENCH, "Le premier bateau de la file est appelé pour entrer au port."],
    [FRENCH, "La plupart des phares sont des tours de pierre que gardent les familles."],
    [FRENCH, "Quelle lampe est la plus grande lumière que les navires voient dans la nuit."],
    [FRENCH, "Les lampes sont souvent mises en œuvre par des gardiens qui veulent aider les navires."],
    [FRENCH, "Les gardiens sont destinés à veiller sur la lampe dans la nuit."],
    [SPANISH, "La primera lámpara muestra cuál es el barco que llega al puerto por la noche."],
    [SPANISH, "El propósito de los faros es guiarlos por el agua en la noche."],
    [SPANISH, "Cada faro es un edificio que muestra a los barcos el camino."],
    [GERMAN, "Eine Boje ist ein weiteres Zeichen für die Schiffe auf dem Meer."],
    [GERMAN, "Ein Nebelhorn ist ein „Rufer“ für die Schiffe im dichten Nebel auf See."],
    [GERMAN, "Eine Laterne ist ein sehr nützliches Werkzeug."],
    [GERMAN, "Ein Leitfeuer ist ein Mehr-Farben-System."],
    [GERMAN, "Die große Lampe auf dem alten Turm wird als heller Stern betrachtet."],
    [FRENCH, "Une bouée est une autre marque que les navires voient sur la mer."],
    [FRENCH, "Les navires entrent. Si la lampe est sur une tour de pierre, la tour est appelée un phare."],
    [FRENCH, "De tels navires dans le port de la ville sont appelés bateaux-feux."],
    [SPANISH, "Uno de los faros de la costa del norte se llama torre de Hércules."],
    [SPANISH, "Los barcos con ambos mástiles en la costa del norte se llaman bergantines."],
  ])(
    "makes no question from a sentence that only identifies something, or explains too little: %s%s",
    (language, sentence) => {
      expect(asked(language + sentence)).toEqual([]);
    },
  );

  test("leaves out a second statement after a definition", () => {
    const text = `${GERMAN}Ein Feuerschiff ist ein Schiff mit einer großen Lampe, von daher liegt es immer vor Anker.`;
    expect(asked(text)).toEqual(["Was ist ein Feuerschiff? → Ein Schiff mit einer großen Lampe"]);
  });

  test.each([
    [
      `${GERMAN}Ein Feuerschiff ist ein Schiff mit einer großen Lampe und ist immer vor Anker.`,
      "Was ist ein Feuerschiff? → Ein Schiff mit einer großen Lampe",
    ],
    [
      `${FRENCH}Un bateau-feu est un navire avec une grande lampe et c'est un abri pour les gardiens.`,
      "Qu’est-ce qu’un bateau-feu ? → Un navire avec une grande lampe",
    ],
    [
      `${SPANISH}Un buque faro es un barco con una gran lámpara y es el hogar de los guardianes.`,
      "¿Qué es un buque faro? → Un barco con una gran lámpara",
    ],
    [
      `${FRENCH}Les bouées sont donc les plus petites marques que les navires voient sur la mer.`,
      "Que sont les bouées ? → Les plus petites marques que les navires voient sur la mer",
    ],
    [
      `${GERMAN}Ein Schiff mit einer großen Lampe im Mast wird als Feuerschiff bezeichnet.`,
      "Ein Schiff mit einer großen Lampe im Mast wird als ____ bezeichnet. → Feuerschiff",
    ],
  ])("leaves out further clauses, connecting words and forms of address: %s", (text, card) => {
    expect(asked(text)).toEqual([card]);
  });

  test.each([
    ["a key", "Durch einen Druck auf die Taste **Eingabe** wird die Lampe des Turms in der Nacht eingeschaltet."],
    ["a shortcut", "Mit **Strg+L** wird die große Lampe des Turms in der Nacht eingeschaltet und geprüft."],
    ["what the reader should do", "Wählen Sie **Lampe**, um das Licht des Turms in der Nacht zu sehen und zu prüfen."],
    [
      "an English passage",
      "The keeper of the tower must always press the **lantern** when the fog hides the light of the sea.",
    ],
  ])("makes no blank for %s", (_, sentence) => {
    expect(asked(GERMAN + sentence)).toEqual([]);
  });

  test.each([
    ["Die **Osmose** ist ein Vorgang in der Zelle.", "Osmose"],
    ["Der Wärter in dem Turm meint die **Laterne** am Ende der Treppe.", "Laterne"],
  ])("asks for the term of a short sentence in its own language: %s", (sentence, term) => {
    expect(asked(GERMAN + sentence).join()).toContain(term);
  });

  test("makes cloze cards in Dutch, for which the engine has no grammar", () => {
    const dutch = "Vuurtorens staan langs onze kust, waar zij schepen 's nachts veilig naar haven leiden.\n\n".repeat(
      12,
    );
    expect(asked(`${dutch}De **lamp** is in de toren en was in de haven.`).join()).toContain("lamp");
  });

  test.each([
    [GERMAN, "Erörterungen sind die Gespräche, in denen die Wärter den Kurs der Schiffe prüfen."],
    [GERMAN, "Manöver sind die Bewegungen, mit denen die Schiffe in den Hafen laufen."],
  ])("takes no word for a pronoun because it begins like one: %s%s", (language, sentence) => {
    const [name = ""] = sentence.split(" ");
    expect(asked(`${language}# ${name}\n\n${sentence}`)).toEqual([expect.stringContaining(`Was sind ${name}?`)]);
  });

  test("makes blanks in Japanese for names, and none for words of code", () => {
    const name = "灯台の光は**フレネルレンズ**と呼ばれる大きなレンズで遠くまで届く光になります。";
    const code = "灯台の光を消すには lamp --user **identity** という命令を毎晩かならず使います。";
    expect(asked(`${name}\n\n${code}`).map((card) => card.split(" → ")[1])).toEqual(["フレネルレンズ"]);
  });

  test("takes the most likely cards from the whole of a long source, in source order", () => {
    const vague = Array.from(
      { length: 300 },
      (_, i) =>
        `Das **Licht ${word(i)}** der ${word(i + 400)} und der ${word(i + 800)} wird von ${word(i + 1200)} in ` +
        `${word(i + 1600)} mit ${word(i + 2000)} geprüft.`,
    );
    const last = "Ein Feuerschiff ist ein Schiff, das eine große Lampe trägt.";
    const cards = asked(`${GERMAN}${vague.join("\n\n")}\n\nDas Feuerschiff liegt vor Anker.\n\n${last}`, "AUTO");
    expect(cards.at(-1)).toBe("Was ist ein Feuerschiff? → Ein Schiff, das eine große Lampe trägt");
    expect(cards.length).toBeLessThan(20);
  });
});

describe("statistics of a phrase in its source", () => {
  const passages = passagesFromText(
    "# Fresnel lens\n\nThe **Fresnel lens** focuses the light of the lamp. Keepers clean the Fresnel lens every day.\n\n" +
      "The keeper of the tower has a logbook. The light of the lamp is seen from the sea.\n\nThe tower is high.",
  );
  const index = new PhraseIndex(passages);
  const likelihood = (phrase: string) => termLikelihood(index.factsOf(phrase));

  test("a phrase is counted over all passages", () => {
    expect(index.factsOf("the Fresnel lens")).toMatchObject({ count: 2, passages: 1 });
    expect(index.factsOf("Fresnel lens")).toMatchObject({ count: 2, isHeading: true, isMarked: true, capital: 1 });
    expect(index.factsOf("logbook")).toMatchObject({ count: 1, isHeading: false, isMarked: false, opens: 0 });
    expect(index.isFirstMention("logbook", passages[2]?.id ?? "")).toBe(true);
    expect(index.isFirstMention("lamp", passages[2]?.id ?? "")).toBe(false);
  });

  test("a phrase is counted in a script without spaces", () => {
    const japanese = new PhraseIndex(passagesFromText("光合成は植物で起こる。\n\n植物は光合成で酸素を作る。"));
    expect(japanese.factsOf("光合成")).toMatchObject({ count: 2, passages: 2 });
  });

  test("a term is rated more likely than an ordinary phrase", () => {
    expect(likelihood("Fresnel lens")).toBeGreaterThan(likelihood("light of the lamp"));
    expect(likelihood("logbook")).toBeGreaterThan(likelihood("of the tower"));
  });

  test("the asked phrase is the answer of a cloze card, and the term in the question of a definition", () => {
    expect(phraseAskedBy({ question: "The ____ focuses light.", answer: "Fresnel lens" })).toBe("Fresnel lens");
    expect(phraseAskedBy({ question: "What is a lighthouse?", answer: "A tower that sends out light" })).toBe(
      "lighthouse",
    );
    expect(
      phraseAskedBy({ question: "Why do keepers trim wicks?", answer: "Because soot dims the flame" }),
    ).toBeUndefined();
  });

  test("a label that starts many paragraphs is not taken for a term", () => {
    const entries = Array.from(
      { length: 12 },
      (_, i) => `Lamp-Colour sign${i} sets the colour that keepers of tower ${i} use for the signal of the harbour.`,
    );
    const facts = new PhraseIndex(passagesFromText(`# Signals\n\n${entries.join("\n\n")}`)).factsOf("Lamp-Colour");
    expect(isRepeatedLabel(facts)).toBe(true);
    expect(isRepeatedLabel({ ...facts, opens: 0.5 })).toBe(false);
  });
});
