import { buildPage } from "#shared/pages/present.ts";
import { ada, type Answers } from "#tests/kit/browser/web.tsx";

const page = buildPage(
  {
    id: "r",
    clientId: "c",
    seq: 1,
    resourceId: "genes",
    type: "page_create",
    createdAt: 1,
    data: { title: "Genes", emoji: null, parent: null, order: 0, isFlashcardPage: false, createdAt: 1 },
  },
  ada._id,
);

/** The server's answer for a deck with four due and three new cards. */
export const aDueDeck = (componentId: string, title: string, examAt: number | null = null) => ({
  componentId,
  pageId: "genes",
  title,
  due: 4,
  learning: 0,
  learningAt: null,
  fresh: 3,
  introduced: 0,
  total: 20,
  examAt,
  minutesPerDay: examAt === null ? null : 20,
  examId: null,
});

/** A server with these decks, all on one page. */
export const withDueDecks = (...decks: ReturnType<typeof aDueDeck>[]): Answers => ({
  pages: { getContent: () => ({ content: { pages: [page], components: [], podcasts: [] } }) },
  study: { getDue: () => ({ decks }) },
});
