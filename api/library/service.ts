export { appliers, leaveLists } from "./apply-folder.ts";
export { keepErasing } from "./erasing.ts";
export { citeIn, type Source } from "./sources.ts";
export { findPassages } from "./meanings.ts";
export { openSources, type Librarian } from "./searching.ts";
