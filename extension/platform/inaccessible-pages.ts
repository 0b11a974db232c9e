import { words } from "#extension/words/words.ts";

const STORE_HOSTS = new Set(["chromewebstore.google.com", "addons.mozilla.org", "microsoftedge.microsoft.com"]);
const BROWSER_SCHEMES =
  /^(?:about|chrome|edge|brave|opera|vivaldi|view-source|devtools|resource|chrome-search|chrome-untrusted):/;

const isStore = ({ hostname, pathname }: URL) =>
  STORE_HOSTS.has(hostname) || (hostname === "chrome.google.com" && pathname.startsWith("/webstore"));

/** Why the extension cannot access a page, as text for the student; undefined for an ordinary page. */
export function describeInaccessible(address: string, { canReadFiles }: { canReadFiles: boolean }): string | undefined {
  if (BROWSER_SCHEMES.test(address)) return words.inaccessible_browser_page;
  if (/^(?:chrome|moz)-extension:/.test(address)) return words.inaccessible_extension_page;
  if (address.startsWith("file:")) return canReadFiles ? undefined : words.inaccessible_file;
  return URL.canParse(address) && isStore(new URL(address)) ? words.inaccessible_store_page : undefined;
}
