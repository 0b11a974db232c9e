import { videoIdOf } from "#shared/video/addresses.ts";
import type { ThumbnailKind } from "#webapp/uploads/use-lazy-thumbnail.ts";
import { labelOfFile, type LibraryItemKind } from "./library-items.ts";

/** How a file's thumbnail is made. Word and slide files, and videos on other sites, have no thumbnail. */
export function thumbnailKindOf(kind: LibraryItemKind | "folder", fileId: string | undefined): ThumbnailKind {
  if (fileId === undefined) return "none";
  if (kind === "video") return videoIdOf(fileId) === undefined ? "video" : "none";
  return kind === "image" || (kind === "pdf" && labelOfFile(kind, fileId) === "pdf") ? "document" : "none";
}
