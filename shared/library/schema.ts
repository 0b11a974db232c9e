import { z } from "zod";

export const FolderColor = z.enum(["BLACK", "RED", "GREEN", "BLUE", "PURPLE", "PINK"]);
export type FolderColor = z.infer<typeof FolderColor>;

export const FolderItemType = z.enum([
  "page",
  "component_pdf",
  "component_image",
  "component_video",
  "podcast",
  "research_session",
  "folder",
]);
export type FolderItemType = z.infer<typeof FolderItemType>;

export const FolderItem = z.object({
  item_id: z.string().min(1).max(64),
  item_type: FolderItemType,
  created_at: z.number(),
});
export type FolderItem = z.infer<typeof FolderItem>;

export const Folder = z.object({
  _id: z.string(),
  title: z.string(),
  user_id: z.string(),
  color: FolderColor,
  created_at: z.number(),
  updated_at: z.number(),
  items: z.array(FolderItem),
  is_archived: z.boolean(),
  archived_at: z.number().nullable(),
  is_expanded: z.boolean(),
});
export type Folder = z.infer<typeof Folder>;

export const FavoriteItemType = z.enum(["component", "page"]);
export type FavoriteItemType = z.infer<typeof FavoriteItemType>;

/**
 * A pin. `data` contains a component's kind with its name (image) or title and page (flashcards, video), or a page's
 * title and emoji. A podcast is pinned as a component of the kind `podcast`.
 */
export const Favorite = z.object({
  _id: z.string(),
  userId: z.string(),
  itemId: z.string(),
  itemType: FavoriteItemType,
  createdAt: z.number(),
  sortIndex: z.number(),
  data: z.object({
    componentType: z.string().optional(),
    name: z.string().optional(),
    title: z.string().optional(),
    pageId: z.string().optional(),
    emoji: z.string().nullable().optional(),
  }),
});
export type Favorite = z.infer<typeof Favorite>;
