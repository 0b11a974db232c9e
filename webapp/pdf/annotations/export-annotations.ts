import type { Annotation } from "#shared/pdf/annotations.ts";
import { t } from "#shared/messages/translate.ts";
import { notify } from "#webapp/app/alerts.ts";
import { logWarning } from "#webapp/app/log.ts";
import { saveFile } from "#webapp/app/browser/save-file.ts";
import { userAtom } from "#webapp/app/session/session.ts";
import { store } from "#webapp/app/store.ts";
import type { PagedDocument } from "../state.ts";

/** Downloads a copy of the PDF that includes the highlights and notes. */
export async function downloadAnnotatedPdf(open: PagedDocument, annotations: readonly Annotation[]): Promise<void> {
  try {
    const { annotatePdf } = await import("./annotate-pdf.ts");
    const author = store.get(userAtom)?.name ?? "";
    const bytes = await annotatePdf(await open.file.bytes(), annotations, author);
    const name = `${t("pdf.export_name", { name: open.name.replace(/\.pdf$/i, "") })}.pdf`;
    saveFile(new Blob([new Uint8Array(bytes)], { type: "application/pdf" }), name);
  } catch (error) {
    logWarning("Could not export a PDF with its highlights", error);
    const isLocked = error instanceof Error && /encrypt/i.test(error.message);
    notify({ message: t(isLocked ? "pdf.export_locked" : "pdf.export_failed"), type: "error" });
  }
}
