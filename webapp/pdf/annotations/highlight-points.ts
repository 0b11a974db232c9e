import { t } from "#shared/messages/translate.ts";
import type { Statement } from "#shared/pdf/analysis.ts";
import { notify } from "#webapp/app/alerts.ts";
import { logTrouble } from "#webapp/app/log.ts";
import { store } from "#webapp/app/store.ts";
import { findInFile } from "../selection/light.ts";
import { addMarks, marksViewAtom, undoMark, type NewMark } from "./marks.ts";
import type { PagedDocument } from "../state.ts";

/** A highlight for the passage of a statement; undefined if the quote is not in the file's own text, as in a scan. */
async function markOf({ file, componentId }: PagedDocument, { quote, page }: Statement): Promise<NewMark | undefined> {
  const lit = await findInFile(file, { quote, page }, new AbortController().signal);
  const [first] = lit?.pieces ?? [];
  if (!lit || !first) return undefined;
  const mark = { componentId, quote, prefix: "", suffix: "", color: "yellow", note: "" } as const;
  return { ...mark, page: first.page, places: lit.pieces };
}

/** Highlights the passages of the key points; quotes that are already highlighted are skipped. */
export async function highlightPoints(open: PagedDocument, points: readonly Statement[]): Promise<void> {
  const { marks } = store.get(marksViewAtom);
  const held = new Set(marks.map(({ quote }) => quote));
  const wanted = points.filter(({ quote }) => !held.has(quote));
  const looked = await Promise.all(wanted.map((point) => markOf(open, point))).catch((error: unknown) => {
    logTrouble("Could not highlight the key points", error);
    return [];
  });
  const count = await addMarks(looked.flatMap((mark) => mark ?? []));
  if (count === 0)
    notify({
      message: wanted.length === 0 ? t("pdf.summary_marked_before") : t("pdf.summary_marked_none"),
      type: "info",
    });
  else
    notify({
      message: t("pdf.summary_highlighted", { count }),
      type: "success",
      action: { label: t("common.undo"), run: () => void undoMark() },
    });
}
