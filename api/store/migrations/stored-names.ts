import { RENAMED_NOTICES } from "#shared/podcasts/renamed-notices.ts";

/** Collections of data version 2, and their names in version 3. */
export const RENAMED_COLLECTIONS: Readonly<Record<string, string>> = {
  admin_looks: "admin_accesses",
  answer_places: "answer_slots",
  jobEvents: "job_events",
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
  files: { textAt: "textRecognisedAt" },
  figure_ledger: { known: "sourceVersion" },
  job_events: { reached: "checkpointed" },
  jobs: { "input.counted": "chargedUsage" },
  limit_locks: { heldUntil: "expiresAt" },
  messages: { "pending.asked": "previousQuestions" },
  payers: { lookAt: "refreshAt" },
  pending_sign_ins: { wishes: "options" },
  podcast_scripts: { spares: "unusedSentences" },
  podcasts: { counted: "chargedUsage" },
  schedules: { isAsked: "isActive", reviewsKnown: "reviewsCounted" },
  study_fits: { by: "startedBy" },
  study_days: { reviewsKnown: "reviewsCounted" },
  sync_requests: { mark: "record" },
  transcripts: { asked: "requestedLanguage" },
  uploads: { busyUntil: "leaseUntil", countedOn: "chargedOn", touchedAt: "lastUsedAt" },
  usages: { reviewsKnown: "reviewsCounted" },
  users: { "billing.looks": "refreshCount" },
};

/** Values of version 2 by collection and path, under the names of version 3, with their names there. */
export const RENAMED_VALUES: Readonly<Record<string, Readonly<Record<string, Renames>>>> = {
  podcasts: { notices: RENAMED_NOTICES },
  study_fits: { startedBy: { itself: "schedule" } },
};

export type Fields = Readonly<Record<string, unknown>>;

/** A renamed field or value that a document has. */
export interface Rename {
  readonly kind: "field" | "value";
  /** The path to the object that has the field, or to the value. */
  readonly path: readonly string[];
  readonly from: string;
  readonly to: string;
}

export const isFields = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value);

function renameKey(fields: Fields, from: string, to: string): Fields {
  if (!Object.hasOwn(fields, from)) return fields;
  const { [from]: value, ...others } = fields;
  // A document that has both was written with the new name last.
  return Object.hasOwn(fields, to) ? others : { ...others, [to]: value };
}

function renameBelow(value: unknown, path: readonly string[], rename: Rename): unknown {
  if (Array.isArray(value)) {
    const items: unknown[] = value.map((item) => renameBelow(item, path, rename));
    return items.every((item, index) => item === value[index]) ? value : items;
  }
  const [step, ...deeper] = path;
  if (step === undefined && rename.kind === "value") return value === rename.from ? rename.to : value;
  if (!isFields(value)) return value;
  if (step === undefined) return renameKey(value, rename.from, rename.to);
  const inner = renameBelow(value[step], deeper, rename);
  return inner === value[step] ? value : { ...value, [step]: inner };
}

/** The document with renamed fields; the same object if it has none of them. */
export const applyRenames = <T extends Fields>(doc: T, renames: readonly Rename[]): T =>
  renames.reduce((renamed, rename) => renameBelow(renamed, rename.path, rename) as T, doc);

function listRenames(collection: string): Rename[] {
  const fields = Object.entries(RENAMED_FIELDS[collection] ?? {}).map(([field, to]): Rename => {
    const path = field.split(".");
    const from = path.pop() ?? field;
    return { kind: "field", path, from, to };
  });
  const values = Object.entries(RENAMED_VALUES[collection] ?? {}).flatMap(([path, renames]) =>
    Object.entries(renames).map(([from, to]): Rename => ({ kind: "value", path: path.split("."), from, to })),
  );
  return [...fields, ...values];
}

/** The fields and values of a collection that have old names in this document, in the order in which to apply them. */
export function findRenames(collection: string, doc: Fields): Rename[] {
  const found: Rename[] = [];
  let current = doc;
  for (const rename of listRenames(collection)) {
    const renamed = applyRenames(current, [rename]);
    if (renamed !== current) found.push(rename);
    current = renamed;
  }
  return found;
}

export const reverseRenames = (renames: readonly Rename[]): Rename[] =>
  renames.toReversed().map((rename) => ({ ...rename, from: rename.to, to: rename.from }));

/** Top-level fields of a collection that a rename changes. */
export const renamedTopFields = (collection: string): string[] => [
  ...new Set(listRenames(collection).flatMap(({ path: [top], from, to }) => (top === undefined ? [from, to] : [top]))),
];
