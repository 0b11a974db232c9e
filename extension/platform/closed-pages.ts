import { words } from "#extension/words/words.ts";

const STORES = new Set(["chromewebstore.google.com", "addons.mozilla.org", "microsoftedge.microsoft.com"]);
const BROWSER =
  /^(?:about|chrome|edge|brave|opera|vivaldi|view-source|devtools|resource|chrome-search|chrome-untrusted):/;

const isStore = ({ hostname, pathname }: URL) =>
  STORES.has(hostname) || (hostname === "chrome.google.com" && pathname.startsWith("/webstore"));

/** Why the extension cannot access a page, as text for the student; undefined for an ordinary page. */
export function whyClosed(address: string, { mayReadFiles }: { mayReadFiles: boolean }): string | undefined {
  if (BROWSER.test(address)) return words.closed_browser;
  if (/^(?:chrome|moz)-extension:/.test(address)) return words.closed_extension;
  if (address.startsWith("file:")) return mayReadFiles ? undefined : words.closed_file;
  return URL.canParse(address) && isStore(new URL(address)) ? words.closed_store : undefined;
}
