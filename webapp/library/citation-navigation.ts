import { citationAddress, type Citation } from "#shared/citations.ts";
import { goTo } from "#webapp/app/navigation.ts";

let hasNavigated = false;

/** Whether a citation can be opened inside the app. */
export const canOpenInApp = (citation: Citation): boolean => citationAddress(citation) !== undefined;

/** Opens the cited location with the quote highlighted; going back returns to the current screen. */
export function openCitation(citation: Citation): void {
  const address = citationAddress(citation);
  if (address === undefined) return;
  hasNavigated = true;
  goTo(address);
}

/** Opens one of the student's own documents at a page. */
export function openDocumentAt(path: string): void {
  hasNavigated = true;
  goTo(path);
}

/** Whether the current screen was opened by navigation inside the app, so that going back stays in it. */
export const hasInAppHistory = (): boolean => hasNavigated && history.length > 1;
