import { createRequire } from "node:module";
import type * as Linkedom from "linkedom";

const load = createRequire(import.meta.url);

/** Parses HTML. The parser has 200 modules, and is loaded when it is first needed, so that the server starts sooner. */
export const parseHTML: typeof Linkedom.parseHTML = (...input) =>
  (load("linkedom") as typeof Linkedom).parseHTML(...input);
