export { appliers, removeFromLists } from "./apply-folder.ts";
export { eraseDeletedFiles, startErasing, sumDeletedFiles } from "./erase-deleted.ts";
export { citePassage, type Source } from "./sources.ts";
export { searchPassages } from "./embeddings.ts";
export { ensureIndexed, type SourceIndexDeps } from "./ensure-indexed.ts";
