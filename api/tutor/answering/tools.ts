import { z } from "zod";
import { searchTerms } from "#shared/engine/search-terms.ts";
import type { Model, Tool } from "#api/ai/port.ts";
import { lookupPrompt } from "#api/ai/prompts/tutor.ts";
import { makeTool } from "#api/ai/openai/tools.ts";
import { findPassages, type Librarian } from "#api/library/service.ts";
import type { Ground } from "./answer.ts";
import type { FoundGrounds } from "./grounds.ts";
import type { Said } from "../history.ts";
import type { MessageDoc } from "../store.ts";

/** Tool calls per question. */
const MAX_CALLS = 4;
const FOUND_FOR_EACH = 5;
/** No lookup if at least this share of the question's content words occurs in the retrieved passages. */
const MIN_FOUND = 0.5;
/** Prefix length that identifies a word regardless of its ending. */
const STEM = 5;
/** The student is waiting: after this the answer starts with what was found. */
const PATIENCE_MS = 15_000;

/** Whether the retrieved passages cover the words of a question. */
function isFound(text: string, { grounds }: FoundGrounds): boolean {
  const terms = [...new Set(searchTerms(text))];
  if (terms.length === 0) return true;
  const held = grounds.map(({ passage }) => passage.text.toLocaleLowerCase()).join("\n");
  const known = terms.filter((term) => held.includes(term.slice(0, STEM))).length;
  return known / terms.length >= MIN_FOUND;
}

interface Looking {
  librarian: Librarian;
  question: MessageDoc;
  said: readonly Said[];
  found: FoundGrounds;
  schedule: () => Promise<string>;
  ownerId: string;
  signal: AbortSignal;
}

/**
 * Lets the model search again with other words, or list due cards, if retrieval found little. The model sees only the
 * student's own words at this point, so no text in a source can trigger a tool (prompt injection). New passages are
 * added to `found`; the schedule is returned.
 */
export async function lookFurther(model: Model, looking: Looking): Promise<string | undefined> {
  const { question, said, found, ownerId } = looking;
  const isOwnWords = question.selection === null && (question.mode === "explain" || question.mode === "socratic");
  if (!model.useTools || !isOwnWords || found.sources.length === 0 || isFound(question.text, found)) return undefined;
  let schedule: string | undefined;
  const due = async () => {
    schedule = await looking.schedule();
  };
  const earlier = said.filter(({ role }) => role === "user").map(({ text }) => text);
  const asked = { ...lookupPrompt(earlier, question.text), tools: [searchTool(looking), dueTool(due)] };
  const signal = AbortSignal.any([looking.signal, AbortSignal.timeout(PATIENCE_MS)]);
  await model.useTools({ ...asked, atMost: MAX_CALLS, ownerId, signal }).catch((error: unknown) => {
    looking.signal.throwIfAborted();
    // If the server is failing, the answer itself will report it.
    looking.librarian.log.info({ err: error }, "lookup failed");
  });
  return schedule;
}

function searchTool({ librarian, found }: Looking): Tool {
  return makeTool({
    name: "search_sources",
    description: "Searches the student's own notes, documents, decks and videos for passages that hold these words.",
    form: z.object({ query: z.string().min(1).max(300).describe("A few words that a passage would hold") }),
    run: async ({ query }) => {
      const known = new Map(found.sources.map((source) => [source.id, source]));
      const seen = new Set(found.grounds.map(({ source, passage }) => `${source.id} ${passage.id}`));
      const request = { text: query, limit: FOUND_FOR_EACH, sourceIds: [...known.keys()] };
      const hits = await findPassages(librarian, request);
      const fresh = hits.flatMap(({ sourceId, ...hit }): Ground[] => {
        const source = known.get(sourceId);
        return source && !seen.has(`${sourceId} ${hit.passage.id}`) ? [{ source, ...hit }] : [];
      });
      // Passages from a deliberate search come before the first results.
      found.grounds.unshift(...fresh);
    },
  });
}

const dueTool = (run: () => Promise<void>): Tool =>
  makeTool({
    name: "list_due_cards",
    description: "Lists how many of the student's flashcards come due on each of the next seven days, by deck.",
    form: z.object({}),
    run,
  });
