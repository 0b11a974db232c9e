/** Query parameters for tracking, which do not change the page. */
const TRACKING = /^(?:utm_\w+|fbclid|gclid|dclid|msclkid|mc_[ce]id|igshid|ref_src|ref_url|si|_hs\w+|yclid)$/i;
const MAX_ADDRESS = 4000;

const YOUTUBE = /^(?:www\.|m\.|music\.)?youtube\.com$/;

/** The canonical address of a YouTube video; `readVideoAddress` supports more forms. */
function videoOf({ hostname, pathname, searchParams }: URL): string | undefined {
  const named =
    hostname === "youtu.be" ? pathname.slice(1) : YOUTUBE.test(hostname) ? videoIdInPath(pathname, searchParams) : "";
  return /^[\w-]{11}$/.test(named) ? `https://www.youtube.com/watch?v=${named}` : undefined;
}

const videoIdInPath = (path: string, query: URLSearchParams) =>
  path === "/watch" ? (query.get("v") ?? "") : (/^\/(?:shorts|live|embed)\/([^/]+)/.exec(path)?.[1] ?? "");

/** The canonical address of a page, independent of how it was reached; undefined if it is not a web page. */
export function normaliseAddress(text: string): string | undefined {
  if (!URL.canParse(text)) return undefined;
  const url = new URL(text);
  if (url.protocol !== "https:" && url.protocol !== "http:" && url.protocol !== "file:") return undefined;
  const video = videoOf(url);
  if (video !== undefined) return video;
  url.username = "";
  url.password = "";
  const tracking = [...url.searchParams.keys()].filter((name) => TRACKING.test(name));
  for (const name of tracking) url.searchParams.delete(name);
  // A fragment that is a client-side route names another page; other fragments are positions on the same page.
  if (!/^#!?\//.test(url.hash)) url.hash = "";
  return url.href.length > MAX_ADDRESS ? undefined : url.href;
}

/** Host and path, as in a web citation. */
export function webCitationLocation(address: string): string {
  const url = new URL(address);
  return `${url.host}${url.pathname}`;
}

/** The document page in an address, as in `#page=7`; undefined without one. */
export function pageOfAddress(text: string): number | undefined {
  const page = Number(/#(?:.*&)?page=(\d{1,6})(?:&|$)/.exec(text)?.[1] ?? 0);
  return page >= 1 ? page : undefined;
}

const RANGE = /^\s*(\d{1,6})\s*(?:(?:-|–|—|to)\s*(\d{1,6})\s*)?$/;

/** Parses "3-7" or "5" as pages, the lower one first; undefined for anything else. */
export function parsePageRange(text: string): { from: number; to: number } | undefined {
  const found = RANGE.exec(text);
  const [from, to] = [Number(found?.[1]), Number(found?.[2] ?? found?.[1])];
  if (!found || from < 1 || to < 1) return undefined;
  return { from: Math.min(from, to), to: Math.max(from, to) };
}

/** The text spoken between two times, with the times of the lines used. */
export function textBetween(
  lines: readonly { startMs: number; endMs: number; text: string }[],
  fromMs: number,
  toMs: number,
): { text: string; startMs: number; endMs: number } | undefined {
  const spokenLines = lines.filter(({ startMs, endMs }) => endMs > fromMs && startMs < toMs);
  const [first, last] = [spokenLines[0], spokenLines.at(-1)];
  if (!first || !last) return undefined;
  const text = spokenLines.map((line) => line.text).join(" ");
  return { text, startMs: first.startMs, endMs: Math.max(last.endMs, first.startMs) };
}
