import { useEffect, useState, useSyncExternalStore } from "react";
import { t } from "#shared/messages/translate.ts";
import { Skeleton } from "#shared/ui/skeleton.tsx";
import { useDocumentPort } from "../document-port.tsx";
import { client } from "#webapp/app/client.ts";
import { logWarning } from "#webapp/app/log.ts";
import { ListLoadError } from "#webapp/ui/list-load-error.tsx";
import { nestHeadings } from "../heading-outline.ts";
import type { OutlineEntry } from "../viewer/pdf-file.ts";
import type { PagedDocument } from "../state.ts";

const flatten = (entries: readonly OutlineEntry[]): OutlineEntry[] =>
  entries.flatMap((entry) => [entry, ...flatten(entry.children)]);

/** The first entry that begins on this page, otherwise the last entry that begins before it. */
function findCurrentId(entries: readonly OutlineEntry[], page: number): string | undefined {
  const all = flatten(entries);
  const isBefore = (entry: OutlineEntry) => entry.page !== undefined && entry.page < page;
  return (all.find((entry) => entry.page === page) ?? all.findLast(isBefore))?.id;
}

interface EntriesProps {
  entries: readonly OutlineEntry[];
  currentId: string | undefined;
}

function OutlineEntries({ entries, currentId }: EntriesProps) {
  const documentPort = useDocumentPort();
  return (
    <ul role="list" className="pdf-outline">
      {entries.map(({ id, title, page, children }) => (
        <li key={id}>
          {page === undefined ? (
            <span className="pdf-outline-entry">{title || t("common.untitled")}</span>
          ) : (
            <button
              type="button"
              className="pdf-outline-entry"
              aria-current={id === currentId ? "true" : undefined}
              onClick={() =>
                documentPort.showHeading ? documentPort.showHeading(page, title) : documentPort.showPage(page)
              }
            >
              <span className="pdf-outline-title">{title || t("common.untitled")}</span>
              <span className="pdf-outline-page">{page}</span>
            </button>
          )}
          {children.length > 0 && <OutlineEntries entries={children} currentId={currentId} />}
        </li>
      ))}
    </ul>
  );
}

/** Fetches the headings that the server found in the document, nested by their level. */
async function readHeadings(open: PagedDocument): Promise<OutlineEntry[]> {
  const { passages } = await client.pdf.getPassages({ id: open.componentId });
  return nestHeadings(passages);
}

/** The outline stored in the document, otherwise its headings. */
async function readOutline(open: PagedDocument): Promise<OutlineEntry[]> {
  const stored = await open.file.outline().catch((error: unknown) => {
    logWarning("Could not read an outline", error);
    return [];
  });
  return stored.length > 0 ? stored : readHeadings(open);
}

function LoadedOutline({ open, onRetry }: { open: PagedDocument; onRetry: () => void }) {
  const { page } = useSyncExternalStore(open.flow.subscribe, open.flow.view);
  const [entries, setEntries] = useState<OutlineEntry[] | "failed">();
  useEffect(() => {
    let isCancelled = false;
    readOutline(open).then(
      (found) => !isCancelled && setEntries(found),
      (error: unknown) => {
        logWarning("Could not load the headings of a document", error);
        if (!isCancelled) setEntries("failed");
      },
    );
    return () => {
      isCancelled = true;
    };
  }, [open]);
  if (!entries) return <Skeleton label={t("pdf.outline_loading")} />;
  if (entries === "failed")
    return <ListLoadError className="pdf-panel-note" message={t("pdf.outline_failed")} onRetry={onRetry} />;
  if (entries.length === 0) return <p className="pdf-panel-note">{t("pdf.outline_none")}</p>;
  return <OutlineEntries entries={entries} currentId={findCurrentId(entries, page)} />;
}

export function DocumentOutline({ open }: { open: PagedDocument }) {
  const [attempt, setAttempt] = useState(0);
  return <LoadedOutline key={attempt} open={open} onRetry={() => setAttempt(attempt + 1)} />;
}
