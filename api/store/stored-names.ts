/** Collections of data version 2, and their names in version 3. */
export const RENAMED_COLLECTIONS: Readonly<Record<string, string>> = {
  admin_looks: "admin_accesses",
  answer_places: "answer_slots",
  marks: "installation_facts",
  oauth_journeys: "pending_oauth_flows",
  sign_in_journeys: "pending_sign_ins",
  study_fit_turns: "optimizer_queue",
};

/** The name that a collection had in version 2. */
export const formerCollectionName = (name: string): string =>
  Object.entries(RENAMED_COLLECTIONS).find(([, renamed]) => renamed === name)?.[0] ?? name;

type Renames = Readonly<Record<string, string>>;

/**
 * Fields of data version 2 by collection, with their names in version 3: the path of a field to the new name of its
 * last part. A path leads through lists.
 */
export const RENAMED_FIELDS: Readonly<Record<string, Renames>> = {
  blog_posts: { heads: "summaries" },
  connections: { placed: "syncedBlocks" },
  deck_study: { asked: "activeCards" },
  document_analyses: { askedAt: "requestedAt", kept: "result" },
  figure_ledger: { known: "sourceVersion" },
  jobEvents: { reached: "checkpointed" },
  jobs: { "input.counted": "chargedUsage" },
  limit_locks: { heldUntil: "expiresAt" },
  messages: { "pending.asked": "previousQuestions" },
  payers: { lookAt: "refreshAt" },
  pending_sign_ins: { wishes: "options" },
  podcast_scripts: { spares: "unusedSentences" },
  podcasts: { counted: "chargedUsage" },
  schedules: { isAsked: "isActive", reviewsKnown: "reviewsCounted" },
  study_days: { reviewsKnown: "reviewsCounted" },
  sync_requests: { mark: "record" },
  transcripts: { asked: "requestedLanguage" },
  usages: { reviewsKnown: "reviewsCounted" },
  users: { "billing.looks": "refreshCount" },
};

type Fields = Readonly<Record<string, unknown>>;

/** A renamed field that a document has. */
export interface Rename {
  /** The path to the object that has the field. */
  readonly parents: readonly string[];
  readonly from: string;
  readonly to: string;
}

const isFields = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value);

function renameKey(fields: Fields, from: string, to: string): Fields {
  if (!Object.hasOwn(fields, from)) return fields;
  const { [from]: value, ...others } = fields;
  // A document that has both was written with the new name last.
  return Object.hasOwn(fields, to) ? others : { ...others, [to]: value };
}

function renameBelow(value: unknown, parents: readonly string[], { from, to }: Rename): unknown {
  if (Array.isArray(value)) {
    const items: unknown[] = value.map((item) => renameBelow(item, parents, { parents, from, to }));
    return items.every((item, index) => item === value[index]) ? value : items;
  }
  if (!isFields(value)) return value;
  const [parent, ...deeper] = parents;
  if (parent === undefined) return renameKey(value, from, to);
  const inner = renameBelow(value[parent], deeper, { parents, from, to });
  return inner === value[parent] ? value : { ...value, [parent]: inner };
}

/** The document with renamed fields; the same object if it has none of them. */
export const applyRenames = <T extends Fields>(doc: T, renames: readonly Rename[]): T =>
  renames.reduce((renamed, rename) => renameBelow(renamed, rename.parents, rename) as T, doc);

/** The fields of a collection that have old names in this document. */
export function findRenames(collection: string, doc: Fields): Rename[] {
  const renames = Object.entries(RENAMED_FIELDS[collection] ?? {}).map(([path, to]) => {
    const parents = path.split(".");
    const from = parents.pop() ?? path;
    return { parents, from, to };
  });
  return renames.filter((rename) => applyRenames(doc, [rename]) !== doc);
}

/** Turns renames around. */
export const reverseRenames = (renames: readonly Rename[]): Rename[] =>
  renames.map(({ parents, from, to }) => ({ parents, from: to, to: from }));

/** Top-level fields of a collection that a rename changes. */
export const renamedTopFields = (collection: string): string[] => [
  ...new Set(Object.entries(RENAMED_FIELDS[collection] ?? {}).flatMap(([path, to]) => topFieldsOf(path, to))),
];

function topFieldsOf(path: string, to: string): string[] {
  const [top = path] = path.split(".");
  return top === path ? [path, to] : [top];
}
