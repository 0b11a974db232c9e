import type { Rolldown } from "vite";

type Chunk = Rolldown.OutputChunk;

/** The chunks of the given source files (without `webapp/` and extension); undefined if one is missing. */
export function findChunks(bundle: Rolldown.OutputBundle, sources: readonly string[]): Chunk[] | undefined {
  const chunks = Object.values(bundle).filter((part) => part.type === "chunk");
  const found = sources.flatMap(
    (source) => chunks.find((chunk) => chunk.facadeModuleId?.endsWith(`/webapp/${source}.tsx`)) ?? [],
  );
  return found.length === sources.length ? found : undefined;
}

/** These chunks and all their static imports. */
export function withImports(bundle: Rolldown.OutputBundle, roots: readonly Chunk[]): Chunk[] {
  const chunkByFile = new Map<string, Chunk>();
  const add = (part: Rolldown.OutputBundle[string] | undefined) => {
    if (part?.type !== "chunk" || chunkByFile.has(part.fileName)) return;
    chunkByFile.set(part.fileName, part);
    for (const file of part.imports) add(bundle[file]);
  };
  for (const chunk of roots) add(chunk);
  return [...chunkByFile.values()];
}
