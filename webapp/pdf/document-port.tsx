import type { WindowBox } from "#webapp/app/track-range.ts";
import { createContext, useContext, type ComponentType, type ReactNode } from "react";

/** A text selection in a document, with the context needed to find it again. */
export interface SelectedPassage {
  componentId: string;
  /** The name of the document. */
  source: string;
  page: number;
  quote: string;
  /** The page of the library that the document is on. */
  pageId: string;
  /** The selection's bounding box in the window. */
  findBox: () => WindowBox;
  prefix: string;
  suffix: string;
  /** In the format of `shared/citations.ts`. */
  citation: string;
}

/** An item of the selection menu, provided by another feature. */
export interface SelectionAction {
  id: string;
  label: string;
  icon: ReactNode;
  /** The key that runs it while text is selected. */
  key?: string;
  /** Shown before the colours, with its key. */
  isFirst?: boolean;
  run: (passage: SelectedPassage) => void;
}

/** A side panel of the document, provided by another feature. */
export interface DocumentPanel {
  id: string;
  label: string;
  Panel: ComponentType;
}

/** The interface through which side panels call the document next to them. */
export interface DocumentPort {
  componentId: string;
  /** The page of the library that the document is on. */
  pageId: string;
  name: string;
  pageCount: number;
  /** The current page. */
  currentPage: () => number;
  /** Goes to a page and highlights the quote. */
  showPage: (page: number, quote?: string) => void;
  /** Goes to a heading; without it, the page of the heading is shown. */
  showHeading?: (page: number, title: string) => void;
  /** Opens a panel by its id. */
  openPanel: (id: string) => void;
}

const DocumentPortContext = createContext<DocumentPort | null>(null);
export const DocumentPortProvider = DocumentPortContext.Provider;

/** The document next to this panel. Throws outside a document. */
export function useDocumentPort(): DocumentPort {
  const port = useContext(DocumentPortContext);
  if (!port) throw new Error("A document panel must be used inside a document");
  return port;
}
