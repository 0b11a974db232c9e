import type { SiteDocument } from "#shared/website/schema.ts";
import { listSiteSources } from "../document/read-sources.ts";
import { textOf } from "../name-messages.ts";
import { listThreadMessages } from "../store.ts";
import type { AnswerRun } from "./answer-run.ts";

const MIN_TITLE_CHARS = 4;
const MAX_NAMED = 5;

const fold = (text: string) => text.toLowerCase().replaceAll(/\s+/g, " ").trim();

/**
 * What the tools of a message may read: the sources of the site, and those whose titles the student wrote in this
 * conversation. Nothing that a model or a source says adds one.
 */
export async function chooseSources({ own, input }: AnswerRun, document: SiteDocument | undefined): Promise<string[]> {
  const [sources, messages] = await Promise.all([listSiteSources(own), listThreadMessages(own, input.threadId)]);
  const chosen = document?.sections.flatMap(({ sourceIds }) => sourceIds) ?? [];
  const words = fold(messages.flatMap((message) => (message.role === "user" ? textOf(message) : [])).join(" "));
  const named = sources
    .filter(({ title }) => fold(title).length >= MIN_TITLE_CHARS && words.includes(fold(title)))
    .slice(0, MAX_NAMED);
  const existing = new Set(sources.map(({ id }) => id));
  return [...new Set([...chosen, ...named.map(({ id }) => id)])].filter((id) => existing.has(id));
}
