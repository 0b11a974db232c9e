import { useEffect, useRef, useState } from "react";
import { documentLanguage } from "#shared/messages/language.ts";
import { t } from "#shared/messages/translate.ts";
import { TextField } from "#shared/ui/controls/text-field.tsx";
import { logWarning } from "#webapp/app/log.ts";
import { type FoundArticle, loadHelpSearch } from "./site/help-index-search.ts";
import "./help-search-field.css";

type Found = { state: "none" | "failed" } | { state: "ready"; articles: readonly FoundArticle[] };

/** The articles of the help by their words; the index is loaded with the first one. */
function useHelpSearch(query: string): Found {
  const [found, setFound] = useState<Found>({ state: "none" });
  const search = useRef<ReturnType<typeof loadHelpSearch>>(undefined);
  useEffect(() => {
    if (query === "") return undefined;
    let isCurrent = true;
    const run = async () => {
      try {
        search.current ??= loadHelpSearch(`/help/search.json?lang=${documentLanguage().slice(0, 2)}`);
        const articles = (await search.current)(query);
        if (isCurrent) setFound({ state: "ready", articles });
      } catch (error) {
        // The next word tries again.
        search.current = undefined;
        logWarning("The help could not be searched", error);
        if (isCurrent) setFound({ state: "failed" });
      }
    };
    void run();
    return () => {
      isCurrent = false;
    };
  }, [query]);
  return query === "" ? { state: "none" } : found;
}

export function HelpSearchField() {
  const [text, setText] = useState("");
  const found = useHelpSearch(text.trim());
  return (
    <section className="help-field" role="search">
      <TextField
        label={t("marketing.help_search")}
        type="search"
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
      <p role="status" className="help-field-status">
        {found.state === "failed" && t("marketing.help_failed")}
        {found.state === "ready" && t("marketing.help_found", { count: found.articles.length })}
      </p>
      {found.state === "ready" && (
        <ul role="list">
          {found.articles.map(({ path, title }) => (
            <li key={path}>
              <a href={path}>{title}</a>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
