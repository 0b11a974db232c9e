import type { ShareReport } from "#shared/sharing/schema.ts";
import type { DocumentStore } from "#api/store/port.ts";
import { findShare, listReportDocs, listReportDocsAfter } from "./store.ts";

const REPORTS_SHOWN = 200;

/** A report with the title of what it is about; null once that is no longer shared. */
export type FiledReport = Omit<ShareReport, "title"> & { title: string | null };

async function withTitles(
  store: DocumentStore,
  reports: readonly Omit<ShareReport, "title">[],
): Promise<FiledReport[]> {
  const shareIds = [...new Set(reports.map(({ shareId }) => shareId))];
  const found = await Promise.all(shareIds.map((shareId) => findShare(store, shareId)));
  const titles = new Map(found.map((share) => [share?._id, share?.title]));
  return reports.map((report) => ({ ...report, title: titles.get(report.shareId) ?? null }));
}

/** Reports of what is still shared, the newest first. */
export async function listOpenReports(store: DocumentStore): Promise<ShareReport[]> {
  const reports = await withTitles(store, await listReportDocs(store, REPORTS_SHOWN));
  return reports.flatMap(({ title, ...report }) => (title === null ? [] : [{ ...report, title }]));
}

/** All reports, page by page. */
export const listFiledReports = async (store: DocumentStore, after: string | undefined, limit: number) =>
  withTitles(store, await listReportDocsAfter(store, after, limit));
