import { useCallback, useMemo, useState } from "react";
import { foldForMatching } from "#shared/pdf/anchoring/text-folding.ts";
import type { Passage } from "#shared/pdf/schema.ts";
import { EMPTY_FIND_VIEW, findMatches, type FindView, type Match } from "./find.ts";

export interface TextFind {
  /** The `page` of a match is the index of its passage. */
  view: FindView;
  find: (query: string) => void;
  step: (direction: 1 | -1) => void;
}

/** Normalises the passages at the first search, because a textbook has thousands of them. */
function createSearch(passages: readonly Passage[]): (query: string) => Match[] {
  let folded: ReturnType<typeof foldForMatching>[] | undefined;
  return (query) => {
    if (query.trim() === "") return [];
    folded ??= passages.map(({ text }) => foldForMatching(text));
    return folded.flatMap((text, index) => findMatches(text, query, index));
  };
}

/** Finds words in the passages of a text document. */
export function useTextFind(passages: readonly Passage[]): TextFind {
  const [view, setView] = useState(EMPTY_FIND_VIEW);
  const search = useMemo(() => createSearch(passages), [passages]);
  const find = useCallback(
    (query: string) => {
      const matches = search(query);
      setView({ ...EMPTY_FIND_VIEW, query, matches, currentIndex: matches.length > 0 ? 0 : -1 });
    },
    [search],
  );
  const step = useCallback((direction: 1 | -1) => {
    setView((shown) => {
      const { length } = shown.matches;
      return length === 0 ? shown : { ...shown, currentIndex: (shown.currentIndex + direction + length) % length };
    });
  }, []);
  return { view, find, step };
}
