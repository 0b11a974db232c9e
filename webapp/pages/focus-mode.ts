import { useEffect } from "react";

/** Name of the CSS highlight; `page-screen.css` sets its colour. */
const DIMMED_HIGHLIGHT = "lamplight-aside";
const EDITOR = ".ProseMirror";
const BLOCK = ".page-text, .page-block";

const supportsHighlights = (): boolean => typeof CSS !== "undefined" && "highlights" in CSS;

const findBlockElementAt = (node: Node | null | undefined) =>
  (node instanceof Element ? node : node?.parentElement)?.closest(BLOCK);

/** The block with the caret; undefined if the selection spans several blocks. */
function findCaretBlock(): { editor: Element; block: Element } | undefined {
  const selection = document.getSelection();
  const block = findBlockElementAt(selection?.focusNode);
  const editor = block?.closest(EDITOR);
  return block && editor && findBlockElementAt(selection?.anchorNode) === block ? { editor, block } : undefined;
}

/** Highlights everything before and after the block without changing the document, which the editor observes. */
function updateDimming(): void {
  const caretBlock = findCaretBlock();
  if (!caretBlock) return void CSS.highlights.delete(DIMMED_HIGHLIGHT);
  const { editor, block } = caretBlock;
  const [before, after] = [new Range(), new Range()];
  before.setStartBefore(editor.firstChild ?? block);
  before.setEndBefore(block);
  after.setStartAfter(block);
  after.setEndAfter(editor.lastChild ?? block);
  CSS.highlights.set(DIMMED_HIGHLIGHT, new Highlight(before, after));
}

/** Dims all blocks but the one being written. */
export function useFocusMode(isOn: boolean): void {
  useEffect(() => {
    if (!isOn || !supportsHighlights()) return undefined;
    document.addEventListener("selectionchange", updateDimming);
    return () => {
      document.removeEventListener("selectionchange", updateDimming);
      CSS.highlights.delete(DIMMED_HIGHLIGHT);
    };
  }, [isOn]);
}
