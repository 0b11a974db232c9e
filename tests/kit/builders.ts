import { ulid } from "ulid";
import type { Flashcard } from "#shared/flashcards/schema.ts";
import type { SyncType } from "#shared/sync/schema.ts";
import type { TestUser } from "./api.ts";

let seq = 0;

/** Sends one change through the public door, and fails where the API refused it. */
export async function change(user: TestUser, type: SyncType, resourceId: string, data: object, baseVersion?: number) {
  seq += 1;
  const envelope = { id: ulid(), clientId: "builder", seq, createdAt: Date.now() };
  const based = baseVersion === undefined ? {} : { baseVersion };
  const answer = await user.client.sync.sendChanges({ payload: [{ ...envelope, type, resourceId, data, ...based }] });
  const refused = answer.failed[0];
  if (refused) throw new Error(`${type}: ${refused.code} ${refused.message}`);
  return answer;
}

export async function aPage(user: TestUser, { title = "Genes" }: { title?: string } = {}): Promise<string> {
  const pageId = ulid();
  await change(user, "page_create", pageId, { title, createdAt: Date.now() });
  return pageId;
}

async function aComponent(user: TestUser, pageId: string, type: string, content: object): Promise<string> {
  const _id = ulid();
  const times = { createdAt: Date.now(), modifiedAt: Date.now(), lastOpenedAt: null };
  const component = { _id, pageId, type, content, createdBy: user.userId, version: 1, ...times };
  await change(user, "component_create", _id, { component, parentId: pageId, parentType: "page" });
  return _id;
}

export function aText(user: TestUser, pageId: string, text: string): Promise<string> {
  const metadata = { indents: 0, highlightColor: null };
  return aComponent(user, pageId, "text", { text: [{ content: text }], subType: "normal", metadata });
}

export const aCard = (question: string, answer: string): Flashcard => ({
  id: ulid(),
  question,
  answer,
  questionImage: null,
  citation: null,
});

export function aDeck(
  user: TestUser,
  pageId: string,
  cards: readonly Flashcard[] = [aCard("What does a codon name?", "One amino acid, or a stop")],
): Promise<string> {
  return aComponent(user, pageId, "flash_cards", { title: "Key terms", cards, minimized: false });
}

/** A file of a student's, uploaded through the public door. */
export async function aFileOf(user: TestUser, pageId: string): Promise<{ componentId: string; fileId: string }> {
  // The smallest PNG: one transparent pixel.
  const pixel = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
  const file = new Blob([Buffer.from(pixel, "base64")], { type: "image/png" });
  const { component } = await user.client.pages.uploadImageComponent({ pageId }, [
    { field: "file", file, name: "cell.png" },
  ]);
  if (component.type !== "image") throw new Error(`a PNG became a ${component.type}`);
  return { componentId: component._id, fileId: component.content.file.id };
}
