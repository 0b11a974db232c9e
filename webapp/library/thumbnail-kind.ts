import { videoIdOf } from "#shared/video/addresses.ts";
import type { ThumbnailKind } from "#webapp/uploads/use-lazy-thumbnail.ts";
import { labelOfFile, type LibraryItemKind } from "./library-items.ts";

/** What a file's thumbnail is made of; Word and slide files, and videos on other sites, have none. */
export function thumbnailKindOf(kind: LibraryItemKind | "folder", fileId: string | undefined): ThumbnailKind {
  if (fileId === undefined) return "none";
  if (kind === "video") return videoIdOf(fileId) === undefined ? "video" : "none";
  return kind === "image" || (kind === "pdf" && labelOfFile(kind, fileId) === "pdf") ? "document" : "none";
}
