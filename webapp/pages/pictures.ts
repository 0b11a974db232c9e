import { FileContent } from "#shared/pages/schema.ts";
import type { PagePicture } from "./page-port.tsx";

export const isPicture = ({ file }: FileContent) => /\.(jpe?g|png|gif|bmp|webp|tiff?)$/i.test(file.id);

/** The data that a card about the picture needs. */
export const toPagePicture = ({ file, title, takenFrom }: FileContent): PagePicture => ({
  fileId: file.id,
  name: title || file.name,
  citation: takenFrom?.citation ?? null,
});

/** The pictures among the contents of a page's blocks. */
export function listPictures(contents: readonly unknown[]): PagePicture[] {
  return contents.flatMap((content) => {
    const parsed = FileContent.safeParse(content);
    return parsed.success && isPicture(parsed.data) ? [toPagePicture(parsed.data)] : [];
  });
}
