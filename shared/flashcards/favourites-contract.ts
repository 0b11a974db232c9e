import { z } from "zod";
import { json } from "#shared/contract/endpoint.ts";

export const CardFavourite = z.object({
  _id: z.string(),
  userId: z.string(),
  cardId: z.string(),
  componentId: z.string(),
  createdAt: z.number(),
});
export type CardFavourite = z.infer<typeof CardFavourite>;

export const cardFavourites = {
  listCardFavourites: json({
    method: "GET",
    path: "/v1/favorite/flashcard",
    access: "user",
    forExtension: true,
    summary: "The caller's favourite cards",
    input: z.object({ componentId: z.string().optional() }),
    output: z.object({ favorites: z.array(CardFavourite) }),
    fails: [],
  }),
  changeCardFavourites: json({
    method: "POST",
    path: "/v1/favorite/flashcard/:pageId/:componentId/batch",
    access: "user",
    summary: "Add cards of a deck to the favourites, or remove them",
    input: z.object({
      pageId: z.string(),
      componentId: z.string(),
      requests: z.array(z.object({ cardId: z.string().min(1).max(64), action: z.enum(["add", "remove"]) })).max(2000),
    }),
    output: z.object({ favorites: z.array(CardFavourite) }),
    fails: ["not_found"],
  }),
};
