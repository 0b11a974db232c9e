/** Parts of an address that say where the visitor came from, and not what is shown. */
const TRACKING = /^(?:utm_\w+|fbclid|gclid|dclid|msclkid|mc_[ce]id|igshid|ref_src|ref_url|si|_hs\w+|yclid)$/i;
const MAX_ADDRESS = 4000;

const YOUTUBE = /^(?:www\.|m\.|music\.)?youtube\.com$/;

/** A video of YouTube by any address of its page; the same in `readVideoAddress`, which knows more of them. */
function videoOf({ hostname, pathname, searchParams }: URL): string | undefined {
  const named =
    hostname === "youtu.be" ? pathname.slice(1) : YOUTUBE.test(hostname) ? watched(pathname, searchParams) : "";
  return /^[\w-]{11}$/.test(named) ? `https://www.youtube.com/watch?v=${named}` : undefined;
}

const watched = (path: string, query: URLSearchParams) =>
  path === "/watch" ? (query.get("v") ?? "") : (/^\/(?:shorts|live|embed)\/([^/]+)/.exec(path)?.[1] ?? "");

/** An address by which the same page is the same, however it was come to; undefined for what is no page of the web. */
export function normalAddress(text: string): string | undefined {
  if (!URL.canParse(text)) return undefined;
  const url = new URL(text);
  if (url.protocol !== "https:" && url.protocol !== "http:" && url.protocol !== "file:") return undefined;
  const video = videoOf(url);
  if (video !== undefined) return video;
  url.username = "";
  url.password = "";
  const tracking = [...url.searchParams.keys()].filter((name) => TRACKING.test(name));
  for (const name of tracking) url.searchParams.delete(name);
  // A fragment that is a route names another page; any other names a place on the same one.
  if (!/^#!?\//.test(url.hash)) url.hash = "";
  return url.href.length > MAX_ADDRESS ? undefined : url.href;
}

/** Host and path, as a citation of the web carries them. */
export function placeOfAddress(address: string): string {
  const url = new URL(address);
  return `${url.host}${url.pathname}`;
}

/** The page of a document that its address asks for, as in `#page=7`; undefined where it names none. */
export function pageOfAddress(text: string): number | undefined {
  const page = Number(/#(?:.*&)?page=(\d{1,6})(?:&|$)/.exec(text)?.[1] ?? 0);
  return page >= 1 ? page : undefined;
}

const RANGE = /^\s*(\d{1,6})\s*(?:(?:-|–|—|to)\s*(\d{1,6})\s*)?$/;

/** "3-7" or "5" as pages, the lower one first; undefined for anything else. */
export function readPageRange(text: string): { from: number; to: number } | undefined {
  const found = RANGE.exec(text);
  const [from, to] = [Number(found?.[1]), Number(found?.[2] ?? found?.[1])];
  if (!found || from < 1 || to < 1) return undefined;
  return { from: Math.min(from, to), to: Math.max(from, to) };
}

/** What is said between two times, as one text, and the times of the lines that were taken. */
export function wordsBetween(
  lines: readonly { startMs: number; endMs: number; text: string }[],
  fromMs: number,
  toMs: number,
): { text: string; startMs: number; endMs: number } | undefined {
  const said = lines.filter(({ startMs, endMs }) => endMs > fromMs && startMs < toMs);
  const [first, last] = [said[0], said.at(-1)];
  if (!first || !last) return undefined;
  const text = said.map((line) => line.text).join(" ");
  return { text, startMs: first.startMs, endMs: Math.max(last.endMs, first.startMs) };
}
