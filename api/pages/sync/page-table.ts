import { cardStatusRows } from "./apply-card-status.ts";
import { componentRows } from "./apply-component.ts";
import { pageRows } from "./apply-page.ts";

/** The queued changes of pages, components and card status. */
export const pageTable = { ...pageRows, ...componentRows, ...cardStatusRows };
