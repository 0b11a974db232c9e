import { Fragment, type Node as PmNode, type Slice } from "@tiptap/pm/model";
import { Selection, TextSelection } from "@tiptap/pm/state";
import type { EditorView } from "@tiptap/pm/view";
import { findBlockAt, removeBlock } from "../chunks.ts";
import { NEW_IDS } from "../structure.ts";

/** A pasted picture to be fetched and inserted below a block. */
export interface PastedPicture {
  /** Address or data URL, as in the source page. */
  source: string;
  name: string;
  after: string | undefined;
}

/** Smaller pictures are tracking pixels or horizontal lines. */
const MIN_PX = 3;
const MAX_PICTURES = 100;

const isSmall = (picture: HTMLImageElement) =>
  [picture.getAttribute("width"), picture.getAttribute("height")].some((px) => px !== null && Number(px) < MIN_PX);

/** Replaces each picture with a marker element after its block, or after the table that contains it. */
export function insertPictureMarkers(body: HTMLElement): void {
  const lastMarkers = new Map<Element, Element>();
  for (const picture of [...body.querySelectorAll("img")].slice(0, MAX_PICTURES)) {
    const source = picture.getAttribute("src") ?? "";
    const container = picture.closest("table") ?? picture.closest("p, li, h1, h2, h3, h4, h5, h6, blockquote, figure");
    const marker = body.ownerDocument.createElement("div");
    marker.dataset["picture"] = source;
    marker.title = picture.alt;
    if (source === "" || isSmall(picture)) picture.remove();
    else if (!container) picture.replaceWith(marker);
    else {
      (lastMarkers.get(container) ?? container).after(marker);
      lastMarkers.set(container, marker);
      picture.remove();
    }
  }
}

/** The placeholder node for a picture marker, until the pictures are extracted. */
export const readPictureMarker = (element: HTMLElement) => ({
  type: "image",
  content: { pasted: element.dataset["picture"] ?? "", name: element.title },
});

function getPasted(node: PmNode): { pasted: string; name: string } | undefined {
  const { pasted, name } = (node.attrs["content"] ?? {}) as { pasted?: unknown; name?: unknown };
  return typeof pasted === "string" ? { pasted, name: String(name) } : undefined;
}

export const hasPictures = ({ content }: Slice): boolean => content.content.some((node) => getPasted(node));

/** Separates blocks and pictures; blocks get ids now, so that pictures can be inserted after them later. */
function separatePictures(slice: Slice, line: string, newId: () => string) {
  const blocks: PmNode[] = [];
  const pictures: PastedPicture[] = [];
  let after = line;
  slice.content.forEach((node) => {
    const picture = getPasted(node);
    if (picture) pictures.push({ source: picture.pasted, name: picture.name, after });
    else {
      after = newId();
      blocks.push(node.type.create({ ...node.attrs, id: after }, node.content, node.marks));
    }
  });
  return { blocks, pictures };
}

export interface PastedPictureHandler {
  newId: () => string;
  take: (pictures: readonly PastedPicture[]) => void;
}

/** Pastes content with pictures below the caret's line; the pictures follow as they are fetched. */
export function pasteWithPictures(view: EditorView, slice: Slice, { newId, take }: PastedPictureHandler): boolean {
  if (!hasPictures(slice)) return false;
  const { tr } = view.state;
  if (tr.selection instanceof TextSelection && !tr.selection.empty) tr.deleteSelection();
  const line = findBlockAt(tr.selection.$from);
  if (!line) return false;
  const { blocks, pictures } = separatePictures(slice, String(line.node.attrs["id"]), newId);
  if (blocks.length > 0) {
    const end = line.pos + line.node.nodeSize;
    tr.insert(end, Fragment.from(blocks));
    const after = end + blocks.reduce((size, node) => size + node.nodeSize, 0);
    const isEmptyLine = line.node.type.name === "text_block" && line.node.content.size === 0;
    // A leading picture still needs the line as its anchor.
    const isNeeded = pictures[0]?.after === String(line.node.attrs["id"]);
    const steps = tr.steps.length;
    if (isEmptyLine && !isNeeded) removeBlock(tr, line.pos);
    tr.setSelection(Selection.near(tr.doc.resolve(tr.mapping.slice(steps).map(after)), -1));
    tr.setMeta(
      NEW_IDS,
      blocks.map((node) => String(node.attrs["id"])),
    );
  }
  view.dispatch(tr.scrollIntoView().setMeta("paste", true).setMeta("uiEvent", "paste"));
  take(pictures);
  return true;
}

/** Moves the caret to the drop position. */
export function moveCaretToDrop(view: EditorView, { clientX, clientY }: DragEvent): void {
  const coords = view.posAtCoords({ left: clientX, top: clientY });
  if (!coords) return;
  const $pos = view.state.doc.resolve(coords.pos);
  view.dispatch(view.state.tr.setSelection(TextSelection.near($pos)));
}
