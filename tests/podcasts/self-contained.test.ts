import { expect, test } from "vitest";
import { stripNumbering } from "#shared/podcasts/script/chapter-title.ts";
import {
  hasResolvedEnumeration,
  isSelfContained,
  isClearInContext,
  announcesMore,
} from "#shared/podcasts/script/self-contained.ts";
import { lowerCapitals, readSpellings } from "#shared/text/capitals.ts";

test.each([
  "A host is the organism that is invaded and often harmed by a pathogen.",
  "Helper T cells and B cells recognise the same antigen.",
  "First aid saves lives when help is far away.",
  "The colour of iron(II) salts differs from that of other bond(s).",
  "The first cytokines to be produced encourage inflammation.",
  "Photosynthesis turns 6 CO2 and 6 H2O into glucose.",
  "Water has a pH of 7 at 25 degrees.",
  "A variance of ±2 percent is normal.",
  "Photosynthesis takes place in two sequential stages.",
  "If a cell divides too early, then its daughters are too small to live.",
  "The following year brought a famine to most of the country.",
  "A nurse will show patients how the pump is used at home.",
  "If a cell is damaged, it repairs its membrane within minutes.",
  "Although the liver is small in children, it works as hard as that of adults.",
  "After a muscle has worked for long, it needs hours of rest.",
  "The enzyme cuts the protein(s) in such a way that their ends fit.",
  "Water and/or light make the plant grow within 2 weeks.",
  "Both plants and animals depend on photosynthesis.",
  "One way to study memory is to look at what people forget.",
  "One of the strategies is rehearsal, such as saying words aloud.",
  "Each student knows that the heart is a muscle with four chambers.",
  "The theorem of Pythagoras is older than its name.",
  "Members of the society, fellows and students meet every year.",
  "A molecule of water holds the two atoms of hydrogen at an angle.",
  "Of the three branches of government, the courts have the least power.",
  "Differential privacy was proposed as a model for queries to a database [3].",
  "Passage retrieval has been an important component of question answering (Voorhees, 1999).",
  "The membrane of a cell lets water pass in both directions (Figure 4.2).",
  "A hash table stores each value at the position of its key.",
  "The graph of a network has one node for each of its members.",
  "A neuron of a network holds a number between 0 and 1.",
  "An hour of sleep after a lesson helps the memory of a child.",
  "Carotenoids are a much larger group of pigments than chlorophylls.",
  "Nobody could figure out how the cells find their way.",
])("a sentence that is clear by itself is spoken: %s", (sentence) => {
  expect(isSelfContained(sentence)).toBe(true);
});

test.each([
  "Chlorophyll a and chlorophyll b will be the focus of the following discussion.",
  "None of the transfers that we’ve discussed is completely efficient.",
  "The estimates may be obtained separately via fixef(model) at any time.",
  'More examples are opened with Show("speed", package = "models") in the console.',
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
  "Lee et al. (2019) train the encoder of the questions and the reader together.",
  "We will discuss three key projects of clinical decision support.",
  "It is useful to offer a preview of the policies here.",
  "Such a calculation could easily be misleading to most people.",
  "A term-based system would have difficulty retrieving such a context.",
  "In the thylakoid, that opening is a passage through a special protein.",
  "The participants estimated the speed of the cars in the film.",
  "The first is the retrieval of records in a standard format.",
  "A name is easy to forget, but he was wearing a shirt of a band.",
  "As one girl told her teacher who had sent her home, “I can’t.",
  "To see a white blood cell in action, watch a short film of the cell.",
  "We will shortly come to see that cells of plants are different.",
  "Data set sizes are small in all left column graphs of the evaluation.",
  "Jane Doe is partially supported by a grant of the government of Catalonia.",
  "Accuracy falls by 3 to 5 points (69.9 and 86.3 after 75.0 and 89.1).",
  "Until 2006, a rival governing body of the league existed,...",
  "Apparel for men and women, as well as jewelry and watches 4.",
  "Every language has a syntax and a semantics, as I show you here on the slide.",
  "Let Q and P be the (B × d) matrix of question and passage embeddings.",
  "We rerank the union of them using BM25(q,p) + λ · sim(q, p) as the ranking function.",
  "At run-time, it applies a different encoder E(·, ·) that maps the input question.",
  "We used λ = 1.1 based on the retrieval accuracy in the development set.",
  "See Appendix C for examples and more discussion of the results.",
  "In keeping with the views of the president, this organization gave no direct relief to people.",
  "Starting from our trained model, they show that the retrieval can be further improved.",
  "Rather than comparing the accuracy of several mechanisms, this example focuses on the maximum.",
  "Lots of times we do not do this.",
  "The result is his famous forgetting curve.",
  "While both methods include additional training, the new one is better.",
  "Although such releases provide more freedom, researchers have neglected them.",
  "One such incident was the case of the Scottsboro Boys.",
  "One way is to modify how witnesses are questioned.",
  "One strategy is rehearsal, or the conscious repetition of information.",
  "The problem of the latter models is that they know too little.",
  "Later that year, both of them got back together.",
  "At the time, there were more than 70,000 white vans in the area.",
  "On one side of the debate are those who have recovered memories of childhood.",
  "Section VI analyzes the accuracy of the results of several common queries.",
  "In all the above relaxations, the gain is obtained by a weaker condition.",
  "The hypnogram below shows a person's passage through the stages of sleep.",
  "Differential privacy was originally proposed in [3] as a privacy model.",
  "The proofs are straightforward adaptations of the proofs of Theorems 1 and 2.",
  "Definition 7 (Axiom of transformation invariance).",
  "The final section presents the conclusions along with some research lines.",
  "The first and second authors thank the institute for support and hospitality.",
  "While such a requirement yields the target privacy, it asks for too much.",
  "After 4 years in prison, he was able to get a new trial.",
  "The reason is that changing the value of a record does not modify the median.",
  "Recalling the last time you studied is another example of automatic processing.",
  "The use of several mechanisms does not provide improved accuracy w.r.t.",
  "The knowledge gain for a group of individuals is limited by the factor exp(n).",
  "The value of the query is returned instead of the actual value f (D).",
  "You have read that sleep is distinguished by low levels of activity.",
  "To illustrate the differences, consider a data set whose records are 0 or 1.",
  "Index Terms—Data privacy, Data utility, Differential privacy.",
  "We thank two colleagues for their comments and suggestions on privacy.",
  "E. Nordholt, K. Spicer, and P. de Wolf, Statistical disclosure control.",
  "Jane Doe (Fellow, IEEE) is a professor of computer science in Tarragona.",
  "Journal of Traumatic Stress, 6, 21–31.",
  "(Tulving, 2002, p. 14) There are two common types of amnesia.",
  "1) Privacy via calibration to the global sensitivity of the maximum.",
  "False memories are common among adults (Roediger and DeSoto, in press).",
  "An app asks for the scope patient/*.read before it reads a record.",
  "A program calls print() to show the value of the variable.",
  "The privacy axiom of choice allows randomly choosing between -iDP mechanisms.",
  "“Wow, you look so pretty today.”",
  "Yet, to listen to his later reflections, one could mistake his vision.",
  "The width is max(A) = the upper bound of the domain.",
  "Some other strategies that are used to improve memory include expressive writing.",
  "Another way to remember a list is to sing it aloud.",
  "The key difference between the two is that one of them needs oxygen.",
  "Memory works with words and with pictures, and most people mix the two.",
  "Most students confuse these two, although one is a store and one a process.",
  "The energy of a body at rest is E = mc2, where c is the speed of light.",
  "Even that effort failed in the growing wave of stock sales.",
  "With dozens of different forms, carotenoids are a much larger group of pigments.",
  "Farmers on the plains suffered still more in the years after the crash.",
  "Words that had been encoded by their meaning were remembered best.",
  "The contribution of each individual is limited according to an parameter.",
  "My hope is that you come away with a feeling for the structure.",
  "There is a lot of room for experiment with a specific structure here.",
  "The middle block of results is the usual way of training.",
  "The following code adds a key with its value to the store.",
  "Only then can the results of the store be relied on.",
  "Now, try writing them again with the help of other words.",
  "The map shows how far the army had come by the winter.",
  "Dense methods have thus never been shown to outperform the older ones.",
  "That additional number is called the bias of the neuron.",
  "All of that is just the connections from the first layer to the second.",
  "The basic reason is the poor accuracy of the private results.",
  "In fact, the smooth sensitivity is smaller for most of the data sets.",
  "The question encoder and the reader model are then trained on pairs of questions.",
  "ATP is used to convert the six molecules of the acid into six molecules of sugar.",
])("a sentence that needs the page or the sentence before is left out: %s", (sentence) => {
  expect(isSelfContained(sentence)).toBe(false);
});

test.each([
  "This is known as interference, and there are two types: one that looks back and one that looks ahead.",
  "One way is to ask a witness open questions.",
  "First, the training of the encoder takes a week.",
  "In the first module, a formula is turned into a model.",
  "The function is composed of four largely independent modules.",
  "The older method also suffers from two weaknesses.",
  "An economist carried out several surveys about attitudes toward inflation.",
])("a sentence after which a listener expects more: %s", (sentence) => {
  expect(announcesMore(sentence)).toBe(true);
});

test.each([
  "Two types of cells divide in the wall of the gut.",
  "The heart of a frog has three chambers.",
  "At first, the training of the encoder was slow.",
])("a sentence after which a listener expects nothing more: %s", (sentence) => {
  expect(announcesMore(sentence)).toBe(false);
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

test.each([
  ["MEMORY-ENHANCING STRATEGIES", "Memory-enhancing strategies"],
  ["THE NEW REALITY FOR AMERICANS", "The new reality for Americans"],
  ["THE TCP PROTOCOL", "The TCP protocol"],
  ["THE STRUCTURE OF DNA", "The structure of DNA"],
  ["DNA", "DNA"],
  ["The Great Crash", "The Great Crash"],
])("a heading in capitals is shown as a sentence: %s", (heading, shown) => {
  const text = "Most Americans know the TCP protocol. Reality is more than structure and memory.";
  expect(lowerCapitals(heading, readSpellings([{ kind: "paragraph", text }]))).toBe(shown);
});

test.each([
  "These sugar molecules contain energy that all living things need to survive.",
  "Conversely, the crash itself did not cause the depression that followed.",
  "The second reason is that witnesses talk to each other after a crime.",
])("a sentence that is clear after the one before it: %s", (sentence) => {
  expect([isClearInContext(sentence), isSelfContained(sentence)]).toEqual([true, false]);
});

test.each([
  ["There are two kinds of memory.", "The second is the memory for facts."],
  ["First, the training takes a week.", "Second, the encoder is never trained again."],
  ["One reason is that witnesses forget.", "The second reason is that witnesses talk to each other."],
  ["Encoding puts words into the memory, and retrieval gets them out.", "The two are done in turn."],
  ["A store is larger than a cache.", "The latter is faster."],
  ["For example, people know what they ate for lunch.", "Recalling a lesson is another example of it."],
])("after “%s”, a sentence that continues the count is clear: %s", (before, sentence) => {
  expect(hasResolvedEnumeration(sentence, [before])).toBe(true);
});

test.each([
  ["Our results suggest that training is not needed.", "Second, we verify that precision leads to accuracy."],
  ["Witnesses forget what they have seen.", "The third reason is that they talk to each other."],
  ["Training in a batch improves the results.", "The key difference between the two is where the passages come from."],
  ["The cache is fast.", "The latter is cheaper."],
  ["Automatic processing is done without awareness.", "Recalling a lesson is another example of it."],
])("after “%s”, it is unclear what a sentence counts: %s", (before, sentence) => {
  expect(hasResolvedEnumeration(sentence, [before])).toBe(false);
});
