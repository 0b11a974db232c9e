import { useEffect, useState } from "react";
import { t } from "#shared/messages/translate.ts";
import { Skeleton } from "#shared/ui/skeleton.tsx";
import { useDocumentDoor } from "../document-door.tsx";
import { logTrouble } from "#webapp/app/log.ts";
import type { OutlineEntry } from "../viewer/pdf-file.ts";
import type { PagedDocument } from "../state.ts";

function Entries({ entries }: { entries: readonly OutlineEntry[] }) {
  const door = useDocumentDoor();
  return (
    <ul role="list" className="pdf-outline">
      {entries.map(({ id, title, page, children }) => (
        <li key={id}>
          {page === undefined ? (
            <span className="pdf-outline-entry">{title}</span>
          ) : (
            <button type="button" className="pdf-outline-entry" onClick={() => door.show(page)}>
              <span className="pdf-outline-title">{title || t("common.untitled")}</span>
              <span className="pdf-outline-page">{page}</span>
            </button>
          )}
          {children.length > 0 && <Entries entries={children} />}
        </li>
      ))}
    </ul>
  );
}

/** The outline (bookmarks) stored in the document. */
export function Outline({ open }: { open: PagedDocument }) {
  const [entries, setEntries] = useState<OutlineEntry[]>();
  useEffect(() => {
    let isGone = false;
    const read = async () => {
      const found = await open.file.outline().catch((error: unknown) => {
        logTrouble("Could not read an outline", error);
        return [];
      });
      if (!isGone) setEntries(found);
    };
    void read();
    return () => {
      isGone = true;
    };
  }, [open.file]);
  if (!entries) return <Skeleton label={t("pdf.outline_loading")} />;
  if (entries.length === 0) return <p className="pdf-panel-note">{t("pdf.outline_none")}</p>;
  return <Entries entries={entries} />;
}
