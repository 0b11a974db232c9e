import { useAtomValue } from "jotai/react";
import { useMemo } from "react";
import { contentAtom } from "#webapp/library/content.ts";
import { kindOfComponent } from "#webapp/library/library-items.ts";
import { thumbnailKindOf } from "#webapp/library/thumbnail-kind.ts";
import type { Page } from "#shared/pages/schema.ts";
import { LibraryItemIcon } from "#webapp/ui/sidebar/library-item-icon.tsx";
import { useLazyThumbnail, type ThumbnailKind } from "#webapp/uploads/use-lazy-thumbnail.ts";

/** The page's first file that has a thumbnail: a document or video if there is one, otherwise a picture. */
function useFileOfPage(pageId: string) {
  const content = useAtomValue(contentAtom);
  return useMemo(() => {
    if (content.state !== "ready") return undefined;
    const files = content.components.flatMap((part) => {
      if (part.pageId !== pageId || part.isArchived) return [];
      const kind = kindOfComponent(part);
      const thumbnail: ThumbnailKind = kind === undefined ? "none" : thumbnailKindOf(kind, part.fileId);
      return thumbnail === "none" ? [] : [{ id: part._id, kind, thumbnail }];
    });
    return files.find(({ kind }) => kind !== "image") ?? files[0];
  }, [content, pageId]);
}

/** The first page of a page's document, a frame of its video, or its picture; the page's icon if there is none. */
export function PageThumbnail({ page }: { page: Page }) {
  const file = useFileOfPage(page._id);
  const { ref, url } = useLazyThumbnail(file?.id ?? "", file?.thumbnail ?? "none");
  return (
    <span ref={ref} className="home-thumbnail" data-empty={url === undefined} data-expected={file !== undefined}>
      {url === undefined ? <LibraryItemIcon kind="page" emoji={page.emoji} /> : <img src={url} alt="" />}
    </span>
  );
}
