import { useId, useState } from "react";
import type { StyleIndex } from "#shared/marketing/style-index.ts";
import { word } from "../tools/words.ts";
import type { OwnStyle } from "./own-style.ts";
import { fetchStyle, fetchStyleIndex, searchStyles } from "./style-library.ts";

type Problem = "style_search_failed" | "citation_failed";

/** Finds a style by the name of a journal, university or style guide. The list of names is loaded on first use. */
export function StyleSearch({ onFound }: { onFound: (style: OwnStyle) => void }) {
  const id = useId();
  const [query, setQuery] = useState("");
  const [index, setIndex] = useState<StyleIndex>();
  const [problem, setProblem] = useState<Problem>();
  const load = async () => {
    if (index) return;
    try {
      setIndex(await fetchStyleIndex());
      setProblem(undefined);
    } catch {
      setProblem("style_search_failed");
    }
  };
  const choose = async (entry: StyleIndex[number]) => {
    try {
      const style = await fetchStyle(entry);
      setQuery("");
      setProblem(undefined);
      onFound(style);
    } catch {
      setProblem("citation_failed");
    }
  };
  const found = index ? searchStyles(index, query) : [];
  const isEmpty = index !== undefined && query.trim().length > 1 && found.length === 0;
  return (
    <div className="citation-search">
      <label htmlFor={id} className="visually-hidden">
        {word("style_search")}
      </label>
      <input
        id={id}
        type="search"
        value={query}
        autoComplete="off"
        spellCheck={false}
        placeholder={word("style_search_example")}
        onFocus={() => void load()}
        onChange={(event) => {
          void load();
          setQuery(event.target.value);
        }}
      />
      <p role="status" className="tool-hint">
        {problem === undefined ? isEmpty && word("style_search_none") : word(problem)}
      </p>
      {found.length > 0 && <FoundStyles found={found} onChoose={(entry) => void choose(entry)} />}
    </div>
  );
}

function FoundStyles({ found, onChoose }: { found: StyleIndex; onChoose: (entry: StyleIndex[number]) => void }) {
  return (
    <ul aria-label={word("style_search_found")}>
      {found.map((entry) => (
        <li key={entry.join(" ")}>
          <button type="button" onClick={() => onChoose(entry)}>
            {entry[0]}
          </button>
        </li>
      ))}
    </ul>
  );
}
