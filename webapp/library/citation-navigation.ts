import { citationAddress, type Citation } from "#shared/citations.ts";
import { goTo } from "#webapp/app/navigation.ts";

let hasNavigated = false;

/** Whether a citation can be opened inside the app. */
export const canOpenInApp = (citation: Citation): boolean => citationAddress(citation) !== undefined;

/** Opens the cited location with the quote highlighted. Going back returns to the current screen. */
export function openCitation(citation: Citation): void {
  const address = citationAddress(citation);
  if (address === undefined) return;
  hasNavigated = true;
  goTo(address);
}

/** Words of a quote in a text fragment: enough to find the passage. */
const FRAGMENT_WORDS = 8;

/** The address of a web page, with a `utm_source` parameter and the quoted words as a text fragment; "" if it is none. */
export function webSourceHref(url: string, quote?: string | null): string {
  const address = URL.parse(url);
  if (!address || !/^https?:$/.test(address.protocol)) return "";
  address.searchParams.set("utm_source", "lamplight");
  const words = quote?.split(/\s+/).slice(0, FRAGMENT_WORDS).join(" ");
  if (words === undefined) return address.href;
  return `${address.href}${address.hash === "" ? "#" : ""}:~:text=${encodeURIComponent(words)}`;
}

/** The address of a cited web page; undefined for other citations and for files of the device, which have no host. */
export function webCitationHref(citation: Citation): string | undefined {
  if (citation.type !== "web_citation" || citation.location.startsWith("/")) return undefined;
  return webSourceHref(`https://${citation.location}`, citation.quote) || undefined;
}

/** Opens a document of the student at a page, which the path contains. */
export function openDocumentAt(path: string): void {
  hasNavigated = true;
  goTo(path);
}

/** Whether a citation or document was opened inside the app, so that going back stays in the app. */
export const hasInAppHistory = (): boolean => hasNavigated && history.length > 1;
