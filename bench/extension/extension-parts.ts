// Runs in a document of the extension and exposes its modules, to time them on the browser's real disk.
import { readArticle } from "#extension/capture/article/article.ts";
import { saveCapture, listCaptures } from "#extension/capture/store.ts";
import { findLibraryPage } from "#extension/library/library-page.ts";
import { addCaptures, setExistingPages } from "#extension/library/store.ts";

Object.assign(globalThis, {
  parts: {
    saveCapture,
    listCaptures,
    findLibraryPage,
    addCaptures,
    setExistingPages,
    readArticle,
  },
});
