import type { ReportFilter, ShareReport } from "#shared/sharing/schema.ts";
import { PAGE_SIZE, toPage } from "#api/store/paging/to-page.ts";
import type { DocumentStore } from "#api/store/port.ts";
import { findShare, listReportDocs } from "./store.ts";

/** Limits one request when many reports are about items that are no longer shared. */
const MAX_PAGES_READ = 10;

/** A report with the title of its item; null if the item is no longer shared. */
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

/** Reports on items that are still shared, newest first. Skips pages without such reports. */
export async function listOpenReports(
  store: DocumentStore,
  filter: ReportFilter,
  after: string | undefined,
): Promise<ReportPage> {
  let position = after;
  let page: ReportPage = { reports: [], next: null };
  for (let read = 0; read < MAX_PAGES_READ; read += 1) {
    page = await readReportPage(store, filter, position);
    if (page.reports.length > 0 || page.next === null) return page;
    position = page.next;
  }
  return page;
}

async function readReportPage(
  store: DocumentStore,
  filter: ReportFilter,
  after: string | undefined,
): Promise<ReportPage> {
  const found = await listReportDocs(store, filter, { after, limit: PAGE_SIZE + 1 });
  const { items, next } = toPage(found, ({ _id }) => _id);
  const titled = await withTitles(store, items);
  return { reports: titled.flatMap(({ title, ...report }) => (title === null ? [] : [{ ...report, title }])), next };
}

/** All reports, including those on items that are no longer shared. */
export const listFiledReports = async (
  store: DocumentStore,
  filter: ReportFilter,
  page: { after: string | undefined; limit: number },
) => withTitles(store, await listReportDocs(store, filter, page));
