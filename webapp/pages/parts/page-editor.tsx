import { lazy, memo, Suspense, useCallback, useEffect, useMemo, useRef, useState, useSyncExternalStore } from "react";
import { useAtomValue } from "jotai/react";
import { createPortal } from "react-dom";
import { t } from "#shared/messages/translate.ts";
import { Button } from "#shared/ui/controls/button.tsx";
import { Dialog } from "#shared/ui/overlays/dialog.tsx";
import { notify } from "#webapp/app/alerts.ts";
import { usePending } from "#webapp/offline/use-pending.ts";
import type { LibraryItem } from "#webapp/library/library-items.ts";
import type { BlockKinds } from "../page-port.tsx";
import { NodeSelection } from "@tiptap/pm/state";
import type { BlockMount } from "../editor/block-view.ts";
import { findBlock } from "../editor/chunks.ts";
import { deleteWithConfirmation, type DeleteQuestion } from "../editor/typing/delete-confirmation.ts";
import { listBlockIds, selectedBlocks } from "../editor/blocks.ts";
import type { SelectionPort } from "../editor/typing/selection-plugin.ts";
import type { SlashMenuPort } from "../editor/typing/slash-plugin.ts";
import { createCompletionPort } from "../completion-requests.ts";
import { CompletionRating } from "./completion-rating.tsx";
import { fetchingPicturesAtom, insertPastedPictures } from "../fetch-pasted-pictures.ts";
import { insertReference, openReference } from "../references.ts";
import { redoPageAction, undoPageAction } from "../session/open-page.ts";
import type { PageSession } from "../session/page-session.ts";
import { BlockHandle } from "./blocks/block-handle.tsx";
import { FormatBar, type FormatBarActions } from "./format-bar.tsx";
import { SlashMenu } from "./slash-menu.tsx";
import type { SlashActions } from "./slash-entries.tsx";
import { UnknownBlock } from "./blocks/plain-blocks.tsx";
import "#webapp/ui/highlight-colors.css";
import "./page-editor.css";

const ChooseItemDialog = lazy(async () => ({ default: (await import("./choose-item-dialog.tsx")).ChooseItemDialog }));

const MOVE_KINDS = ["page"] as const;
const LINK_KINDS = ["page", "deck", "pdf"] as const;

interface Props {
  pageId: string;
  session: PageSession;
  kinds: BlockKinds;
  actions: Omit<SlashActions, "link">;
  dropFiles: (files: readonly File[]) => void;
  selectionActions: FormatBarActions;
}

interface RenderedBlocksProps {
  pageId: string;
  session: PageSession;
  kinds: BlockKinds;
  askDelete: (question: DeleteQuestion) => void;
}

type RenderedBlockProps = RenderedBlocksProps & { mount: BlockMount };

const RenderedBlock = memo(function RenderedBlock({ mount, pageId, session, kinds, askDelete }: RenderedBlockProps) {
  const { block, isSelected, dom } = mount;
  const isPending = usePending(block._id, "component");
  useEffect(() => {
    if (isPending) dom.setAttribute("aria-busy", "true");
    else dom.removeAttribute("aria-busy");
  }, [isPending, dom]);
  const Kind = kinds[block.type] ?? UnknownBlock;
  const remove = () => {
    const view = session.editor?.view;
    const placed = view && findBlock(view.state.doc, block._id);
    if (!placed) return;
    view.dispatch(view.state.tr.setSelection(NodeSelection.create(view.state.doc, placed.pos)));
    deleteWithConfirmation(askDelete)(view.state, view.dispatch, view);
  };
  return (
    <Kind
      pageId={pageId}
      block={block}
      isSelected={isSelected}
      edit={(content) => session.edit(block._id, content)}
      remove={remove}
    />
  );
});

/** A separate component, so that the editor does not render again when a block comes near the viewport. */
const RenderedBlocks = memo(function RenderedBlocks(props: RenderedBlocksProps) {
  const { mounts } = props.session;
  const shown = useSyncExternalStore(mounts.subscribe, mounts.shown);
  return shown.map((mount) => createPortal(<RenderedBlock mount={mount} {...props} />, mount.dom, mount.key));
});

function formatDeletion({ kinds, textCount }: DeleteQuestion): string {
  const decks = kinds.filter((kind) => kind === "flash_cards").length;
  const files = kinds.filter((kind) => kind === "image" || kind === "video").length;
  return [
    decks > 0 && t("pages.confirm_deck", { count: decks }),
    files > 0 && t("pages.confirm_file", { count: files }),
    textCount > 0 && t("pages.confirm_text", { count: textCount }),
  ]
    .filter((part) => part !== false)
    .join(", ");
}

function DeleteDialog({ question, onClose }: { question: DeleteQuestion | null; onClose: () => void }) {
  const confirmButton = useRef<HTMLButtonElement>(null);
  // The dialog focuses its first button when it opens. Moves the focus to "Delete", because a key started the deletion.
  useEffect(() => {
    if (question) confirmButton.current?.focus();
  }, [question]);
  return (
    <Dialog
      open={question !== null}
      title={t("pages.confirm_title")}
      onClose={onClose}
      closeLabel={t("common.close")}
      footer={
        <>
          <Button onClick={onClose}>{t("common.cancel")}</Button>
          <Button
            variant="danger"
            ref={confirmButton}
            onClick={() => {
              onClose();
              question?.confirm();
            }}
          >
            {t("pages.confirm_yes")}
          </Button>
        </>
      }
    >
      {question && <p>{t("pages.confirm", { what: formatDeletion(question) })}</p>}
    </Dialog>
  );
}

/** Shown until the pictures arrive or fail. */
function FetchingPictures() {
  const count = useAtomValue(fetchingPicturesAtom);
  return (
    <p className="page-fetching" role="status">
      {count > 0 && t("pages.pictures_loading", { count })}
    </p>
  );
}

interface ItemChooserProps {
  task: "move" | "link";
  pageId: string;
  session: PageSession;
  onClose: () => void;
}

function ItemChooser({ task, pageId, session, onClose }: ItemChooserProps) {
  const choose = (container: LibraryItem) => {
    onClose();
    const view = session.editor?.view;
    if (task === "link" && view) insertReference(view, container);
    else void moveSelected(session, container);
  };
  return (
    <Suspense>
      <ChooseItemDialog
        title={t(task === "move" ? "pages.block_move" : "pages.link_title")}
        kinds={task === "move" ? MOVE_KINDS : LINK_KINDS}
        excludedId={pageId}
        onChoose={choose}
        onClose={onClose}
      />
    </Suspense>
  );
}

async function moveSelected(session: PageSession, { id, title }: LibraryItem): Promise<void> {
  const view = session.editor?.view;
  if (!view) return;
  const ids = listBlockIds(selectedBlocks(view.state));
  await session.moveTo(id, ids);
  notify({ message: t("pages.block_moved", { title: title || t("pages.untitled") }), type: "success" });
  view.focus();
}

export function PageEditor({ pageId, session, kinds, actions, dropFiles, selectionActions }: Props) {
  const [container, setContainer] = useState<HTMLDivElement | null>(null);
  // Also a ref, because it is set before the first effects run, and one of them highlights a citation in the document.
  const host = useRef<HTMLDivElement>(null);
  const setContainerRef = useCallback((element: HTMLDivElement | null) => {
    host.current = element;
    setContainer(element);
  }, []);
  const [choosing, setChoosing] = useState<"move" | "link" | null>(null);
  const chooseMove = useCallback(() => setChoosing("move"), []);
  const slash = useRef<SlashMenuPort>(null);
  const formatBar = useRef<SelectionPort>(null);
  const slashActions = useMemo(() => ({ ...actions, link: () => setChoosing("link") }), [actions]);
  const [question, setQuestion] = useState<DeleteQuestion | null>(null);
  const [suggestion, setSuggestion] = useState<string | null>(null);
  const drop = useRef(dropFiles);
  useEffect(() => {
    drop.current = dropFiles;
  });
  useEffect(() => {
    const element = host.current;
    if (!element) return undefined;
    return session.mount({
      element,
      slash: {
        show: (query, view) => slash.current?.show(query, view),
        press: (key) => slash.current?.press(key) ?? false,
      },
      selection: {
        show: (view) => formatBar.current?.show(view),
        makeCard: (view) => formatBar.current?.makeCard(view),
      },
      completion: createCompletionPort(pageId, setSuggestion),
      page: { undo: undoPageAction, redo: redoPageAction },
      askDelete: setQuestion,
      dropFiles: (files) => drop.current(files),
      takePictures: (pictures) => void insertPastedPictures(pageId, pictures),
      openReference: (kind, target) => void openReference(kind, target),
      words: { label: t("pages.text"), placeholder: t("pages.placeholder") },
    });
  }, [session, pageId]);

  return (
    <>
      <p className="visually-hidden" role="status">
        {suggestion !== null && t("pages.completion_offered", { text: suggestion })}
      </p>
      <FetchingPictures />
      <div className="page-place">
        <div ref={setContainerRef} className="page-editor" />
        <BlockHandle session={session} container={container} askDelete={setQuestion} onMove={chooseMove} />
      </div>
      <CompletionRating pageId={pageId} />
      <FormatBar ref={formatBar} actions={selectionActions} />
      <SlashMenu ref={slash} actions={slashActions} pageId={pageId} />
      {choosing && <ItemChooser task={choosing} pageId={pageId} session={session} onClose={() => setChoosing(null)} />}
      <RenderedBlocks pageId={pageId} session={session} kinds={kinds} askDelete={setQuestion} />
      <DeleteDialog question={question} onClose={() => setQuestion(null)} />
    </>
  );
}
