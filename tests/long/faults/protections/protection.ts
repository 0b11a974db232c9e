/** Text that is in a source file once, and what is there when the protection is missing. */
interface Edit {
  file: string;
  from: string;
  to: string;
}

/** A protection, how it is taken away, and the tests that must then fail. */
export interface Protection {
  /** On the command line; the names of rows of `npm run faults` begin with R. */
  id: string;
  what: string;
  edits: readonly Edit[];
  tests: string;
  /** Part of the titles of those tests; without it, any test of the file. */
  title?: string;
}
