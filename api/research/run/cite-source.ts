import { pageCitation, pdfCitation, videoCitation, webCitation } from "#shared/citations.ts";
import { surroundingsOf } from "#shared/research/canvas.ts";
import type { LedgerSource, ResearchCitation, SnapshotPassage } from "#shared/research/schema.ts";

/** The key of a library source names its kind, component and page. */
const LIBRARY_KEY = /^library:(page|file|video):([^:]+):([^:]+)$/;

function citeInLibrary(key: string, passage: SnapshotPassage, quote: string): string | null {
  const [, kind, componentId = "", pageId = ""] = LIBRARY_KEY.exec(key) ?? [];
  const [passageComponent = ""] = passage.id.split("/");
  if (kind === "file") return pdfCitation(componentId, passage.page ?? 1, quote);
  if (kind === "video") return videoCitation(componentId, passage.startMs ?? 0, passage.startMs ?? 0, quote);
  return kind === "page" ? pageCitation(pageId, passageComponent, quote) : null;
}

/** The citation of a quote that was found in a passage of a snapshot. */
export function citeSnapshot(
  source: LedgerSource,
  key: string,
  { passage, quote }: { passage: SnapshotPassage; quote: string },
): Omit<ResearchCitation, "n"> {
  const citation =
    source.url === null
      ? citeInLibrary(key, passage, quote)
      : webCitation(source.url.replace(/^https?:\/\//, ""), quote);
  return {
    source: source.n,
    quote,
    passage: surroundingsOf(passage.text, quote),
    passageId: passage.id,
    citation,
    page: passage.page,
    startMs: passage.startMs,
  };
}
