import { parseVideoAddress } from "#shared/video/addresses.ts";

/** Kind of content in the active tab, judged by its URL alone, without running anything in the page. */
export type TabContent = "page" | "pdf" | "video";

export function tabContentOf(url: string | undefined): TabContent {
  if (url === undefined) return "page";
  if (parseVideoAddress(url).kind === "youtube") return "video";
  return /^[^?#]+\.pdf(?:[?#]|$)/i.test(url) ? "pdf" : "page";
}
