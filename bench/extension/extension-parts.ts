// Runs in a document of the extension and exposes its modules, to time them on the browser's real disk.
import { readArticle } from "#extension/capture/article/article.ts";
import { keepCapture, listCaptures } from "#extension/capture/store.ts";
import { lookUp } from "#extension/library/here.ts";
import { addKept, setThings } from "#extension/library/store.ts";

Object.assign(globalThis, { parts: { keepCapture, listCaptures, lookUp, addKept, setThings, readArticle } });
