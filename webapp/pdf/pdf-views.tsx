import { useEffect, useState, type ReactNode } from "react";
import { NoResponse } from "#shared/client/client.ts";
import { t } from "#shared/messages/translate.ts";
import { Skeleton } from "#shared/ui/skeleton.tsx";
import { client } from "#webapp/app/client.ts";
import { logWarning } from "#webapp/app/log.ts";
import type { DocumentPanel, SelectionAction } from "./document-port.tsx";
import type { PagedDocument, TextDocument } from "./state.ts";
import { readDocumentView, writeDocumentView, type DocumentView } from "./viewer/document-view.ts";
import { PagedScreen } from "./parts/paged-screen.tsx";
import { TextScreen } from "./text/text-screen.tsx";
import { DocumentBar } from "./parts/toolbar.tsx";

/** `none`: its pages are pictures, or its text cannot be loaded now. */
type DocumentText = TextDocument | "loading" | "none";

async function loadText(open: PagedDocument): Promise<DocumentText> {
  try {
    const { componentId, name, pageId } = open;
    const { passages: all, pageCount } = await client.pdf.getPassages({ id: componentId });
    // What every page repeats at its edge interrupts the text.
    const passages = all.filter(({ kind }) => kind !== "running_head");
    if (passages.length === 0) return "none";
    return { state: "text", componentId, name, pageId, passages, pageCount, isSlides: false, paged: open };
  } catch (error) {
    if (!(error instanceof NoResponse)) logWarning("Could not load the text of a document", error);
    return "none";
  }
}

/** The text of a PDF, once it is wanted. */
function useText(open: PagedDocument, isWanted: boolean): DocumentText {
  const [loaded, setLoaded] = useState<{ open: PagedDocument; text: DocumentText }>();
  const text = loaded?.open === open ? loaded.text : "loading";
  useEffect(() => {
    if (!isWanted || text !== "loading") return undefined;
    let isCancelled = false;
    const load = async () => {
      const result = await loadText(open);
      if (!isCancelled) setLoaded({ open, text: result });
    };
    void load();
    return () => {
      isCancelled = true;
    };
  }, [open, isWanted, text]);
  return text;
}

interface Props {
  open: PagedDocument;
  target: { page: number | undefined; quote: string | undefined };
  panels: readonly DocumentPanel[];
  actions: readonly SelectionAction[];
}

/** A PDF as its pages or as its text; the choice is kept. */
export function PdfViews({ open, ...shared }: Props): ReactNode {
  const [view, setView] = useState(readDocumentView);
  const text = useText(open, view === "text");
  const choose = (next: DocumentView) => {
    writeDocumentView(next);
    open.flow.holdPosition();
    setView(next);
  };
  if (view === "pages" || text === "none")
    return <PagedScreen open={open} {...shared} onText={text === "none" ? undefined : () => choose("text")} />;
  if (text === "loading")
    return (
      <div className="pdf-screen">
        <DocumentBar name={open.name} pageId={open.pageId} />
        <main className="pdf-text">
          <article>
            <Skeleton label={t("pdf.loading")} lines={[60, 96, 92, 98, 70]} height={18} />
          </article>
        </main>
      </div>
    );
  return <TextScreen open={text} {...shared} onPages={() => choose("pages")} />;
}
