import { type StyleIndex, STYLES_PER_FILE } from "#shared/marketing/style-index.ts";
import { type OwnStyle, readStyle } from "./own-style.ts";

const MAX_FOUND = 8;

const fold = (text: string) =>
  text
    .normalize("NFD")
    .replaceAll(/\p{M}/gu, "")
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, " ")
    .trim();

/**
 * Ranks a match; 0 is the best. A name equal to the query comes first, then a name that starts with it, then a name
 * that contains it as whole words. The title may end with a short name in brackets, which counts like the name.
 */
function rankOf(title: string, query: string): number {
  const name = fold(title);
  const ownNames = [name, fold(/\(([^()]+)\)$/.exec(title)?.[1] ?? "")];
  if (ownNames.includes(query)) return 0;
  if (ownNames.some((ownName) => ownName.startsWith(`${query} `))) return 1;
  if (ownNames.some((ownName) => ownName.startsWith(query))) return 2;
  return ` ${name} `.includes(` ${query} `) ? 3 : 4;
}

/** The styles whose name has every word of the query, best matches first. */
export function searchStyles(index: StyleIndex, text: string): StyleIndex {
  const query = fold(text);
  if (query.length < 2) return [];
  const words = query.split(" ");
  return index
    .map((entry) => ({ entry, name: fold(entry[0]) }))
    .filter(({ name }) => words.every((queryWord) => ` ${name}`.includes(` ${queryWord}`)))
    .map(({ entry, name }) => ({ entry, rank: rankOf(entry[0], query), length: name.length }))
    .toSorted((a, b) => a.rank - b.rank || a.length - b.length)
    .slice(0, MAX_FOUND)
    .map(({ entry }) => entry);
}

const folder = () => new URL(`${import.meta.env.VITE_STYLES}/`, location.origin);

async function fetchFile(name: string): Promise<Response> {
  const response = await fetch(new URL(name, folder()));
  if (!response.ok) throw new Error(`${name} answered ${response.status}`);
  return response;
}

export const fetchStyleIndex = async (): Promise<StyleIndex> =>
  (await (await fetchFile("names.json")).json()) as StyleIndex;

/** Throws if the style cannot be fetched. */
export async function fetchStyle([name, position]: StyleIndex[number]): Promise<OwnStyle> {
  const { body } = await fetchFile(`${Math.floor(position / STYLES_PER_FILE)}.bin`);
  const texts = (await new Response(body?.pipeThrough(new DecompressionStream("gzip"))).json()) as string[];
  const style = readStyle(texts[position % STYLES_PER_FILE] ?? "");
  if (typeof style === "string") throw new Error(`${name} is not a style`);
  return { ...style, id: `found:${name}`, name };
}
