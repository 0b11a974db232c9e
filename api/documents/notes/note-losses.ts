import type { NotesImportLoss } from "#shared/library/import-schema.ts";

export const MAX_EXAMPLES = 5;
const MAX_EXAMPLE_CHARS = 120;

/** Counts what could not be imported, by what it is, with a few examples. */
export class NoteLosses {
  readonly #byWhat = new Map<NotesImportLoss["what"], NotesImportLoss>();

  add(what: NotesImportLoss["what"], example: string, count = 1): void {
    const loss = this.#byWhat.get(what) ?? { what, count: 0, examples: [] };
    loss.count += count;
    const name = example.slice(0, MAX_EXAMPLE_CHARS);
    if (name !== "" && loss.examples.length < MAX_EXAMPLES && !loss.examples.includes(name)) loss.examples.push(name);
    this.#byWhat.set(what, loss);
  }

  list(): NotesImportLoss[] {
    return [...this.#byWhat.values()];
  }
}
