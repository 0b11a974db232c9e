import { useEffect, useMemo, useState } from "react";
import type { Annotation } from "#shared/pdf/annotations.ts";
import { logWarning } from "#webapp/app/log.ts";
import { findNearPage } from "../selection/quote-highlight.ts";
import { toWholeWords } from "../selection/whole-words.ts";
import type { PagedDocument } from "../state.ts";
import type { PdfFile } from "../viewer/pdf-file.ts";

/** A line of text is lower, except in a large heading. */
const MAX_LINE_POINTS = 24;

/** Whether its place is the rectangle of a passage, which is more than its words. */
const isBlock = ({ places }: Annotation) =>
  places.every(({ rects }) => rects.length === 1 && rects.every(([, , , height]) => height > MAX_LINE_POINTS));

type PlacesById = ReadonlyMap<string, Annotation["places"]>;

/** The places, line by line, of the highlights that are blocks; a scan has none. */
export async function findLinesOfBlocks(file: PdfFile, annotations: readonly Annotation[]): Promise<PlacesById> {
  const found = new Map<string, Annotation["places"]>();
  for (const annotation of annotations.filter(isBlock)) {
    const lines = await findNearPage(file, { ...toWholeWords(annotation), page: annotation.page });
    if (lines) found.set(annotation._id, lines.pieces);
  }
  return found;
}

/** The highlights, each drawn line by line where the text of its page has it. */
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
    () => annotations.map((one) => ({ ...one, places: linesById.get(one._id) ?? one.places })),
    [annotations, linesById],
  );
}
