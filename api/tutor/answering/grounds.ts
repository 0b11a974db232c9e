import { matterOf, namesWhole } from "#shared/engine/errands.ts";
import { searchTerms } from "#shared/engine/search-terms.ts";
import type { Ground as Chosen, Selection } from "#shared/tutor/schema.ts";
import { findPassages, openSources, type Librarian, type Source } from "#api/library/service.ts";
import type { Ground } from "./answer.ts";

export interface Question {
  text: string;
  selection: Selection | null;
  ground: Chosen;
  /** The student's previous question. */
  before: string | undefined;
  /** If there are no search terms, read the latest sources: for a quiz about everything. */
  mayReadAnything: boolean;
}

export interface FoundGrounds {
  grounds: Ground[];
  /** All sources that this answer may use. */
  sources: Source[];
  unread: Source[];
}

/** How long an answer waits for sources to be indexed; later ones are available to the next answer. */
const PATIENCE_MS = 20_000;
const PATIENCE_EVERYTHING_MS = 5_000;
/** With this few content words, the previous question is searched for as well. */
const FEW_TERMS = 2;
const OVERVIEW_SOURCES = 4;
const OVERVIEW_PASSAGES = 90;

function wordsToSearch({ text, selection, before }: Question): string {
  const matter = matterOf(text);
  const isThin = searchTerms(matter).length <= FEW_TERMS;
  const isFollowUp = isThin && !selection && !namesWhole(text);
  const earlier = isFollowUp && before !== undefined ? matterOf(before) : "";
  return [matter, selection?.text ?? "", earlier].join(" ").trim();
}

/** Retrieves passages for a question, best first; for a question about a whole source, its beginning. */
export async function findGrounds(librarian: Librarian, question: Question, limit: number): Promise<FoundGrounds> {
  const { ground } = question;
  const isChosen = ground.kind === "chosen";
  const patience = isChosen ? PATIENCE_MS : PATIENCE_EVERYTHING_MS;
  const { sources, unread } = await openSources(librarian, isChosen ? ground : undefined, patience);
  const sourceIds = [...sources.keys()];
  const text = wordsToSearch(question);
  const request = { text, limit, ...(isChosen && { sourceIds }) };
  const hits = sources.size === 0 ? [] : await findPassages(librarian, request);
  const grounds = hits.flatMap(({ sourceId, ...found }): Ground[] => {
    const source = sources.get(sourceId);
    return source ? [{ source, ...found }] : [];
  });
  const isAboutWhole = searchTerms(text).length === 0;
  const found =
    isAboutWhole && (isChosen || question.mayReadAnything) ? await readFrom(librarian, [...sources.values()]) : grounds;
  return { grounds: found, sources: [...sources.values()], unread };
}

async function readFrom({ own, index }: Librarian, sources: readonly Source[]): Promise<Ground[]> {
  const read = sources.slice(0, OVERVIEW_SOURCES).map(async (source) => {
    const passages = await index.read(own.ownerId, source.id, { from: 0, limit: OVERVIEW_PASSAGES });
    return passages.flatMap((passage, place) =>
      passage.kind === "heading" ? [] : [{ source, passage, place, score: 1 }],
    );
  });
  return (await Promise.all(read)).flat();
}
