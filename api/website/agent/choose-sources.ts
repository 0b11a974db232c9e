import { phraseKey } from "#shared/text/words.ts";
import type { SiteDocument } from "#shared/website/schema.ts";
import { listSiteSources } from "../document/read-sources.ts";
import { textOf } from "../propose-title.ts";
import { listThreadMessages } from "../store.ts";
import type { AnswerRun } from "./answer-run.ts";

const MIN_TITLE_CHARS = 4;
const MAX_NAMED = 5;

/**
 * Chooses the sources that the tools of a message may read: the sources of the site, and sources whose titles the
 * student wrote in this conversation. Words of a model or a source never add a source.
 */
export async function chooseSources({ own, input }: AnswerRun, document: SiteDocument | undefined): Promise<string[]> {
  const [sources, messages] = await Promise.all([listSiteSources(own), listThreadMessages(own, input.threadId)]);
  const chosen = document?.sections.flatMap(({ sourceIds }) => sourceIds) ?? [];
  const written = phraseKey(messages.flatMap((message) => (message.role === "user" ? textOf(message) : [])).join(" "));
  // Whole words: "excellent" does not name a page called "Cell".
  const isNamed = (key: string) => key.length >= MIN_TITLE_CHARS && ` ${written} `.includes(` ${key} `);
  const named = sources
    .filter(({ title }) => isNamed(phraseKey(title)))
    .toSorted((a, b) => b.title.length - a.title.length)
    .slice(0, MAX_NAMED);
  const existing = new Set(sources.map(({ id }) => id));
  return [...new Set([...chosen, ...named.map(({ id }) => id)])].filter((id) => existing.has(id));
}
