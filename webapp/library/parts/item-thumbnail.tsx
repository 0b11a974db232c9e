import { videoIdOf } from "#shared/video/addresses.ts";
import { useLazyThumbnail } from "#webapp/uploads/use-lazy-thumbnail.ts";
import type { Item } from "../items.ts";
import { labelOfFile } from "../library-items.ts";
import { ItemIcon } from "./item-icon.tsx";

/** Word and slide files, and videos on other sites, have no thumbnail. */
function thumbnailKindOf({ kind, fileId }: Item): "document" | "video" | "none" {
  if (fileId === undefined) return "none";
  if (kind === "video") return videoIdOf(fileId) === undefined ? "video" : "none";
  return kind === "image" || (kind === "pdf" && labelOfFile(kind, fileId) === "pdf") ? "document" : "none";
}

/** The first page of a PDF, a picture, or a frame of a video; the icon of its kind while there is none. */
export function ItemThumbnail({ item }: { item: Item }) {
  const { ref, url } = useLazyThumbnail(item.id, thumbnailKindOf(item));
  return (
    <span ref={ref} className="content-thumbnail" data-kind={item.kind}>
      {url === undefined ? <ItemIcon item={item} /> : <img src={url} alt="" />}
    </span>
  );
}
