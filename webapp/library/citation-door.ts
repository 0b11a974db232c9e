import { citationAddress, type Citation } from "#shared/citations.ts";
import { goTo } from "#webapp/app/navigation.ts";

let opened = false;

/** Whether a citation's place is shown inside the product. */
export const opensHere = (citation: Citation): boolean => citationAddress(citation) !== undefined;

/** Goes to the cited place with its words lit; the way back leads to where the student was. */
export function openCitation(citation: Citation): void {
  const address = citationAddress(citation);
  if (address === undefined) return;
  opened = true;
  goTo(address);
}

/** Opens a document of the student's own at one of its pages. */
export function openDocumentAt(path: string): void {
  opened = true;
  goTo(path);
}

/** Whether this visit came to the screen by a press within the product, so that going back stays in it. */
export const cameFromWithin = (): boolean => opened && history.length > 1;
