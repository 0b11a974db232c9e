import { createContext, useContext, type ComponentType } from "react";
import { atom } from "jotai/vanilla";
import type { Block } from "#shared/pages/document.ts";

/** What a block is shown with, whichever feature shows it. */
export interface BlockProps {
  pageId: string;
  block: Block;
  isSelected: boolean;
  /** The student's own change: kept, sent, and shown at once. */
  edit: (content: Record<string, unknown>) => void;
  /** Takes the block off the page, asking first where the rules say so. */
  remove: () => void;
}

export type BlockKinds = Readonly<Record<string, ComponentType<BlockProps>>>;

export interface PageSource {
  componentId: string;
  name: string;
  /** A video is read by what is said in it, a picture by what stands on it; a document has pages to choose from. */
  kind: "document" | "video" | "picture";
}

export interface PagePicture {
  fileId: string;
  name: string;
  /** Where the picture was taken from. */
  citation: string | null;
}

export interface Quotes {
  holds(quote: string): boolean;
  subscribe(listener: () => void): () => void;
}

/** What blocks and dialogs of other features may ask of the page they stand on. */
export interface PageDoor {
  pageId: string;
  /** PDFs, Word and PowerPoint files, videos and pictures on the page. */
  sources(): PageSource[];
  /** Pictures on the page, whose parts can be hidden. */
  pictures(): PagePicture[];
  /** Everything written on the page. */
  text(): string;
  /** Puts a deck on the page; resolves once the server has it, so that it can be written to there. */
  addDeck(title: string): Promise<string>;
  /** Puts blocks at the end of the page, as if the student had written them. */
  addBlocks(blocks: readonly Block[]): void;
  /** Whether these words stand on the page now, and how to be told when that may be otherwise. */
  quotes: Quotes;
  contentOf(componentId: string): Record<string, unknown> | undefined;
  /** A content the server has already, as when it appends cards. */
  receive(componentId: string, content: Record<string, unknown>, version: number | undefined): void;
  /** Opens a document of this page. */
  openFile(componentId: string): void;
  askForCards(componentId?: string): void;
}

/** The door of the page that is open, for what stands beside it. */
export const openDoorAtom = atom<PageDoor | null>(null);

const PageDoorContext = createContext<PageDoor | null>(null);
export const PageDoorProvider = PageDoorContext.Provider;

export function usePageDoor(): PageDoor {
  const door = useContext(PageDoorContext);
  if (!door) throw new Error("a block stands outside a page");
  return door;
}
