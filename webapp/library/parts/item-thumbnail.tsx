import { useLazyThumbnail } from "#webapp/uploads/use-lazy-thumbnail.ts";
import type { Item } from "../items.ts";
import { thumbnailKindOf } from "../thumbnail-kind.ts";
import { ItemIcon } from "./item-icon.tsx";

/** The first page of a PDF, a picture, or a frame of a video. Without a thumbnail, the icon of the item's kind. */
export function ItemThumbnail({ item }: { item: Item }) {
  const { ref, url } = useLazyThumbnail(item.id, thumbnailKindOf(item.kind, item.fileId));
  return (
    <span ref={ref} className="content-thumbnail" data-kind={item.kind}>
      {url === undefined ? <ItemIcon item={item} /> : <img src={url} alt="" />}
    </span>
  );
}
