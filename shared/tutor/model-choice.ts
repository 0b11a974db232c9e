/** A model of Ollama's library that this program proposes. */
export interface ProposedModel {
  name: string;
  /** The size of the download, which is also about the memory that the model needs. */
  sizeBytes: number;
}

const GIGABYTE = 1e9;

/** Models that can chat and follow a required format, smallest first. Sizes: https://ollama.com/library */
const PROPOSED: readonly [string, number][] = [
  ["gemma3:1b", 0.8],
  ["qwen2.5:1.5b", 1],
  ["gemma3:4b", 3.3],
  ["qwen2.5:7b", 4.7],
  ["gemma3:12b", 8.1],
  ["qwen2.5:14b", 9],
  ["gemma3:27b", 17],
];

/** The share of the memory for a model. The system, the browser and the text need the other part. */
const MEMORY_SHARE = 0.45;
/** The faster model is at most half as large. */
const FASTER_SHARE = 0.5;

/** Two models for a machine with this much memory: the best one that fits, and a faster one. */
export function proposeModels(memoryBytes: number): { best: ProposedModel; faster: ProposedModel } {
  const all = PROPOSED.map(([name, size]) => ({ name, sizeBytes: size * GIGABYTE }));
  const largest = (limit: number) => all.findLast(({ sizeBytes }) => sizeBytes <= limit);
  const [smallest = { name: "", sizeBytes: 0 }, second = smallest] = all;
  const best = largest(memoryBytes * MEMORY_SHARE) ?? second;
  const fitting = best === smallest ? second : best;
  return { best: fitting, faster: largest(fitting.sizeBytes * FASTER_SHARE) ?? smallest };
}
