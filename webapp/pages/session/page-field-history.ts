import type { Page } from "#shared/pages/schema.ts";

export type PageFields = Partial<Pick<Page, "title" | "emoji">>;

/** How many changes of the text can be undone and redone. */
export interface TextDepths {
  undo: number;
  redo: number;
}

interface Step {
  before: PageFields;
  after: PageFields;
  /** Changes of the text that were made before this one. */
  undoDepth: number;
  /** Changes of the text that were undone before this one was. */
  redoDepth: number;
}

const namesOf = (fields: PageFields) => Object.keys(fields) as (keyof PageFields)[];

const hasFields = (page: Page, fields: PageFields) => namesOf(fields).every((name) => page[name] === fields[name]);

/** Changes of a page's title and emoji, to undo and redo them in one order with the changes of its text. */
export class PageFieldHistory {
  #done: Step[] = [];
  #undone: Step[] = [];

  record(page: Page, after: PageFields, depths: TextDepths): void {
    const before = Object.fromEntries(namesOf(after).map((name) => [name, page[name]])) as PageFields;
    const last = this.#done.at(-1);
    this.#undone = [];
    // A title is saved several times while it is typed.
    if (last?.undoDepth === depths.undo && "title" in last.after && "title" in after) last.after = after;
    else this.#done.push({ before, after, undoDepth: depths.undo, redoDepth: 0 });
  }

  /** The fields to set; undefined if the text was changed later, so that its change is undone first. */
  undo(page: Page, depths: TextDepths): PageFields | undefined {
    const step = this.#done.at(-1);
    if (!step || depths.undo > step.undoDepth) return undefined;
    this.#done.pop();
    // Changed elsewhere in the meantime: that change is not undone.
    if (!hasFields(page, step.after)) return this.undo(page, depths);
    this.#undone.push({ ...step, redoDepth: depths.redo });
    return step.before;
  }

  /** The fields to set again; undefined if a change of the text was undone later, or made since. */
  redo(page: Page, depths: TextDepths): PageFields | undefined {
    const step = this.#undone.at(-1);
    if (!step || depths.redo !== step.redoDepth || depths.undo !== step.undoDepth) return undefined;
    this.#undone.pop();
    if (!hasFields(page, step.before)) return undefined;
    this.#done.push(step);
    return step.after;
  }
}
