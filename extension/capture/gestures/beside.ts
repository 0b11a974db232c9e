import { readVideoAddress } from "#shared/video/addresses.ts";

/** Kind of content in the active tab, judged by its URL alone, without running anything in the page. */
export type Beside = "page" | "pdf" | "video";

export function besideOf(url: string | undefined): Beside {
  if (url === undefined) return "page";
  if (readVideoAddress(url).kind === "youtube") return "video";
  return /^[^?#]+\.pdf(?:[?#]|$)/i.test(url) ? "pdf" : "page";
}
