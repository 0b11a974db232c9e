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

/** Calls that are run for one question. */
const MAX_CALLS = 4;
const FOUND_FOR_EACH = 5;
/** A question whose words of matter stand in what was found, up to this share, needs no second look. */
const MIN_FOUND = 0.5;
/** So much of a word is enough to know it by, whatever its ending. */
const STEM = 5;
/** The student waits meanwhile: after this the answer begins with what was found. */
const PATIENCE_MS = 15_000;

/** Whether the words of a question stand in the passages that were found for it. */
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
  /** The cards that come due, in words. */
  schedule: () => Promise<string>;
  ownerId: string;
  signal: AbortSignal;
}

/**
 * Lets the model look again where the words of the question found little: with other words, in the languages of the
 * sources, or at the cards that come due. It chooses before it has read anything of a source: the request holds the
 * student's own words alone, so that nothing that stands in a file can ask for a tool. What was found joins `grounds`;
 * what was looked up otherwise is given back.
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
    // The answer itself will say what ails the server.
    looking.librarian.log.info({ err: error }, "nothing further was looked up");
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
      // What was looked for on purpose comes before what the words of the question brought.
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
