import { phrase } from "#shared/tutor/phrases.ts";
import type { AnswerBuilder } from "./answer-builder.ts";
import type { RetrievalResult } from "./retrieve.ts";

const MAX_TITLES = 3;

/** Names the sources that could not be read yet. */
export function writeUnreadNotice(answer: AnswerBuilder, { unread }: RetrievalResult): void {
  if (unread.length === 0) return;
  const titles = { list: unread.slice(0, MAX_TITLES).map(({ title }) => title) };
  const more = unread.length - titles.list.length;
  answer.write("\n\n", more > 0 ? phrase("unread_more", { titles, more }) : phrase("unread", { titles }));
}
