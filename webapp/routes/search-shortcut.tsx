import { useAtomValue } from "jotai/react";
import { lazy, Suspense, useEffect } from "react";
import { accountIdAtom } from "#webapp/app/session/account-atom.ts";
import { closeSearch, openSearch, searchOpenAtom } from "#webapp/app/search-state.ts";
import { ErrorBoundary } from "#webapp/ui/error-boundary.tsx";

const SearchDialog = lazy(async () => ({
  default: (await import("#webapp/library/search/search-dialog.tsx")).SearchDialog,
}));

/** Opens the search with Ctrl K or Cmd K, on any screen, if the user is signed in. */
export function SearchShortcut() {
  const isOpen = useAtomValue(searchOpenAtom);
  const isSignedIn = useAtomValue(accountIdAtom) !== undefined;
  useEffect(() => {
    if (!isSignedIn) return undefined;
    const listen = (event: KeyboardEvent) => {
      const isSearch = (event.ctrlKey || event.metaKey) && !event.shiftKey && !event.altKey && event.key === "k";
      if (!isSearch) return;
      event.preventDefault();
      openSearch();
    };
    window.addEventListener("keydown", listen);
    return () => window.removeEventListener("keydown", listen);
  }, [isSignedIn]);
  if (!isOpen || !isSignedIn) return null;
  return (
    <ErrorBoundary onError={closeSearch}>
      <Suspense>
        <SearchDialog onClose={closeSearch} />
      </Suspense>
    </ErrorBoundary>
  );
}
