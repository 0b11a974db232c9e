import type { ImportLoss } from "#shared/library/import-schema.ts";

const EXAMPLES = 5;
const MAX_EXAMPLE = 120;

/** Counts what could not be imported, by kind, with a few examples. */
export class NoteLosses {
  readonly #held = new Map<ImportLoss["what"], ImportLoss>();

  add(what: ImportLoss["what"], example: string, count = 1): void {
    const held = this.#held.get(what) ?? { what, count: 0, examples: [] };
    held.count += count;
    const name = example.slice(0, MAX_EXAMPLE);
    if (name !== "" && held.examples.length < EXAMPLES && !held.examples.includes(name)) held.examples.push(name);
    this.#held.set(what, held);
  }

  list(): ImportLoss[] {
    return [...this.#held.values()];
  }
}
