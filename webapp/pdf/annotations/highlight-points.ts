import { t } from "#shared/messages/translate.ts";
import type { Statement } from "#shared/pdf/analysis.ts";
import { notify } from "#webapp/app/alerts.ts";
import { logWarning } from "#webapp/app/log.ts";
import { store } from "#webapp/app/store.ts";
import { findInFile } from "../selection/quote-highlight.ts";
import { addAnnotations, annotationsAtom, undoAnnotation, type NewAnnotation } from "./annotations.ts";
import type { PagedDocument } from "../state.ts";

/** A highlight for the passage of a statement; undefined if the text layer lacks the quote, as in a scan. */
async function createAnnotation(
  { file, componentId }: PagedDocument,
  { quote, page }: Statement,
): Promise<NewAnnotation | undefined> {
  const highlight = await findInFile(file, { quote, page }, new AbortController().signal);
  const [first] = highlight?.pieces ?? [];
  if (!highlight || !first) return undefined;
  const annotation = { componentId, quote, prefix: "", suffix: "", color: "yellow", note: "" } as const;
  return { ...annotation, page: first.page, places: highlight.pieces };
}

/** Highlights the passages of the key points; quotes that are already highlighted are skipped. */
export async function highlightKeyPoints(open: PagedDocument, points: readonly Statement[]): Promise<void> {
  const { annotations } = store.get(annotationsAtom);
  const highlightedQuotes = new Set(annotations.map(({ quote }) => quote));
  const newPoints = points.filter(({ quote }) => !highlightedQuotes.has(quote));
  const candidates = await Promise.all(newPoints.map((point) => createAnnotation(open, point))).catch(
    (error: unknown) => {
      logWarning("Could not highlight the key points", error);
      return [];
    },
  );
  const count = await addAnnotations(candidates.flatMap((annotation) => annotation ?? []));
  if (count === 0)
    notify({
      message: newPoints.length === 0 ? t("pdf.summary_already_highlighted") : t("pdf.summary_not_highlighted"),
      type: "info",
    });
  else
    notify({
      message: t("pdf.summary_highlighted", { count }),
      type: "success",
      action: { label: t("common.undo"), run: () => void undoAnnotation() },
    });
}
