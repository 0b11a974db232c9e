export { appliers, removeFromLists } from "./apply-folder.ts";
export { startErasing } from "./erasing.ts";
export { citePassage, type Source } from "./sources.ts";
export { searchPassages } from "./meanings.ts";
export { ensureIndexed, type SourceIndexDeps } from "./searching.ts";
