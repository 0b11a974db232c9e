import type { Page } from "#shared/pages/schema.ts";
import { ada } from "./browser/web.tsx";

/** One of Ada's pages as the server lists it. */
export const listedPage = (id: string, title: string, changes: Partial<Page> = {}): Page => ({
  _id: id,
  ownedBy: ada._id,
  title,
  emoji: null,
  createdAt: 1,
  lastUpdated: 1,
  archived: false,
  archivedAt: null,
  lastOpened: null,
  order: 0,
  parent: null,
  components: [],
  children: [],
  relationshipCategories: [],
  aiDescription: null,
  isFlashcardPage: false,
  flashcardTitle: null,
  flashcardLastOpenedAt: null,
  ...changes,
});
