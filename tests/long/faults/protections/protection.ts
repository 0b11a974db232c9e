/** Text that occurs once in a source file, and the text that replaces it to remove the protection. */
interface Edit {
  file: string;
  from: string;
  to: string;
}

/** A mutant: a protection, the edits that remove it, and the tests that must then fail. */
export interface Protection {
  /** Its name on the command line; names of `npm run faults` rows begin with R. */
  id: string;
  what: string;
  edits: readonly Edit[];
  tests: string;
  /** Part of the titles of these tests; without it, any test of the file counts. */
  title?: string;
}
