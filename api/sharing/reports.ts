import type { ShareReport } from "#shared/sharing/schema.ts";
import type { DocumentStore } from "#api/store/port.ts";
import { findShare, listReportDocs } from "./store.ts";

const REPORTS_PER_PAGE = 50;
/** Bounds one request where many reports are about what is no longer shared. */
const MAX_PAGES_READ = 10;

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

interface ReportPage {
  reports: ShareReport[];
  /** The `after` of the next page; null at the end. */
  next: string | null;
}

/** Reports of what is still shared, the newest first. Reads on where a page has none. */
export async function listOpenReports(store: DocumentStore, after: string | undefined): Promise<ReportPage> {
  let position = after;
  let page: ReportPage = { reports: [], next: null };
  for (let read = 0; read < MAX_PAGES_READ; read += 1) {
    page = await readReportPage(store, position);
    if (page.reports.length > 0 || page.next === null) return page;
    position = page.next;
  }
  return page;
}

async function readReportPage(store: DocumentStore, after: string | undefined): Promise<ReportPage> {
  const found = await listReportDocs(store, after, REPORTS_PER_PAGE + 1);
  const shown = found.slice(0, REPORTS_PER_PAGE);
  const titled = await withTitles(store, shown);
  return {
    reports: titled.flatMap(({ title, ...report }) => (title === null ? [] : [{ ...report, title }])),
    next: found.length > shown.length ? (shown.at(-1)?._id ?? null) : null,
  };
}

/** All reports, page by page. */
export const listFiledReports = async (store: DocumentStore, after: string | undefined, limit: number) =>
  withTitles(store, await listReportDocs(store, after, limit));
