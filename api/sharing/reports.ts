import type { ShareReport } from "#shared/sharing/schema.ts";
import type { DocumentStore } from "#api/store/port.ts";
import { findShare, listReportDocs } from "./store.ts";

const REPORTS_SHOWN = 200;

/** Reports of what is still shared, the newest first. */
export async function listOpenReports(store: DocumentStore): Promise<ShareReport[]> {
  const reports = await listReportDocs(store, REPORTS_SHOWN);
  const found = await Promise.all(reports.map(({ shareId }) => findShare(store, shareId)));
  const titles = new Map(found.map((share) => [share?._id, share?.title]));
  return reports.flatMap((report) => {
    const title = titles.get(report.shareId);
    return title === undefined ? [] : [{ ...report, title }];
  });
}
