import { cardStatusRows } from "./apply-card-status.ts";
import { componentRows } from "./apply-component.ts";
import { pageRows } from "./apply-page.ts";

/** The queued changes of pages and of what is on them. */
export const pageTable = { ...pageRows, ...componentRows, ...cardStatusRows };
