import { expect, test } from "vitest";
import { stripNumbering } from "#shared/podcasts/script/chapter-title.ts";
import { isClearAlone } from "#shared/podcasts/script/clear-alone.ts";

test.each([
  "A host is the organism that is invaded and often harmed by a pathogen.",
  "Helper T cells and B cells recognise the same antigen.",
  "First aid saves lives when help is far away.",
  "The first cytokines to be produced encourage inflammation.",
  "Photosynthesis turns 6 CO2 and 6 H2O into glucose.",
  "Water has a pH of 7 at 25 degrees.",
  "A variance of ±2 percent is normal.",
  "Photosynthesis takes place in two sequential stages.",
  "If a cell divides too early, then its daughters are too small to live.",
  "The following year brought a famine to most of the country.",
  "A nurse will show patients how the pump is used at home.",
])("a sentence that is clear by itself is spoken: %s", (sentence) => {
  expect(isClearAlone(sentence)).toBe(true);
});

test.each([
  "Chlorophyll a and chlorophyll b will be the focus of the following discussion.",
  "More details about the training of both encoders can be found in Appendix B.",
  "From period 3 to period 4, the overall cost rises from $107 to $117.50.",
  "We conjecture that the lower performance on the last set is due to two reasons.",
  "We then split each article into multiple, disjoint text blocks of 100 words.",
  "The subsequent reactions assemble carbohydrate molecules with the energy of the light.",
  "The employee who is insured by the company often contributes as well.",
  "Two final points about index numbers are worth remembering.",
  "For the same reasons, pigment molecules absorb only light of some wavelengths.",
  "Other organisms grow in competition for light.",
  "Laughter So thanks again for coming to this talk about memory.",
  "Hopefully, you can read my terrible hand writing from the last row.",
  "I'm going to talk a bit about the collector and how it manages memory.",
  "Alright, I'll wait until the camera man tells me that we are good.",
  "Conversely, the adaptive immune response stores information about past infections.",
  "Inflation, on the other hand, means that prices rise in most markets of the economy.",
  "The second example is one where the older method does better than the new one.",
  "Over that time period, the Consumer Price Index increased by the same amount.",
  "The problem of open-domain question answering can be described as follows.",
  "The Social Security program offers two examples of indexing.",
  "Find the percentage change in the cost of purchasing the overall basket of goods.",
  "Not like anything that you are familiar with from your own life.",
  "Until 2006, a rival governing body of the league existed,...",
  "Apparel for men and women, as well as jewelry and watches 4.",
  "Every language has a syntax and a semantics, as I show you here on the slide.",
  "Let Q and P be the (B × d) matrix of question and passage embeddings.",
  "We rerank the union of them using BM25(q,p) + λ · sim(q, p) as the ranking function.",
  "At run-time, it applies a different encoder E(·, ·) that maps the input question.",
  "We used λ = 1.1 based on the retrieval accuracy in the development set.",
  "See Appendix C for examples and more discussion of the results.",
  "The energy of a body at rest is E = mc2, where c is the speed of light.",
])("a sentence that needs the page or the sentence before is left out: %s", (sentence) => {
  expect(isClearAlone(sentence)).toBe(false);
});

test.each([
  ["4.2 Question Answering Datasets", "Question Answering Datasets"],
  ["1 Introduction", "Introduction"],
  ["D Joint Training of Retriever and Reader", "Joint Training of Retriever and Reader"],
  ["IV. The Great War", "The Great War"],
  ["Chapter 3: Cells", "Cells"],
  ["A Cell Is Alive", "A Cell Is Alive"],
  ["3D Graphics", "3D Graphics"],
  ["1984", "1984"],
])("the heading %s is announced as %s", (heading, title) => {
  expect(stripNumbering(heading)).toBe(title);
});
