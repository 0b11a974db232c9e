import { expect, test } from "vitest";
import { parseCitation } from "#shared/citations.ts";
import { sentencesOf } from "#shared/research/canvas.ts";
import { startApi } from "#tests/kit/api.ts";
import { findUnsupported, runResearch } from "#tests/kit/research.ts";
import { aDocument } from "#tests/podcasts/made-podcast.ts";
import { aPage, aText } from "#tests/store/changes.ts";

const RIBOSOME = [
  "The ribosome reads messenger RNA one codon at a time.",
  "Ribosomes make proteins by joining amino acids into a chain.",
  "A ribosome consists of two subunits, a small one and a large one.",
  "The ribosome of a bacterium contains 55 proteins.",
  "However, the ribosome cannot make a protein without transfer RNA.",
];

const api = await startApi({ forFile: true });

test("without a model, the canvas quotes the library of the student word for word", async () => {
  const ada = await api.newUser();
  const pageId = await aPage(ada, "Protein synthesis");
  for (const text of RIBOSOME) await aText(ada, pageId, text);
  await aText(ada, pageId, "Chlorophyll absorbs light in the leaves of plants.");
  const { events, session } = await runResearch(ada.client, { userMessage: "How does the ribosome make proteins?" });
  expect(session.run).toMatchObject({ status: "done", leftOut: 0 });
  expect(session.run.verified).toBeGreaterThanOrEqual(4);
  expect(session.canvas).toContain("Ribosomes make proteins by joining amino acids into a chain. [^");
  expect(session.canvas).not.toContain("Chlorophyll");
  expect(await findUnsupported(ada.client, session)).toEqual([]);
  expect(parseCitation(session.citations[0]?.citation ?? "")).toMatchObject({ type: "page_citation", pageId });
  const types = new Set(events.map(({ type }) => type));
  expect([...types].toSorted()).toEqual([
    "assistant_message_chunk",
    "assistant_message_final",
    "canvas_update",
    "conversation_id",
    "current_task_id",
    "file_update",
    "history",
    "title_update",
    "tool_instance",
  ]);
});

test("a session has every field of the specification, and the list shows its title and snippet", async () => {
  const ada = await api.newUser();
  await aText(ada, await aPage(ada), RIBOSOME.join(" "));
  const { session } = await runResearch(ada.client, { userMessage: "What does the ribosome read?" });
  expect(session).toMatchObject({
    conversation_title: "What does the ribosome read?",
    user_id: ada.userId,
    read_only: false,
    timeline: [{ short_description: "What does the ribosome read?", message: "What does the ribosome read?" }],
  });
  expect(session.history.map(({ creator }) => creator)).toEqual(
    expect.arrayContaining(["user", "orchestrator", "developer"]),
  );
  expect(session.files.map(({ name }) => name)).toEqual(expect.arrayContaining(["plan.md", "ledger.json"]));
  expect(session.tool_instances.map(({ name }) => name)).toEqual(
    expect.arrayContaining(["read_library", "compare", "verify"]),
  );
  expect(session.sources).toMatchObject([{ n: 1, title: "Cells", status: "read", via: "library" }]);
  const { conversations } = await ada.client.research.listConversations({});
  expect(conversations).toMatchObject([{ _id: session._id, conversation_title: session.conversation_title }]);
  expect(conversations[0]?.snippet).toMatch(/^The ribosome reads messenger RNA/);
  expect(conversations[0]?.snippet.length).toBeLessThanOrEqual(200);
});

test("a question that no source answers is reported as not found, and does not count towards the quota", async () => {
  const ada = await api.newUser();
  await aText(ada, await aPage(ada), RIBOSOME.join(" "));
  const { session, events } = await runResearch(ada.client, {
    userMessage: "When was the post-war treaty of Westphalia on mRNA and RIBOSOMES signed?",
  });
  expect(session.run).toMatchObject({ status: "done", verified: 0 });
  expect(session.sections.every(({ status }) => status === "not_found")).toBe(true);
  expect(session.canvas).toContain("Not found in these sources: “post-war”, “treaty”, “Westphalia”, “mRNA”, “signed”.");
  expect(events.at(-1)).toMatchObject({ type: "assistant_message_final", verified: 0 });
  expect(await ada.client.user.getUsage({})).toMatchObject({ researchMessages: 0 });
});

test("contradictory sources are quoted side by side", async () => {
  const ada = await api.newUser();
  await aText(ada, await aPage(ada, "Old notes"), "The human genome contains about 100,000 genes in its chromosomes.");
  await aText(ada, await aPage(ada, "New notes"), "The human genome contains about 20,000 genes in its chromosomes.");
  const { session } = await runResearch(ada.client, { userMessage: "How many genes does the human genome contain?" });
  const pairs = session.sections.flatMap(({ disagreements }) => disagreements);
  expect(pairs).toHaveLength(1);
  expect(pairs[0]?.kind).toBe("figures");
  expect(pairs[0]?.sides.map(({ text }) => text).toSorted()).toEqual([
    "The human genome contains about 100,000 genes in its chromosomes.",
    "The human genome contains about 20,000 genes in its chromosomes.",
  ]);
  expect(await findUnsupported(ada.client, session)).toEqual([]);
});

test("contradictory sources are quoted side by side where the question has several parts", async () => {
  const ada = await api.newUser();
  await aText(ada, await aPage(ada, "Old notes"), "The genetic code consists of 61 codons.");
  await aText(
    ada,
    await aPage(ada, "New notes"),
    "The genetic code consists of 64 codons. In mitochondria, UGA is read as tryptophan because their transfer RNA differs.",
  );
  const { session } = await runResearch(ada.client, {
    userMessage: "If the genetic code is universal, why do mitochondria read UGA differently?",
  });
  const [pair] = session.sections.flatMap(({ disagreements }) => disagreements);
  expect(pair?.sides.map(({ text }) => text).toSorted()).toEqual([
    "The genetic code consists of 61 codons.",
    "The genetic code consists of 64 codons.",
  ]);
});

test("the answers to choose from in an exercise are not quoted", async () => {
  const ada = await api.newUser();
  const pageId = await aPage(ada, "Exercises");
  await aText(ada, pageId, "Ribosomes make proteins by joining amino acids into a chain.");
  await aText(ada, pageId, "Which of the following statements about ribosomes is true?");
  for (const choice of ["1. Ribosomes make proteins from fat.", "2. Ribosomes make proteins out of sugar and light."])
    await aText(ada, pageId, choice);
  const { session } = await runResearch(ada.client, { userMessage: "How do ribosomes make proteins?" });
  expect(session.canvas).toContain("Ribosomes make proteins by joining amino acids into a chain.");
  expect(session.canvas).not.toMatch(/fat|sugar/);
});

test("sentences of several passages under one heading are in the order of the source", async () => {
  const ada = await api.newUser();
  const steps = [
    "Ribosomes begin to make proteins at a start codon.",
    "Ribosomes make proteins by joining amino acids into a chain, because each codon names one of them.",
  ];
  await aDocument(ada, steps.join("\n\n"), "Ribosomes.pdf");
  const { session } = await runResearch(ada.client, { userMessage: "How do ribosomes make proteins?" });
  const shown = sentencesOf(session.sections).map(({ text }) => text);
  expect(shown.filter((text) => steps.includes(text))).toEqual(steps);
});

test("sentences of several paragraphs of a page are in the order of the page", async () => {
  const ada = await api.newUser();
  const pageId = await aPage(ada, "Notes");
  const steps = [
    "Ribosomes begin to make proteins at a start codon.",
    "Ribosomes make proteins by joining amino acids into a chain, because each codon names one of them.",
    "Ribosomes stop to make proteins at a stop codon, where the chain is released.",
  ];
  for (const step of steps) await aText(ada, pageId, step);
  const { session } = await runResearch(ada.client, { userMessage: "How do ribosomes make proteins?" });
  const shown = sentencesOf(session.sections).map(({ text }) => text);
  expect(shown.filter((text) => steps.includes(text))).toEqual(steps);
});

test("copies of one text count as one source", async () => {
  const ada = await api.newUser();
  const text = RIBOSOME.join(" ");
  for (const title of ["Chapter", "Repost", "Mirror"]) await aText(ada, await aPage(ada, title), text);
  const { session } = await runResearch(ada.client, { userMessage: "How does the ribosome make proteins?" });
  expect(session.sources.map(({ status }) => status).toSorted()).toEqual(["copy", "copy", "read"]);
  const original = session.sources.find(({ status }) => status === "read");
  expect(session.citations.every(({ source }) => source === original?.n)).toBe(true);
});

test("a longer text that contains an earlier source is a source of its own", async () => {
  const ada = await api.newUser();
  const pasted = RIBOSOME.slice(0, 3).join(" ");
  await aText(ada, await aPage(ada, "My notes"), pasted);
  const { session: first } = await runResearch(ada.client, { userMessage: "How does the ribosome make proteins?" });
  const textbook = await aPage(ada, "Textbook");
  const chapter = "Ribosomes of bacteria are stopped by streptomycin, because it binds their small subunit.";
  for (const text of [pasted, chapter, ...RIBOSOME.slice(3)]) await aText(ada, textbook, text);
  const { session } = await runResearch(ada.client, {
    userMessage: "Why does streptomycin stop the ribosomes of bacteria, and what do ribosomes make?",
    conversationId: first._id,
  });
  expect(session.sources.map(({ title, status }) => [title, status])).toEqual([
    ["My notes", "read"],
    ["Textbook", "read"],
  ]);
  expect(session.canvas).toContain(chapter);
});

test("a second question adds sections to the session, and sources keep their numbers", async () => {
  const ada = await api.newUser();
  await aText(ada, await aPage(ada), RIBOSOME.join(" "));
  const { session: first } = await runResearch(ada.client, { userMessage: "What does the ribosome read?" });
  const { session } = await runResearch(ada.client, {
    userMessage: "How many proteins does the ribosome of a bacterium contain?",
    conversationId: first._id,
  });
  expect(session._id).toBe(first._id);
  expect(session.sections.slice(0, first.sections.length)).toEqual(first.sections);
  expect(session.sections.length).toBeGreaterThan(first.sections.length);
  expect(session.sources[0]).toMatchObject({ n: 1, sha256: first.sources[0]?.sha256 ?? "" });
  expect(session.timeline).toHaveLength(2);
  expect(session.canvas).toContain("55 proteins");
});

test("a German question gets German headings and quotes", async () => {
  const ada = await api.newUser();
  const page = await aPage(ada, "Zellen");
  await aText(
    ada,
    page,
    "Das Ribosom liest die Boten-RNA Codon für Codon ab. Ribosomen bestehen aus zwei Untereinheiten.",
  );
  const { session } = await runResearch(ada.client, { userMessage: "Was liest das Ribosom ab?" });
  expect(session.sections.map(({ heading }) => heading)).toContain("Was es ist");
  expect(session.canvas).toContain("Das Ribosom liest die Boten-RNA Codon für Codon ab.");
  expect(await findUnsupported(ada.client, session)).toEqual([]);
});

test("further statements of the sources are quoted without the sentences around them", async () => {
  const ada = await api.newUser();
  const pageId = await aPage(ada, "Protein synthesis");
  await aText(ada, pageId, "Ribosomes make proteins by joining amino acids into a chain.");
  const aside = "A ribosome consists of two subunits, a small one and a large one.";
  await aText(ada, pageId, `${aside} Visitors of the museum like the model of coloured glass.`);
  const { session } = await runResearch(ada.client, {
    userMessage: "How do ribosomes make proteins?",
    depthState: "standard",
  });
  expect(session.canvas).toContain(aside);
  expect(session.canvas).not.toContain("Visitors of the museum");
});
