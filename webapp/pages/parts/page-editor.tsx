import { lazy, memo, Suspense, useCallback, useEffect, useRef, useState, useSyncExternalStore } from "react";
import { useAtomValue } from "jotai/react";
import { createPortal } from "react-dom";
import { t } from "#shared/messages/translate.ts";
import { Button } from "#shared/ui/controls/button.tsx";
import { Dialog } from "#shared/ui/overlays/dialog.tsx";
import { notify } from "#webapp/app/alerts.ts";
import { usePending } from "#webapp/offline/pending.ts";
import type { Place } from "#webapp/library/places.ts";
import type { BlockKinds } from "../page-door.tsx";
import { NodeSelection } from "@tiptap/pm/state";
import type { Mount } from "../editor/block-view.ts";
import { findBlock } from "../editor/chunks.ts";
import { askedDelete, type DeleteQuestion } from "../editor/keys.ts";
import { idsOf, selectedBlocks } from "../editor/blocks.ts";
import type { SlashMenuDoor } from "../editor/slash.ts";
import { completionDoor } from "../completing.ts";
import { fetchingPicturesAtom, takePictures } from "../pasted-pictures.ts";
import { insertReference, openReference } from "../references.ts";
import { redoDeletion, undoDeletion } from "../session/state.ts";
import type { PageSession } from "../session/page-session.ts";
import { BlockHandle } from "./blocks/block-handle.tsx";
import { SlashMenu, type SlashActions } from "./slash-menu.tsx";
import { UnknownBlock } from "./blocks/plain-blocks.tsx";
import "#webapp/ui/pens.css";
import "./page-editor.css";

const ChoosePlace = lazy(async () => ({ default: (await import("./choose-place.tsx")).ChoosePlace }));

const MOVE_KINDS = ["page"] as const;
const LINK_KINDS = ["page", "deck", "pdf"] as const;

interface Props {
  pageId: string;
  session: PageSession;
  kinds: BlockKinds;
  actions: Omit<SlashActions, "link">;
  dropFiles: (files: readonly File[]) => void;
}

interface ShellsProps {
  pageId: string;
  session: PageSession;
  kinds: BlockKinds;
  askDelete: (question: DeleteQuestion) => void;
}

type ShownProps = ShellsProps & { mount: Mount };

const Shown = memo(function Shown({ mount, pageId, session, kinds, askDelete }: ShownProps) {
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
    askedDelete(askDelete)(view.state, view.dispatch, view);
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

/** A separate component, so that the editor does not render again when a block comes near. */
const Shells = memo(function Shells(props: ShellsProps) {
  const { mounts } = props.session;
  const shown = useSyncExternalStore(mounts.subscribe, mounts.shown);
  return shown.map((mount) => createPortal(<Shown mount={mount} {...props} />, mount.dom, mount.key));
});

function saidOf({ kinds, textCount }: DeleteQuestion): string {
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
  const yes = useRef<HTMLButtonElement>(null);
  // After the dialog has opened and focused its first button: the deletion was started by keyboard.
  useEffect(() => {
    if (question) yes.current?.focus();
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
            ref={yes}
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
      {question && <p>{t("pages.confirm", { what: saidOf(question) })}</p>}
    </Dialog>
  );
}

/** Shown until the pictures arrive or fail. */
function FetchingPictures() {
  const count = useAtomValue(fetchingPicturesAtom);
  return (
    <p className="page-fetching" role="status">
      {count > 0 && t("pages.pictures_coming", { count })}
    </p>
  );
}

interface ChoosingProps {
  what: "move" | "link";
  pageId: string;
  session: PageSession;
  onClose: () => void;
}

function Choosing({ what, pageId, session, onClose }: ChoosingProps) {
  const choose = (place: Place) => {
    onClose();
    const view = session.editor?.view;
    if (what === "link" && view) insertReference(view, place);
    else void moveSelected(session, place);
  };
  return (
    <Suspense>
      <ChoosePlace
        title={t(what === "move" ? "pages.block_move" : "pages.link_title")}
        kinds={what === "move" ? MOVE_KINDS : LINK_KINDS}
        except={pageId}
        onChoose={choose}
        onClose={onClose}
      />
    </Suspense>
  );
}

async function moveSelected(session: PageSession, { id, title }: Place): Promise<void> {
  const view = session.editor?.view;
  if (!view) return;
  const ids = idsOf(selectedBlocks(view.state));
  await session.moveTo(id, ids);
  notify({ message: t("pages.block_moved", { title: title || t("pages.untitled") }), type: "success" });
  view.focus();
}

export function PageEditor({ pageId, session, kinds, actions, dropFiles }: Props) {
  const [place, setPlace] = useState<HTMLDivElement | null>(null);
  // Also set before the first effects run: highlighting a citation needs the mounted document.
  const host = useRef<HTMLDivElement>(null);
  const keepPlace = useCallback((element: HTMLDivElement | null) => {
    host.current = element;
    setPlace(element);
  }, []);
  const [choosing, setChoosing] = useState<"move" | "link" | null>(null);
  const chooseMove = useCallback(() => setChoosing("move"), []);
  const slash = useRef<SlashMenuDoor>(null);
  const [question, setQuestion] = useState<DeleteQuestion | null>(null);
  const [offered, setOffered] = useState<string | null>(null);
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
      completion: completionDoor(pageId, setOffered),
      page: { undo: undoDeletion, redo: redoDeletion },
      askDelete: setQuestion,
      dropFiles: (files) => drop.current(files),
      takePictures: (pictures) => void takePictures(pictures),
      openReference: (kind, target) => void openReference(kind, target),
      words: { label: t("pages.text"), placeholder: t("pages.placeholder") },
    });
  }, [session, pageId]);

  return (
    <>
      <p className="visually-hidden" role="status">
        {offered !== null && t("pages.completion_offered", { text: offered })}
      </p>
      <FetchingPictures />
      <div className="page-place">
        <div ref={keepPlace} className="page-editor" />
        <BlockHandle session={session} place={place} askDelete={setQuestion} onMove={chooseMove} />
      </div>
      <SlashMenu ref={slash} actions={{ ...actions, link: () => setChoosing("link") }} />
      {choosing && <Choosing what={choosing} pageId={pageId} session={session} onClose={() => setChoosing(null)} />}
      <Shells pageId={pageId} session={session} kinds={kinds} askDelete={setQuestion} />
      <DeleteDialog question={question} onClose={() => setQuestion(null)} />
    </>
  );
}
