import { z } from "zod";
import { json } from "#shared/contract/endpoint.ts";
import { Favorite, FavoriteItemType, Folder } from "./schema.ts";

const Done = z.object({ success: z.literal(true) });

export const library = {
  listFolders: json({
    method: "GET",
    path: "/v1/user_folders",
    access: "user",
    summary: "The caller's folders, archived ones included",
    input: z.object({}),
    output: z.object({ folders: z.array(Folder) }),
    fails: [],
  }),
  nameFolder: json({
    method: "POST",
    path: "/v1/folder/:folderId/generate_title",
    access: "user",
    rate: "generation",
    summary: "Propose a title from what the folder holds and keep it; once for a folder unless forced",
    input: z.object({ folderId: z.string(), force: z.boolean().default(false) }),
    output: z.string(),
    fails: ["bad_input", "not_found"],
  }),
  getFavorites: json({
    method: "GET",
    path: "/v1/auth/get_favorites",
    access: "user",
    summary: "What the caller has pinned, in the caller's order",
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
    summary: "Take a pin away; one that is not there is not missed",
    input: z.object({ itemId: z.string().min(1).max(64) }),
    output: Done,
    fails: ["bad_input"],
  }),
  sortFavorites: json({
    method: "POST",
    path: "/v1/favorite/sort",
    access: "user",
    summary: "Set the order of the pins; those that are not named come after",
    input: z.object({ itemIds: z.array(z.string().min(1).max(64)).max(2000) }),
    output: Done,
    fails: ["bad_input"],
  }),
};
