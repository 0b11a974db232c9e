import { useEffect, useMemo, useState } from "react";
import type { Annotation } from "#shared/pdf/annotations.ts";
import { logWarning } from "#webapp/app/log.ts";
import { findNearPage } from "../selection/quote-highlight.ts";
import { toWholeWords } from "../selection/whole-words.ts";
import type { PagedDocument } from "../state.ts";
import type { PdfFile } from "../viewer/pdf-file.ts";

/** A line of text is not as high as this, except in a large heading. */
const MAX_LINE_POINTS = 24;

/** Whether the position of the annotation is the rectangle of a whole passage instead of single lines. */
const isBlock = ({ places }: Annotation) =>
  places.every(({ rects }) => rects.length === 1 && rects.every(([, , , height]) => height > MAX_LINE_POINTS));

type PlacesById = ReadonlyMap<string, Annotation["places"]>;

/** Finds the rectangles of the single lines of block highlights. A scan has no lines to find. */
export async function findLinesOfBlocks(file: PdfFile, annotations: readonly Annotation[]): Promise<PlacesById> {
  const found = new Map<string, Annotation["places"]>();
  for (const annotation of annotations.filter(isBlock)) {
    const lines = await findNearPage(file, { ...toWholeWords(annotation), page: annotation.page });
    if (lines) found.set(annotation._id, lines.pieces);
  }
  return found;
}

/** The highlights, with block highlights divided into lines if the text of the page contains their quote. */
export function useLinesOfBlocks({ file }: PagedDocument, annotations: readonly Annotation[]): readonly Annotation[] {
  const [linesById, setLinesById] = useState<PlacesById>(new Map());
  useEffect(() => {
    let isCancelled = false;
    const find = async () => {
      const found = await findLinesOfBlocks(file, annotations);
      if (!isCancelled && found.size > 0) setLinesById(found);
    };
    find().catch((error: unknown) => logWarning("Could not find the lines of a highlight", error));
    return () => {
      isCancelled = true;
    };
  }, [file, annotations]);
  return useMemo(
    () =>
      annotations.map((annotation) => ({ ...annotation, places: linesById.get(annotation._id) ?? annotation.places })),
    [annotations, linesById],
  );
}
