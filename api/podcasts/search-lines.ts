import { foldText } from "#shared/text/fold-text.ts";
import type { FoundLine } from "#shared/podcasts/schema.ts";
import type { Own } from "#api/store/owned-store.ts";
import { listPodcasts, listScripts, type PodcastDoc } from "./store.ts";

/** Only the latest episodes are searched. */
const MAX_PODCASTS = 50;
const MAX_LINES_PER_EPISODE = 3;
const MAX_ACCOUNTS = 50;
const WORD = /[\p{L}\p{N}]+/gu;

interface SearchableLine extends FoundLine {
  words: readonly string[];
}

interface AccountLines {
  version: string;
  lines: readonly SearchableLine[];
}

/** Lines by owner, for the accounts that searched last, so that a key press does not read every script again. */
const cache = new Map<string, AccountLines>();

const wordsOf = (text: string): readonly string[] => foldText(text).match(WORD) ?? [];

async function readLines(own: Own, podcasts: readonly PodcastDoc[]): Promise<SearchableLine[]> {
  const scripts = await listScripts(
    own,
    podcasts.map(({ _id }) => _id),
  );
  const linesOf = new Map(scripts.map(({ _id, lines }) => [_id, lines]));
  return podcasts.flatMap(({ _id: podcastId, title }) =>
    (linesOf.get(podcastId) ?? []).flatMap(({ text, speaker, startMs }) =>
      startMs === undefined ? [] : [{ podcastId, title, text, speaker, startMs, words: wordsOf(text) }],
    ),
  );
}

async function findLines(own: Own): Promise<readonly SearchableLine[]> {
  const podcasts = (await listPodcasts(own))
    .filter(({ status, is_archived: isArchived }) => status === "completed" && !isArchived)
    .slice(0, MAX_PODCASTS);
  if (podcasts.length === 0) return [];
  const version = podcasts.map(({ _id, attempt, title }) => `${_id}.${attempt}.${title}`).join();
  const cached = cache.get(own.ownerId);
  cache.delete(own.ownerId);
  const current = cached?.version === version ? cached : { version, lines: await readLines(own, podcasts) };
  cache.set(own.ownerId, current);
  const [oldest] = cache.keys();
  if (cache.size > MAX_ACCOUNTS && oldest !== undefined) cache.delete(oldest);
  return current.lines;
}

/** Finds lines that contain every word of the query, the latest episode first. The last word may be incomplete. */
export async function searchLines(own: Own, query: string, limit: number): Promise<FoundLine[]> {
  const typed = wordsOf(query);
  const last = typed.at(-1);
  if (last === undefined) return [];
  const whole = typed.slice(0, -1);
  const counts = new Map<string, number>();
  const found: FoundLine[] = [];
  for (const { words, ...line } of await findLines(own)) {
    const matches = whole.every((word) => words.includes(word)) && words.some((word) => word.startsWith(last));
    const count = counts.get(line.podcastId) ?? 0;
    if (!matches || count >= MAX_LINES_PER_EPISODE) continue;
    counts.set(line.podcastId, count + 1);
    found.push(line);
    if (found.length >= limit) break;
  }
  return found;
}
