import { readVideoAddress } from "#shared/video/addresses.ts";

/** What stands beside the panel, as far as its address tells; nothing runs in the page to find out. */
export type Beside = "page" | "pdf" | "video";

export function besideOf(url: string | undefined): Beside {
  if (url === undefined) return "page";
  if (readVideoAddress(url).kind === "youtube") return "video";
  return /^[^?#]+\.pdf(?:[?#]|$)/i.test(url) ? "pdf" : "page";
}
