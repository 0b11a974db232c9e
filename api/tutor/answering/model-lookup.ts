import { z } from "zod";
import { searchTerms } from "#shared/text/search-terms.ts";
import type { Model, Tool } from "#api/ai/port.ts";
import { buildLookupPrompt } from "#api/ai/prompts/tutor.ts";
import { createTool } from "#api/ai/openai/tools.ts";
import { searchPassages } from "#api/library/embeddings.ts";
import type { SourceIndexDeps } from "#api/library/sources.ts";
import type { RetrievedPassage } from "./answer-builder.ts";
import type { RetrievalResult } from "./retrieve.ts";
import type { ConversationTurn } from "../conversation-history.ts";
import type { MessageDoc } from "../store.ts";

/** Tool calls per question. */
const MAX_CALLS = 4;
const HITS_PER_SEARCH = 5;
/** No lookup if at least this share of the question's content words occurs in the retrieved passages. */
const MIN_COVERED_TERMS = 0.5;
/** Prefix length that identifies a word regardless of its ending. */
const STEM_LENGTH = 5;
/** The student is waiting, so after this time the answer starts with the passages found so far. */
const LOOKUP_TIMEOUT_MS = 15_000;

/** Whether the retrieved passages cover the words of a question. */
function isCovered(text: string, { passages: hits }: RetrievalResult): boolean {
  const terms = [...new Set(searchTerms(text))];
  if (terms.length === 0) return true;
  const passageText = hits.map(({ passage }) => passage.text.toLocaleLowerCase()).join("\n");
  const matched = terms.filter((term) => passageText.includes(term.slice(0, STEM_LENGTH))).length;
  return matched / terms.length >= MIN_COVERED_TERMS;
}

interface LookupContext {
  deps: SourceIndexDeps;
  question: MessageDoc;
  turns: readonly ConversationTurn[];
  found: RetrievalResult;
  schedule: () => Promise<string>;
  ownerId: string;
  signal: AbortSignal;
}

/**
 * Lets the model search again with other words, or list due cards, if retrieval found little. The model sees only the
 * student's own words at this point, so no text in a source can trigger a tool (prompt injection). New passages are
 * added to `found`; the schedule is returned.
 */
export async function lookUpMore(model: Model, context: LookupContext): Promise<string | undefined> {
  const { question, turns, found, ownerId } = context;
  const isPlainQuestion = question.selection === null && (question.mode === "explain" || question.mode === "socratic");
  if (!model.useTools || !isPlainQuestion || found.sources.length === 0 || isCovered(question.text, found))
    return undefined;
  let schedule: string | undefined;
  const runSchedule = async () => {
    schedule = await context.schedule();
  };
  const earlierQuestions = turns.filter(({ role }) => role === "user").map(({ text }) => text);
  const toolRequest = {
    ...buildLookupPrompt(earlierQuestions, question.text),
    tools: [searchTool(context), dueTool(runSchedule)],
  };
  const signal = AbortSignal.any([context.signal, AbortSignal.timeout(LOOKUP_TIMEOUT_MS)]);
  await model.useTools({ ...toolRequest, maxCalls: MAX_CALLS, ownerId, signal }).catch((error: unknown) => {
    context.signal.throwIfAborted();
    // If the server is failing, the answer itself will report it.
    context.deps.log.info({ err: error }, "lookup failed");
  });
  return schedule;
}

function searchTool({ deps, found }: LookupContext): Tool {
  return createTool({
    name: "search_sources",
    description: "Searches the student's own notes, documents, decks and videos for passages that hold these words.",
    schema: z.object({ query: z.string().min(1).max(300).describe("A few words that a passage would hold") }),
    run: async ({ query }) => {
      const matched = new Map(found.sources.map((source) => [source.id, source]));
      const seen = new Set(found.passages.map(({ source, passage }) => `${source.id} ${passage.id}`));
      const request = { text: query, limit: HITS_PER_SEARCH, sourceIds: [...matched.keys()] };
      const hits = await searchPassages(deps, request);
      const newPassages = hits.flatMap(({ sourceId, ...hit }): RetrievedPassage[] => {
        const source = matched.get(sourceId);
        return source && !seen.has(`${sourceId} ${hit.passage.id}`) ? [{ source, ...hit }] : [];
      });
      // Passages from a deliberate search come before the first results.
      found.passages.unshift(...newPassages);
    },
  });
}

const dueTool = (run: () => Promise<void>): Tool =>
  createTool({
    name: "list_due_cards",
    description: "Lists how many of the student's flashcards come due on each of the next seven days, by deck.",
    schema: z.object({}),
    run,
  });
