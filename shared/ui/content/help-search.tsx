import { useEffect, useRef, useState } from "react";
import { type FoundArticle, loadHelpSearch } from "#shared/marketing/help-index-search.ts";
import { TextField } from "#shared/ui/controls/text-field.tsx";
import "./help-search.css";

type Found = { state: "none" } | { state: "failed" } | { state: "ready"; articles: readonly FoundArticle[] };

/** Searches the help articles; the index is loaded with the first query. */
function useHelpSearch(query: string, findIndex: () => Promise<string>, onError: Props["onError"]): Found {
  const [found, setFound] = useState<Found>({ state: "none" });
  const search = useRef<ReturnType<typeof loadHelpSearch>>(undefined);
  useEffect(() => {
    if (query === "") return undefined;
    let isCurrent = true;
    const run = async () => {
      try {
        const loading = search.current ?? findIndex().then(loadHelpSearch);
        search.current = loading;
        const articles = (await loading)(query);
        if (isCurrent) setFound({ state: "ready", articles });
      } catch (error) {
        // The next query tries again.
        search.current = undefined;
        onError?.(error);
        if (isCurrent) setFound({ state: "failed" });
      }
    };
    void run();
    return () => {
      isCurrent = false;
    };
  }, [query, findIndex, onError]);
  return query === "" ? { state: "none" } : found;
}

interface Props {
  /** Returns the address of the index of all articles; must be stable between renders. */
  findIndex: () => Promise<string>;
  words: { label: string; failed: string; found: (count: number) => string };
  /** Must be stable between renders. */
  onError?: (error: unknown) => void;
  /** Opens an article if its link cannot be followed. */
  onOpen?: (path: string) => void;
}

/** A search over the articles of the help. */
export function HelpSearch({ findIndex, words, onError, onOpen }: Props) {
  const [text, setText] = useState("");
  const found = useHelpSearch(text.trim(), findIndex, onError);
  return (
    <section className="help-field" role="search">
      <TextField label={words.label} type="search" value={text} onChange={(event) => setText(event.target.value)} />
      <p role="status" className="help-field-status">
        {found.state === "failed" && words.failed}
        {found.state === "ready" && words.found(found.articles.length)}
      </p>
      {found.state === "ready" && (
        <ul role="list">
          {found.articles.map(({ path, title }) => (
            <li key={path}>
              <a
                href={path}
                onClick={(event) => {
                  if (!onOpen) return;
                  event.preventDefault();
                  onOpen(path);
                }}
              >
                {title}
              </a>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
