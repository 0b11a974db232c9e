import { ulid } from "ulid";
import type { V1Client } from "#tests/kit/api.ts";
import { tinyPdf } from "#tests/kit/pdf/tiny-pdf.ts";
import { runResearch } from "#tests/kit/research.ts";
import { ask, aQuestion } from "#tests/kit/tutor.ts";
import { aCard, aChange, anAnnotation, aDeck, aPage, aText, send, textContent } from "../changes.ts";

const DOCUMENT = [["A codon names one amino acid."], ["The ribosome reads messenger RNA one codon at a time."]];

async function fillPage(client: V1Client) {
  const user = { client };
  const pageId = await aPage(user, "Genes and proteins");
  const text = await aText(user, pageId, "A codon names an amino acid.");
  const newContent = textContent("A codon is three nucleotides.");
  const change = aChange("component_content_update", text, { newContent }, { baseVersion: 1 });
  await send(user, change);
  const deck = await aDeck(user, pageId, [aCard("codon"), aCard("site"), aCard("gene")]);
  const given = { durationMs: 900, mode: "study" } as const;
  for (const [at, cardId] of ["codon", "site", "codon"].entries()) {
    const reviewedAt = Date.now() - (3 - at) * 60_000;
    const review = { _id: ulid(), componentId: deck, cardId, grade: 3 as const, reviewedAt, ...given };
    await send(user, aChange("review_add", deck, review));
  }
  await send(user, aChange("card_standing", deck, { cards: [{ cardId: "site", isSuspended: true }] }));
  await client.study.saveDeckSettings({ componentId: deck, desiredRetention: 0.93 });
  return { pageId, deck, change };
}

async function fillLibrary(client: V1Client, pageId: string): Promise<void> {
  const user = { client };
  const folder = ulid();
  await send(user, aChange("folder_create", folder, { title: "Biology", color: "GREEN", createdAt: 1 }));
  const items = [{ item_id: pageId, item_type: "page" as const, created_at: 1 }];
  await send(user, aChange("folder_update", folder, { items }));
  await client.library.addFavorite({ itemId: pageId, itemType: "page" });
  await client.user.savePreferences({ conversation: { max_words: 99 } });
}

/** An annotated document with a summary, and a video with a transcript. */
async function fillSources(client: V1Client, pageId: string) {
  const files = [{ field: "file", file: tinyPdf(DOCUMENT), name: "genes.pdf" }];
  const { component } = await client.uploads.uploadImageComponent({ pageId }, files);
  const annotation = anAnnotation(ulid(), component._id, { note: "why?", color: "blue" });
  await send({ client }, aChange("annotation_put", annotation._id, { annotation }));
  await client.pdf.getPassages({ id: component._id });
  for await (const event of client.pdf.sumUp({ id: component._id }))
    if (event.type === "error") throw new Error("The document has no summary");
  const url = "https://www.youtube.com/watch?v=5MgBikgcWnY";
  const video = (await client.video.createVideoComponent({ url, pageId })).component._id;
  const segments = [{ startMs: 0, endMs: 4000, text: "A codon names one amino acid." }];
  await client.video.putTranscript({ id: video, language: "en", segments });
  return { document: component._id, video };
}

/** Uses everything that an account stores documents for. */
export async function fillAccount(client: V1Client) {
  const { pageId, deck, change } = await fillPage(client);
  await fillLibrary(client, pageId);
  const sources = await fillSources(client, pageId);
  await ask(client, aQuestion({ text: "What does a codon name?" }));
  await runResearch(client);
  return { deck, change, ...sources };
}

/** An administrator reads an answer that another account shared, and writes a post. */
export async function fillInstallation(admin: V1Client, student: V1Client): Promise<void> {
  const rating = { kind: "answer", id: "01SHARED", value: "down", model: "built-in" } as const;
  await student.feedback.rate({ ...rating, reason: "wrong", text: "the answer I shared" });
  await admin.admin.listRatings({});
  const summary = { title: "Sleep before exams", description: "Why an hour costs two.", topicName: "Memory" };
  const post = { slug: "sleep-before-exams", topic: "memory", date: "2026-09-01", isPublished: true } as const;
  await admin.admin.createPost({ ...post, summaries: { en: summary }, bodies: { en: "Sleep first." } });
}
