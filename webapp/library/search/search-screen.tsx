import { useSearch } from "@tanstack/react-router";
import { t } from "#shared/messages/translate.ts";
import { SearchResults } from "./search-results.tsx";

/** The search of Ctrl K as a screen with its own address, such as `/search?q=osmosis`. */
export function SearchScreen() {
  const { q }: { q?: unknown } = useSearch({ strict: false });
  return (
    <div className="search-screen">
      <h1 className="visually-hidden">{t("library.search_all")}</h1>
      <SearchResults initial={typeof q === "string" ? q : q === undefined ? "" : JSON.stringify(q)} />
    </div>
  );
}
