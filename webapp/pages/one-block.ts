import { useEffect } from "react";

/** What steps back; its colour stands in the page's style sheet. */
const ASIDE = "lamplight-aside";
const EDITOR = ".ProseMirror";
const BLOCK = ".page-text, .page-block";

const canPaintAside = (): boolean => typeof CSS !== "undefined" && "highlights" in CSS;

const blockAt = (node: Node | null | undefined) =>
  (node instanceof Element ? node : node?.parentElement)?.closest(BLOCK);

/** The block that holds the caret, within its editor; nothing where more than one block is marked. */
function writtenBlock(): { editor: Element; block: Element } | undefined {
  const marked = document.getSelection();
  const block = blockAt(marked?.focusNode);
  const editor = block?.closest(EDITOR);
  return block && editor && blockAt(marked?.anchorNode) === block ? { editor, block } : undefined;
}

/** Paints what lies before and behind the block, without a touch on the document that the editor watches. */
function paint(): void {
  const written = writtenBlock();
  if (!written) return void CSS.highlights.delete(ASIDE);
  const { editor, block } = written;
  const [before, behind] = [new Range(), new Range()];
  before.setStartBefore(editor.firstChild ?? block);
  before.setEndBefore(block);
  behind.setStartAfter(block);
  behind.setEndAfter(editor.lastChild ?? block);
  CSS.highlights.set(ASIDE, new Highlight(before, behind));
}

/** While one block of a page is written, the words of the others step back. */
export function useOneBlock(isOn: boolean): void {
  useEffect(() => {
    if (!isOn || !canPaintAside()) return undefined;
    document.addEventListener("selectionchange", paint);
    return () => {
      document.removeEventListener("selectionchange", paint);
      CSS.highlights.delete(ASIDE);
    };
  }, [isOn]);
}
