import { useSearch } from "@tanstack/react-router";
import { t } from "#shared/messages/translate.ts";
import { SearchResults } from "./search-results.tsx";

/** The search of Ctrl K as a screen with its own address, such as `/search?q=osmosis`. */
export function SearchScreen() {
  const { q }: { q?: unknown } = useSearch({ strict: false });
  const initial = typeof q === "string" ? q : q === undefined ? "" : JSON.stringify(q);
  return (
    <div className="search-screen">
      <h1 className="visually-hidden">{t("library.search_all")}</h1>
      {/* Another address starts another search, for example after going back. */}
      <SearchResults key={initial} initial={initial} />
    </div>
  );
}
