import { expect, test } from "vitest";
import { findDisagreements } from "#shared/research/evidence/disagreements.ts";
import { isSupportedBy } from "#shared/research/evidence/verify.ts";
import { topics } from "#tests/kit/research-web/topics.ts";

type Pair = readonly [string, string];

const contradicting: Readonly<Record<"figures" | "dates" | "negation" | "opposites", readonly Pair[]>> = {
  figures: [
    ["The human body has 206 bones in adulthood.", "An adult human body is made up of 213 separate bones."],
    ["Mount Everest is 8,849 metres high.", "The height of Mount Everest is 8,611 m."],
    ["About 70 percent of the Earth's surface is covered by water.", "Water covers 50% of the surface of the Earth."],
    ["The human heart has four chambers.", "The human heart has 3 chambers."],
    ["Das menschliche Herz schlägt etwa 70 Mal pro Minute.", "Das menschliche Herz schlägt 120 Mal pro Minute."],
    ["The Amazon basin holds 2.5 million species of insects.", "The Amazon basin holds 400,000 species of insects."],
  ],
  dates: [
    ["The French Revolution began in 1789.", "The French Revolution began in 1798."],
    ["Alexander Fleming discovered penicillin in 1928.", "Penicillin was discovered by Fleming in 1941."],
    ["The First World War ended in November 1918.", "The First World War ended in June 1918."],
    ["The treaty of Versailles was signed on 28 June 1919.", "The treaty of Versailles was signed on 14 June 1919."],
  ],
  negation: [
    ["Antibiotics work against viruses.", "Antibiotics do not work against viruses."],
    ["Goldfish can remember things for months.", "Contrary to belief, goldfish cannot remember things for months."],
    ["Bats are blind.", "Bats aren't blind."],
    ["Viruses are able to reproduce on their own.", "Viruses are unable to reproduce on their own."],
    ["Antibiotika wirken gegen Viren.", "Antibiotika wirken nicht gegen Viren."],
    ["All mammals give birth to live young.", "Not all mammals give birth to live young."],
  ],
  opposites: [
    ["Sound travels faster in water than in air.", "Sound travels slower in water than in air."],
    ["Sound travels faster in water than in air.", "Sound travels faster in air than in water."],
    ["Exercise raises the resting heart rate.", "Regular exercise lowers the resting heart rate."],
    ["The moss grows on the northern side of trees.", "The moss grows on the southern side of trees."],
    ["Bei Kälte steigt der Blutdruck.", "Der Blutdruck sinkt bei Kälte."],
    ["The reaction of the two gases is reversible.", "The reaction of the two gases is irreversible."],
  ],
};

const compatible: readonly Pair[] = [
  ["The human body has 206 bones in adulthood.", "A newborn baby has about 270 bones in its body."],
  ["The genome of baker's yeast contains 6,000 protein genes.", "The genome of humans contains 20,000 protein genes."],
  ["Light travels at about 300,000 km per second in space.", "Light travels 299,792 kilometres per second in space."],
  ["The tower is 324 metres high.", "The tower has a height of 324 m."],
  ["Bamboo can grow 30 to 50 metres tall.", "Bamboo can grow 40 metres tall."],
  ["More than 400 species of sharks live in the sea.", "There are 530 species of sharks in the sea."],
  ["In 2010 the city had 500,000 inhabitants.", "In 2020 the city had 600,000 inhabitants."],
  ["The lake is 120 metres deep and 30 kilometres long.", "The lake is 30 kilometres long and 120 metres deep."],
  ["Germany won the World Cup in 1974.", "Germany won the World Cup in 1990."],
  ["Penicillin was discovered in London in 1928.", "Penicillin was first used in hospitals of London in 1941."],
  [
    "Antibiotics are an effective treatment against bacteria.",
    "Antibiotics are not an effective treatment against viruses.",
  ],
  ["Sound travels faster in water than in air.", "Sound travels slower in air than in water."],
  [
    "An increase in temperature decreases the solubility of gases.",
    "A decrease in temperature increases the solubility of gases.",
  ],
  ["The Nile is the longest river of Africa.", "The Nile is not the shortest river of Africa."],
  ["Some bacteria are harmful to humans.", "Not all bacteria are harmful to humans."],
  ["Plants and algae make sugar from light.", "Not only plants but also algae make sugar from light."],
  ["In summer the temperature of the lake rises.", "In winter the temperature of the lake falls."],
  ["The moss grows on the northern side of trees.", "The lichen grows on the southern side of trees."],
  ["Insulin lowers the blood sugar level.", "Insulin reduces the level of sugar in the blood."],
  ["Glucagon raises the blood sugar level.", "Insulin lowers the blood sugar level."],
  ["Viruses do not reproduce on their own.", "Viruses are unable to reproduce on their own."],
  ["Enzymes speed up chemical reactions.", "Enzymes make chemical reactions faster."],
  [
    "If the price is above its level, supply exceeds demand.",
    "If the price is below its level, demand exceeds supply.",
  ],
  ["Is the price of bread higher in cities?", "The price of bread is not higher in cities."],
  [
    "The last step in glycolysis is catalyzed by pyruvate kinase.",
    "The last step in glycolysis will not occur where pyruvate kinase, the enzyme that catalyzes the formation of pyruvate, is missing in the muscle of an animal.",
  ],
  ["Der See ist etwa 60 Meter tief.", "Der See ist 63 Meter tief."],
  ["Die Wale sind keine Fische.", "Die Wale sind Säugetiere und keine Fische."],
];

/** Facts of one page and those of another that contradicts it, from the web of the long tests. */
const planted = topics.flatMap(({ facts, contradiction }) =>
  contradiction === undefined
    ? []
    : [{ contradiction, statements: [...facts, contradiction].map((text, source) => ({ text, source })) }],
);

const kindsOf = ([first, second]: Pair) =>
  findDisagreements([
    { text: first, source: 1 },
    { text: second, source: 2 },
  ]).map(({ kind }) => kind);

test("at least nine in ten labelled contradictions are found, and eight in ten of each kind", () => {
  const missed: Record<string, readonly Pair[]> = {};
  let found = 0;
  let total = 0;
  for (const [kind, pairs] of Object.entries(contradicting)) {
    missed[kind] = pairs.filter((pair) => kindsOf(pair).length === 0);
    total += pairs.length;
    found += pairs.length - missed[kind].length;
    expect(missed[kind].length / pairs.length, JSON.stringify(missed[kind])).toBeLessThanOrEqual(0.2);
  }
  expect(found / total).toBeGreaterThanOrEqual(0.9);
});

test("nine in ten contradictions of the fixture web are found, and no other pair of its facts", () => {
  const found = planted.map(({ statements }) => findDisagreements(statements));
  const isPlanted = ({ sides }: { sides: readonly { text: string }[] }, at: number) =>
    sides.some(({ text }) => text === planted[at]?.contradiction);
  expect(found.flatMap((pairs, at) => pairs.filter((pair) => !isPlanted(pair, at)))).toEqual([]);
  expect(found.flat().length / planted.length).toBeGreaterThanOrEqual(0.9);
  const facts = topics.flatMap((topic) => topic.facts).map((text, source) => ({ text, source }));
  expect(findDisagreements(facts)).toEqual([]);
});

test.each(compatible)("“%s” and “%s” do not contradict each other", (...pair) => {
  expect(kindsOf(pair)).toEqual([]);
  expect(kindsOf([pair[1], pair[0]])).toEqual([]);
});

/** A statement, the same statement negated, and the negated one in other words. */
const negated = [
  ["Viruses are able to reproduce alone.", "Viruses are unable to reproduce alone.", "Viruses cannot reproduce alone."],
  [
    "The vaccine protects older adults.",
    "The vaccine fails to protect older adults.",
    "The vaccine does not protect older adults.",
  ],
  [
    "Mature red blood cells contain a nucleus.",
    "Mature red blood cells lack a nucleus.",
    "Mature red blood cells are without a nucleus.",
  ],
  ["The battery works with cobalt.", "The battery works without cobalt.", "The battery works with no cobalt."],
  ["Hefe wächst mit Sauerstoff.", "Hefe wächst ohne Sauerstoff.", "Hefe wächst mit keinem Sauerstoff."],
] as const;

test.each(negated)("“%s” contradicts “%s” for both readers of negations", (plain, denied, sameDenied) => {
  expect(kindsOf([plain, denied])).toEqual(["negation"]);
  expect(kindsOf([denied, plain])).toEqual(["negation"]);
  expect(isSupportedBy(plain, denied)).toBe(false);
  expect(isSupportedBy(denied, plain)).toBe(false);
  expect(kindsOf([denied, sameDenied])).toEqual([]);
  expect(isSupportedBy(sameDenied, denied)).toBe(true);
});

test.each([
  ["Yeast turns sugar into alcohol.", "Yeast turns sugar into alcohol without oxygen."],
  ["Muscle cells make lactic acid.", "Muscle cells make lactic acid when they lack oxygen."],
  ["Hefe macht Alkohol aus Zucker.", "Hefe macht Alkohol aus Zucker ohne Sauerstoff."],
])("“%s” is no contradiction of “%s”, but a quote of one does not support the other", (plain, limited) => {
  expect(kindsOf([plain, limited])).toEqual([]);
  expect(isSupportedBy(plain, limited)).toBe(false);
  expect(isSupportedBy(limited, plain)).toBe(false);
});
