import { z } from "zod";
import { json, stream } from "#shared/contract/endpoint.ts";
import { CoverageEntry } from "#shared/cards/schema.ts";
import { DeckSource } from "./schema.ts";

/** The fields of a card that these calls read; others are ignored. */
const CardText = z.object({
  question: z.string().max(20_000),
  answer: z.string().max(20_000),
  citation: z.string().max(8000).nullable().default(null),
});
const DeckPath = z.object({ pageId: z.string().max(64), flashcardsId: z.string().max(64) });
const MAX_CARDS = 5000;

export const assist = {
  streamHighlights: stream({
    method: "POST",
    path: "/v1/flashcards/:pageId/:flashcardsId/highlights",
    access: "user",
    rate: "generation",
    plain: true,
    queryFields: ["language", "custom_instructions"],
    bodyBytes: 16 * 1024 * 1024,
    summary: "The highlights of a deck as plain text while they are written; they are kept with the deck",
    input: DeckPath.extend({
      language: z.string().max(60).optional(),
      custom_instructions: z.string().max(4000).optional(),
      cards: z.array(CardText).min(1).max(MAX_CARDS),
    }),
    event: z.string(),
    fails: ["bad_input", "not_found", "model_unavailable"],
  }),
  getHighlightsStatus: json({
    method: "GET",
    path: "/v1/flashcards/:pageId/:flashcardsId/highlights/status",
    access: "user",
    summary: "Whether a deck has highlights, and what they say",
    input: DeckPath,
    output: z.object({ exists: z.boolean(), highlights: z.string().nullable() }),
    fails: ["not_found"],
  }),
  nameDeck: json({
    method: "POST",
    path: "/v1/flashcard/generate_title",
    access: "user",
    rate: "generation",
    bodyBytes: 16 * 1024 * 1024,
    summary: "Propose a title from what the cards hold",
    input: z.object({ cards: z.array(CardText).min(1).max(MAX_CARDS) }),
    output: z.object({ title: z.string() }),
    fails: ["bad_input"],
  }),
  hintAt: json({
    method: "POST",
    path: "/v1/flashcard/hint",
    access: "user",
    rate: "generation",
    summary: "A hint at a card's answer that does not give it away",
    input: z.object({ card: CardText }),
    output: z.object({ hint: z.string() }),
    fails: ["bad_input"],
  }),
  draftCard: json({
    method: "POST",
    path: "/v1/flashcard/draft",
    access: "user",
    rate: "generation",
    summary: "A card from a few selected sentences; without a fact to ask about, the text is the answer",
    input: z.object({ text: z.string().trim().min(1).max(4000) }),
    output: z.object({ question: z.string(), answer: z.string() }),
    fails: ["bad_input"],
  }),
  getCoverage: json({
    method: "GET",
    path: "/v1/flashcards/:pageId/:flashcardsId/coverage",
    access: "user",
    summary: "Which sections and key terms of its sources a deck asks about, and why others were skipped",
    input: DeckPath,
    output: z.object({
      generations: z.array(
        z.object({ createdAt: z.number(), sources: z.array(DeckSource), entries: z.array(CoverageEntry) }),
      ),
    }),
    fails: ["not_found"],
  }),
};
