import { z } from "zod";
import { json } from "#shared/contract/endpoint.ts";
import { imports } from "./import-contract.ts";
import { KnowledgeSource } from "./knowledge.ts";
import { Favorite, FavoriteItemType, Folder } from "./schema.ts";

const Done = z.object({ success: z.literal(true) });

/** A passage that matches the search. Its citation opens and highlights it; a deck opens its page instead. */
export const SearchHit = z.object({
  /** For `research` the source is a session, and page and component are empty. */
  kind: z.enum(["page", "deck", "file", "video", "research"]),
  sourceId: z.string(),
  title: z.string(),
  pageId: z.string(),
  componentId: z.string(),
  text: z.string(),
  /** Page of a document, counted from 1. */
  page: z.int().min(1).optional(),
  /** Only for a hit in a deck. */
  cardId: z.string().optional(),
  /** Milliseconds from the start of a video. */
  startMs: z.int().min(0).optional(),
  citation: z.string(),
});
export type SearchHit = z.infer<typeof SearchHit>;

export const library = {
  ...imports,
  search: json({
    method: "GET",
    path: "/v1/search",
    access: "user",
    summary:
      "Passages of the caller's content that contain the words, best first; the last word may be a prefix, and kind:, folder:, after:, before: and on: filter the results",
    input: z.object({
      q: z.string().min(1).max(400),
      kind: z.enum(["page", "deck", "file", "video", "research"]).optional(),
      limit: z.coerce.number().int().min(1).max(100).default(30),
    }),
    /** `unread`: sources that are not indexed yet, so that searches do not find their content. */
    output: z.object({ found: z.array(SearchHit), unread: z.int().min(0) }),
    fails: ["bad_input"],
  }),
  listFolders: json({
    method: "GET",
    path: "/v1/user_folders",
    access: "user",
    summary: "The caller's folders, including archived folders",
    input: z.object({}),
    output: z.object({ folders: z.array(Folder) }),
    fails: [],
  }),
  listSources: json({
    method: "GET",
    path: "/v1/knowledge",
    access: "user",
    etag: true,
    summary: "Every file and video that the assistant may use, the newest first, with what was made from it",
    input: z.object({}),
    output: z.object({ sources: z.array(KnowledgeSource) }),
    fails: [],
  }),
  nameFolder: json({
    method: "POST",
    path: "/v1/folder/:folderId/generate_title",
    access: "user",
    rate: "generation",
    summary: "Generate a title from the folder's content and store it; only once for each folder unless forced",
    input: z.object({ folderId: z.string(), force: z.boolean().default(false) }),
    output: z.string(),
    fails: ["bad_input", "not_found"],
  }),
  getFavorites: json({
    method: "GET",
    path: "/v1/auth/get_favorites",
    access: "user",
    summary: "The caller's pins, in the caller's order",
    input: z.object({}),
    output: z.object({ favorites: z.array(Favorite) }),
    fails: [],
  }),
  addFavorite: json({
    method: "POST",
    path: "/v1/favorite/add",
    access: "user",
    summary: "Pin a page or a component; pinning it again changes nothing",
    input: z.object({ itemId: z.string().min(1).max(64), itemType: FavoriteItemType }),
    output: z.object({ favorite: Favorite }),
    fails: ["bad_input", "not_found"],
  }),
  removeFavorite: json({
    method: "POST",
    path: "/v1/favorite/remove",
    access: "user",
    summary: "Remove a pin; removing it again changes nothing",
    input: z.object({ itemId: z.string().min(1).max(64) }),
    output: Done,
    fails: ["bad_input"],
  }),
  sortFavorites: json({
    method: "POST",
    path: "/v1/favorite/sort",
    access: "user",
    summary: "Set the order of the pins; pins that are not named come last",
    input: z.object({ itemIds: z.array(z.string().min(1).max(64)).max(2000) }),
    output: Done,
    fails: ["bad_input"],
  }),
};
