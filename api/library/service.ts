export { appliers, leaveLists } from "./apply-folder.ts";
export { citeIn, type Source } from "./sources.ts";
export { openSources, type Librarian } from "./searching.ts";
