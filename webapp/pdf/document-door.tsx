import { createContext, useContext, type ComponentType, type ReactNode } from "react";

/** What the student has selected in a document, so that it can be found again. */
export interface SelectedPassage {
  componentId: string;
  /** The name of the document. */
  source: string;
  page: number;
  quote: string;
  prefix: string;
  suffix: string;
  /** As `shared/citations.ts` writes it. */
  citation: string;
}

/** Something another feature can do with a selected passage: one item of the selection's menu. */
export interface SelectionAction {
  id: string;
  label: string;
  icon: ReactNode;
  run: (passage: SelectedPassage) => void;
}

/** A tab beside the document that another feature fills. */
export interface DocumentPanel {
  id: string;
  label: string;
  icon: ReactNode;
  Panel: ComponentType;
}

/** What panels of other features may ask of the document that they stand beside. */
export interface DocumentDoor {
  componentId: string;
  name: string;
  pageCount: number;
  /** The page that is read now. */
  page: () => number;
  /** Turns to a page and lights the words quoted from it. */
  show: (page: number, quote?: string) => void;
  /** Shows a panel by its id. */
  openPanel: (id: string) => void;
}

const DocumentDoorContext = createContext<DocumentDoor | null>(null);
export const DocumentDoorProvider = DocumentDoorContext.Provider;

/** The document around a panel; a panel that stands elsewhere has none. */
export function useDocumentDoor(): DocumentDoor {
  const door = useContext(DocumentDoorContext);
  if (!door) throw new Error("a panel stands outside a document");
  return door;
}
