import { useAtomValue } from "jotai/react";
import { Fragment, useEffect, useImperativeHandle, useMemo, useRef, useState, type Ref, type RefObject } from "react";
import type { EditorView } from "@tiptap/pm/view";
import { t } from "#shared/messages/translate.ts";
import { useEachFrame } from "#webapp/app/hooks/use-each-frame.ts";
import { contentAtom, loadContent } from "#webapp/library/content.ts";
import { closeSlash, removeSlashCommand, type SlashMenuPort, type SlashQuery } from "../editor/typing/slash-plugin.ts";
import { findReferenceEntries } from "./reference-entries.tsx";
import { findSlashEntries, type MenuEntry, type SlashActions } from "./slash-entries.tsx";
import "./slash-menu.css";

interface Open {
  query: SlashQuery;
  view: EditorView;
  position: { left: number; maxHeight: number } & ({ top: number } | { bottom: number });
}

/** Space between the menu and the edges of the window. */
const EDGE_PX = 8;
const MENU_WIDTH_PX = 296;

/** Below the caret if there is enough space, otherwise on the side with more. A short list stays at the caret. */
function computePosition(view: EditorView, pos: number): Open["position"] {
  const caret = view.coordsAtPos(pos);
  const left = Math.max(EDGE_PX, Math.min(caret.left, window.innerWidth - MENU_WIDTH_PX - EDGE_PX));
  const [above, below] = [caret.top - 2 * EDGE_PX, window.innerHeight - caret.bottom - 2 * EDGE_PX];
  return below >= Math.min(above, ENOUGH_PX)
    ? { left, top: caret.bottom + 4, maxHeight: below }
    : { left, bottom: window.innerHeight - caret.top + 4, maxHeight: above };
}

const isSamePosition = (a: object, b: object) => JSON.stringify(a) === JSON.stringify(b);

/** With this much space below the caret, the menu always opens below. */
const ENOUGH_PX = 420;

interface ListProps {
  position: Open["position"];
  found: readonly MenuEntry[];
  label: string;
  none: string;
  chosen: number;
  ref: Ref<HTMLDivElement>;
  onChoose: (index: number) => void;
  onTake: (entry: MenuEntry) => void;
}

function SlashList({ position, found, label, none, chosen, ref, onChoose, onTake }: ListProps) {
  if (found.length === 0)
    return (
      <p className="slash-menu slash-menu-none" style={position} role="status">
        {none}
      </p>
    );
  return (
    // In a very low window the list scrolls, so it must be focusable.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <div className="slash-menu" style={position} ref={ref} tabIndex={0}>
      <div role="listbox" id="slash-menu" aria-label={label}>
        {found.map((entry, i) => (
          <Fragment key={entry.id}>
            {entry.group !== found[i - 1]?.group && (
              <p className="slash-menu-group" aria-hidden>
                {entry.group}
              </p>
            )}
            <div
              // The focus stays in the text, from which arrows and Enter control the list.
              // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/interactive-supports-focus
              id={`slash-${i}`}
              role="option"
              aria-selected={i === chosen}
              className="slash-menu-item"
              onMouseDown={(event) => event.preventDefault()}
              onMouseMove={() => onChoose(i)}
              onClick={() => onTake(entry)}
            >
              <span className="slash-menu-icon" aria-hidden>
                {entry.icon}
              </span>
              <span className="slash-menu-label">{entry.label}</span>
              {entry.about !== undefined && <span className="slash-menu-about">{entry.about}</span>}
              {entry.hint !== undefined && (
                <span className="slash-menu-hint" aria-hidden>
                  {entry.hint}
                </span>
              )}
            </div>
          </Fragment>
        ))}
      </div>
    </div>
  );
}

interface Props {
  ref: Ref<SlashMenuPort>;
  actions: SlashActions;
  /** The open page, which is not offered as a reference. */
  pageId: string;
}

const isPageEmpty = ({ state: { doc } }: EditorView) => doc.childCount === 1 && doc.firstChild?.childCount === 1;

/** The entries that match the typed text. */
function useFoundEntries(open: Open | null, actions: SlashActions, pageId: string) {
  const content = useAtomValue(contentAtom);
  const isReference = open?.query.kind === "reference";
  useEffect(() => {
    if (isReference) void loadContent();
  }, [isReference]);
  const found = useMemo(() => {
    if (!open) return [];
    const { kind, text } = open.query;
    return kind === "reference"
      ? findReferenceEntries(content, text, pageId)
      : findSlashEntries(text, actions, isPageEmpty(open.view));
  }, [open, content, pageId, actions]);
  return { found, isReference };
}

/** Names the chosen entry to screen readers, by attributes of the text, which keeps the focus. */
function useActiveOption(
  open: Open | null,
  chosenIndex: number,
  count: number,
  list: RefObject<HTMLDivElement | null>,
): void {
  useEffect(() => {
    const dom = open?.view.dom;
    if (!dom || count === 0) return undefined;
    dom.setAttribute("aria-controls", "slash-menu");
    dom.setAttribute("aria-activedescendant", `slash-${chosenIndex}`);
    list.current?.querySelector(`#slash-${chosenIndex}`)?.scrollIntoView({ block: "nearest" });
    return () => {
      dom.removeAttribute("aria-controls");
      dom.removeAttribute("aria-activedescendant");
    };
  }, [open, chosenIndex, count, list]);
}

/** The menu at the caret: blocks after a slash, references after `[[` or `@`. */
export function SlashMenu({ ref, actions, pageId }: Props) {
  const [open, setOpen] = useState<Open | null>(null);
  const [chosen, setChosen] = useState(0);
  const list = useRef<HTMLDivElement>(null);
  const { found, isReference } = useFoundEntries(open, actions, pageId);
  const chosenIndex = Math.min(chosen, Math.max(0, found.length - 1));

  const runEntry = (entry: MenuEntry | undefined) => {
    if (!open || !entry) return;
    removeSlashCommand(open.view);
    open.view.focus();
    entry.run(open.view);
  };

  const moveBy = (step: number) => {
    setChosen((chosenIndex + step + found.length) % found.length);
    return true;
  };
  useImperativeHandle(ref, () => ({
    show(query, view) {
      setOpen(query ? { query, view, position: computePosition(view, query.from) } : null);
      setChosen(0);
    },
    press(key) {
      if (!open) return false;
      if (key === "Escape") closeSlash(open.view);
      else if (found.length === 0) return false;
      else if (key === "ArrowDown") moveBy(1);
      else if (key === "ArrowUp") moveBy(-1);
      else if (key === "Enter" || key === "Tab") runEntry(found[chosenIndex]);
      else return false;
      return true;
    },
  }));

  useEachFrame(open !== null, () => {
    if (!open) return;
    const position = computePosition(open.view, open.query.from);
    if (!isSamePosition(position, open.position)) setOpen({ ...open, position });
  });
  useActiveOption(open, chosenIndex, found.length, list);

  // Text that only looks like a reference, such as "@" in a sentence, opens no empty menu.
  if (!open || (isReference && found.length === 0 && open.query.text !== "")) return null;
  return (
    <SlashList
      position={open.position}
      found={found}
      label={t(isReference ? "pages.references" : "pages.slash")}
      none={t(isReference ? "pages.references_none" : "pages.slash_none")}
      chosen={chosenIndex}
      ref={list}
      onChoose={setChosen}
      onTake={runEntry}
    />
  );
}
