import { useEffect } from "react";

/** Name of the CSS highlight; `page-screen.css` sets its colour. */
const ASIDE = "lamplight-aside";
const EDITOR = ".ProseMirror";
const BLOCK = ".page-text, .page-block";

const canPaintAside = (): boolean => typeof CSS !== "undefined" && "highlights" in CSS;

const blockAt = (node: Node | null | undefined) =>
  (node instanceof Element ? node : node?.parentElement)?.closest(BLOCK);

/** The block with the caret; undefined if the selection spans several blocks. */
function writtenBlock(): { editor: Element; block: Element } | undefined {
  const marked = document.getSelection();
  const block = blockAt(marked?.focusNode);
  const editor = block?.closest(EDITOR);
  return block && editor && blockAt(marked?.anchorNode) === block ? { editor, block } : undefined;
}

/** Highlights everything before and after the block without changing the document, which the editor observes. */
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

/** Dims all blocks but the one being written. */
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
