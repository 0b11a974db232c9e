import { createContext, useContext, type ComponentType } from "react";
import { atom } from "jotai/vanilla";
import type { Flashcard } from "#shared/flashcards/schema.ts";
import type { Block } from "#shared/pages/document.ts";

/** Props of a block, whichever feature renders it. */
export interface BlockProps {
  pageId: string;
  block: Block;
  isSelected: boolean;
  /** Applies the student's change: shows, stores and syncs it. */
  edit: (content: Record<string, unknown>) => void;
  /** Removes the block, with a confirmation where the rules require one. */
  remove: () => void;
}

export type BlockKinds = Readonly<Record<string, ComponentType<BlockProps>>>;

export interface PageSource {
  componentId: string;
  /** The file's name. */
  name: string;
  /** The title of the document or video. */
  title: string;
  /** Videos are read through their transcript, pictures through their text; documents have pages to choose from. */
  kind: "document" | "video" | "picture";
}

export interface PagePicture {
  fileId: string;
  name: string;
  /** The source the picture was taken from. */
  citation: string | null;
}

export interface QuotesPort {
  contains(quote: string): boolean;
  subscribe(listener: () => void): () => void;
}

/** The interface through which blocks and dialogs of other features call their page. */
export interface PagePort {
  pageId: string;
  /** PDFs, Word and PowerPoint files, videos and pictures on the page. */
  listSources(): PageSource[];
  /** Pictures on the page that occlusion cards can be made from. */
  listPictures(): PagePicture[];
  /** The full text of the page. */
  getText(): string;
  /** Adds a deck to the page; resolves once it exists on the server and can be written to. An abort removes it. */
  addDeck(title: string, signal: AbortSignal): Promise<string>;
  /** Adds a card to the first deck of the page, or to a new one with this title. */
  addCard(card: Flashcard, newDeck: string): void;
  /** Adds blocks at the end of the page, as if the student had written them. */
  addBlocks(blocks: readonly Block[]): void;
  /** Checks whether a quote is on the page, and notifies when that may have changed. */
  quotes: QuotesPort;
  getContent(componentId: string): Record<string, unknown> | undefined;
  /** Applies content that the server already has, such as appended cards. */
  receive(componentId: string, content: Record<string, unknown>, version: number | undefined): void;
  /** Opens a document on this page. */
  openFile(componentId: string): void;
  openCardGenerator(componentId?: string): void;
}

/** The port of the open page, for panels next to it. */
export const openPagePortAtom = atom<PagePort | null>(null);

const PagePortContext = createContext<PagePort | null>(null);
export const PagePortProvider = PagePortContext.Provider;

export function usePagePort(): PagePort {
  const port = useContext(PagePortContext);
  if (!port) throw new Error("A block must be used inside a page");
  return port;
}
