import { useEffect, useEffectEvent, useState, type ReactNode } from "react";
import { NoResponseError } from "#shared/client/client.ts";
import { t } from "#shared/messages/translate.ts";
import { Skeleton } from "#shared/ui/skeleton.tsx";
import { notify } from "#webapp/app/alerts.ts";
import { client } from "#webapp/app/client.ts";
import { logWarning } from "#webapp/app/log.ts";
import type { DocumentPanel, SelectionAction } from "./document-port.tsx";
import { targetKey, type DocumentTarget } from "./document-target.ts";
import type { PagedDocument, TextDocument } from "./state.ts";
import { readDocumentView, writeDocumentView, type DocumentView } from "./viewer/document-view.ts";
import { PagedScreen } from "./parts/paged-screen.tsx";
import { TextScreen } from "./text/text-screen.tsx";
import { DocumentBar } from "./parts/toolbar.tsx";

/** `none`: the document has no text, because its pages are pictures. `failed`: the text cannot be loaded now. */
type LoadedText = TextDocument | "none" | "failed";

async function loadText(open: PagedDocument): Promise<LoadedText> {
  try {
    const { componentId, name, pageId } = open;
    const { passages: all, pageCount } = await client.pdf.getPassages({ id: componentId });
    // Headers and footers that repeat on every page would interrupt the text.
    const passages = all.filter(({ kind }) => kind !== "running_head");
    if (passages.length === 0) return "none";
    return { state: "text", componentId, name, pageId, passages, pageCount, isSlides: false, paged: open };
  } catch (error) {
    if (!(error instanceof NoResponseError)) logWarning("Could not load the text of a document", error);
    return "failed";
  }
}

/** Whether all pages are pictures without recognised text. This is often known before the passages have arrived. */
async function hasNoText({ componentId: id }: PagedDocument): Promise<boolean> {
  try {
    const { state, pageCount, textlessPages, recognised } = await client.pdf.getReading({ id });
    return state !== "reading" && pageCount > 0 && textlessPages === pageCount && recognised === 0;
  } catch {
    // The passages, which are loading, will show whether there is text.
    return false;
  }
}

async function loadTextOrNone(open: PagedDocument): Promise<LoadedText> {
  const loading = loadText(open);
  const isNone = await Promise.race([loading.then(() => false), hasNoText(open)]);
  return isNone ? "none" : loading;
}

/** Loads the text of a PDF when it is wanted; undefined until then and while it loads. */
function useText(open: PagedDocument, isWanted: boolean, onLoaded: (text: LoadedText) => void) {
  const [text, setText] = useState<LoadedText>();
  const handleLoaded = useEffectEvent(onLoaded);
  const isLoading = isWanted && (text === undefined || text === "failed");
  useEffect(() => {
    if (!isLoading) return undefined;
    let isCancelled = false;
    const load = async () => {
      const loaded = await loadTextOrNone(open);
      if (isCancelled) return;
      setText(loaded);
      handleLoaded(loaded);
    };
    void load();
    return () => {
      isCancelled = true;
    };
  }, [open, isLoading]);
  return isLoading ? undefined : text;
}

const NO_TARGET: DocumentTarget = { page: undefined, quote: undefined };

/** The position in the URL, until the student switches to the other view. */
function useTarget(target: DocumentTarget): [DocumentTarget, leave: () => void] {
  const key = targetKey(target);
  const [leftKey, setLeftKey] = useState<string>();
  return [leftKey === key ? NO_TARGET : target, () => setLeftKey(key)];
}

interface Props {
  open: PagedDocument;
  target: DocumentTarget;
  panels: readonly DocumentPanel[];
  actions: readonly SelectionAction[];
}

/** A PDF as its pages or as its text; the choice is stored. */
export function PdfViews({ open, target: addressed, ...others }: Props): ReactNode {
  const [view, setView] = useState(readDocumentView);
  const [isChosen, setChosen] = useState(false);
  const [target, leaveTarget] = useTarget(addressed);
  const text = useText(open, view === "text", (loaded) => {
    if (loaded === "failed") {
      setView("pages");
      notify({ message: t("pdf.text_failed"), type: "error" });
    } else if (loaded !== "none" && isChosen) writeDocumentView("text");
  });
  const choose = (next: DocumentView) => {
    // The choice of the text is stored only if the document has text.
    if (next === "pages" || typeof text === "object") writeDocumentView(next);
    setChosen(true);
    leaveTarget();
    open.flow.holdPosition();
    setView(next);
  };
  const shared = { target, ...others };
  if (view === "pages" || text === "none")
    return <PagedScreen open={open} {...shared} onText={text === "none" ? undefined : () => choose("text")} />;
  if (text === undefined || text === "failed")
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
