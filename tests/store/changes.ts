import { ulid } from "ulid";
import type { Flashcard } from "#shared/flashcards/schema.ts";
import type { Annotation } from "#shared/pdf/annotations.ts";
import type { SyncInput } from "#shared/sync/queue.ts";
import type { SyncType } from "#shared/sync/schema.ts";
import type { TestUser } from "#tests/kit/api.ts";

let seq = 0;

/** A queued change as a client sends it. */
export function aChange<T extends SyncType>(
  type: T,
  resourceId: string,
  data: SyncInput<T>,
  more: { id?: string; clientId?: string; seq?: number; baseVersion?: number } = {},
) {
  seq += 1;
  return { id: ulid(), clientId: "laptop", seq, type, resourceId, data, createdAt: 1, ...more };
}

export const textContent = (text: string) => ({
  text: [{ content: text }],
  subType: "normal" as const,
  metadata: { indents: 0, highlightColor: null },
});

export const aCard = (id: string, question = `${id}?`): Flashcard => ({
  id,
  question,
  answer: `the answer to ${id}`,
  questionImage: null,
  citation: null,
});

export const deckContent = (cards: Flashcard[], title = "Genes") => ({ title, cards, minimized: false });

const base = (_id: string, pageId: string) => ({
  _id,
  pageId,
  createdAt: 1,
  modifiedAt: 1,
  createdBy: "",
  lastOpenedAt: null,
  version: 1,
});

export const textComponent = (id: string, pageId: string, text = "") => ({
  component: { ...base(id, pageId), type: "text" as const, content: textContent(text) },
  parentId: pageId,
});

export const deckComponent = (id: string, pageId: string, cards: Flashcard[] = []) => ({
  component: { ...base(id, pageId), type: "flash_cards" as const, content: deckContent(cards) },
  parentId: pageId,
});

/** Creates a page as clients do; returns its id. */
export async function aPage({ client }: Pick<TestUser, "client">, title = "Cells"): Promise<string> {
  const pageId = ulid();
  await client.sync.sendChanges({ payload: [aChange("page_create", pageId, { title, createdAt: 1 })] });
  return pageId;
}

/** Adds a text to a page; returns its id. */
export async function aText({ client }: Pick<TestUser, "client">, pageId: string, text: string): Promise<string> {
  const id = ulid();
  await client.sync.sendChanges({ payload: [aChange("component_create", id, textComponent(id, pageId, text))] });
  return id;
}

/** Adds a deck to a page; returns its id. */
export async function aDeck({ client }: Pick<TestUser, "client">, pageId: string, cards: Flashcard[]): Promise<string> {
  const id = ulid();
  await client.sync.sendChanges({ payload: [aChange("component_create", id, deckComponent(id, pageId, cards))] });
  return id;
}

/** Sends changes through the API, and fails if one is refused. */
export async function send({ client }: Pick<TestUser, "client">, ...changes: ReturnType<typeof aChange>[]) {
  const answer = await client.sync.sendChanges({ payload: changes });
  const refused = answer.failed[0];
  if (refused) throw new Error(`${refused.code} ${refused.message}`);
  return answer;
}

/** An annotation on a document. */
export const anAnnotation = (id: string, componentId: string, more: Partial<Annotation> = {}): Annotation => ({
  _id: id,
  componentId,
  color: "yellow",
  quote: "a gene",
  prefix: "",
  suffix: "",
  page: 1,
  places: [{ page: 1, rects: [[72, 90, 60, 12]] }],
  note: "",
  createdAt: 1,
  modifiedAt: 1,
  ...more,
});
