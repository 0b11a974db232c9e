import { afterEach, expect, test } from "vitest";
import { migrateNames } from "#api/store/migrations/migrate-names.ts";
import type { Collection, CollectionSpec, Doc, DocumentStore } from "#api/store/port.ts";
import { RENAMED_COLLECTIONS, RENAMED_FIELDS, RENAMED_VALUES } from "#api/store/migrations/stored-names.ts";

interface AnyDoc extends Doc {
  [field: string]: unknown;
}

const usage = { counter: "researchMessages", by: 1, period: "2026-11-29" };
const head = { en: { title: "Sleep", description: "", topicName: "Memory" } };
const granted = { type: "FREE", endAt: null };

/** What version 2 stored, and what version 3 has of it. */
const CASES: readonly [before: [string, object], after: [string, object]][] = [
  [
    ["admin_looks", { at: 1, kind: "shared_card" }],
    ["admin_accesses", { at: 1, kind: "shared_card" }],
  ],
  [
    ["answer_places", { jobKey: "j", takenAt: 1 }],
    ["answer_slots", { jobKey: "j", takenAt: 1 }],
  ],
  [
    ["marks", { userId: "ada" }],
    ["installation_facts", { userId: "ada" }],
  ],
  [
    ["oauth_journeys", { verifier: "v", expiresAt: 1 }],
    ["pending_oauth_flows", { verifier: "v", expiresAt: 1 }],
  ],
  [
    ["sign_in_journeys", { wishes: { timezone: "UTC" } }],
    ["pending_sign_ins", { options: { timezone: "UTC" } }],
  ],
  [
    ["study_fit_turns", { answeredAt: 1, isWaiting: "yes" }],
    ["optimizer_queue", { answeredAt: 1, isWaiting: "yes" }],
  ],
  [
    ["blog_posts", { heads: head, slug: "sleep" }],
    ["blog_posts", { summaries: head, slug: "sleep" }],
  ],
  [
    ["connections", { placed: [{ day: "d", times: null }] }],
    ["connections", { syncedBlocks: [{ day: "d", times: null }] }],
  ],
  [
    ["document_analyses", { kept: null, askedAt: 1 }],
    ["document_analyses", { result: null, requestedAt: 1 }],
  ],
  [
    ["document_analyses", { kept: { parts: [] }, askedAt: 1 }],
    ["document_analyses", { result: { parts: [] }, requestedAt: 1 }],
  ],
  [
    ["deck_study", { asked: 2, total: 3 }],
    ["deck_study", { activeCards: 2, total: 3 }],
  ],
  [
    ["messages", { pending: { asked: ["q"] } }],
    ["messages", { pending: { previousQuestions: ["q"] } }],
  ],
  [
    ["messages", { pending: null }],
    ["messages", { pending: null }],
  ],
  [
    ["transcripts", { asked: "", offered: [] }],
    ["transcripts", { requestedLanguage: "", offered: [] }],
  ],
  [
    ["figure_ledger", { known: 0, sums: { known: 2 } }],
    ["figure_ledger", { sourceVersion: 0, sums: { known: 2 } }],
  ],
  [
    ["jobEvents", { reached: { checkpoint: 1 } }],
    ["job_events", { checkpointed: { checkpoint: 1 } }],
  ],
  [
    ["jobEvents", { reached: null }],
    ["job_events", { checkpointed: null }],
  ],
  [
    ["jobs", { input: { counted: usage, runId: "r" } }],
    ["jobs", { input: { chargedUsage: usage, runId: "r" } }],
  ],
  [
    ["jobs", { input: { counted: null } }],
    ["jobs", { input: { chargedUsage: null } }],
  ],
  [
    ["jobs", { input: { pages: 1 } }],
    ["jobs", { input: { pages: 1 } }],
  ],
  [
    ["jobs", { input: null }],
    ["jobs", { input: null }],
  ],
  [
    ["files", { name: "a.pdf", textAt: 5 }],
    ["files", { name: "a.pdf", textRecognisedAt: 5 }],
  ],
  [
    ["files", { name: "a.pdf" }],
    ["files", { name: "a.pdf" }],
  ],
  [
    ["uploads", { touchedAt: 3, busyUntil: 0, countedOn: null }],
    ["uploads", { lastUsedAt: 3, leaseUntil: 0, chargedOn: null }],
  ],
  [
    ["limit_locks", { holder: "h", heldUntil: 1 }],
    ["limit_locks", { holder: "h", expiresAt: 1 }],
  ],
  [
    ["payers", { lookAt: 1 }],
    ["payers", { refreshAt: 1 }],
  ],
  [
    ["payers", { lookAt: null }],
    ["payers", { refreshAt: null }],
  ],
  [
    ["podcast_scripts", { lines: [], spares: ["s"] }],
    ["podcast_scripts", { lines: [], unusedSentences: ["s"] }],
  ],
  [
    ["podcast_scripts", { spares: ["old"], unusedSentences: ["new"] }],
    ["podcast_scripts", { unusedSentences: ["new"] }],
  ],
  [
    ["podcasts", { counted: usage }],
    ["podcasts", { chargedUsage: usage }],
  ],
  [
    ["schedules", { isAsked: "no", reviewsKnown: 3 }],
    ["schedules", { isActive: "no", reviewsCounted: 3 }],
  ],
  [
    ["podcasts", { notices: ["shorter_than_wished", "x"] }],
    ["podcasts", { notices: ["shorter_than_requested", "x"] }],
  ],
  [
    ["podcasts", { notices: [] }],
    ["podcasts", { notices: [] }],
  ],
  [
    ["study_fits", { by: "itself", reviews: 9 }],
    ["study_fits", { startedBy: "schedule", reviews: 9 }],
  ],
  [
    ["study_fits", { by: "student" }],
    ["study_fits", { startedBy: "student" }],
  ],
  [
    ["study_days", { reviewsKnown: 0 }],
    ["study_days", { reviewsCounted: 0 }],
  ],
  [
    ["sync_requests", { mark: { id: "r" }, seq: 1 }],
    ["sync_requests", { record: { id: "r" }, seq: 1 }],
  ],
  [
    ["usages", { reviewsKnown: 0, changes: 2 }],
    ["usages", { reviewsCounted: 0, changes: 2 }],
  ],
  [
    ["users", { billing: { looks: 4, granted } }],
    ["users", { billing: { refreshCount: 4, granted } }],
  ],
  [
    ["users", { email: "ada@example.org" }],
    ["users", { email: "ada@example.org" }],
  ],
];

const spec = (name: string): CollectionSpec<AnyDoc> => ({ name, shardKey: "_id", indexes: [] });
const idOf = (at: number) => `renamed-${at}`;
const MANY = 250;

/** The migration to version 3, on each document store. */
export function renamedNamesSuite(
  open: () => DocumentStore,
  listIndexes: (collection: string) => Promise<string[]>,
): void {
  const collectionOf = (name: string): Collection<AnyDoc> => open().collection(spec(name));
  const names = new Set(CASES.flatMap(([[before], [after]]) => [before, after]));

  const insertAll = () =>
    Promise.all(CASES.map(([[name, doc]], at) => collectionOf(name).insert({ _id: idOf(at), ownerId: "ada", ...doc })));
  const expectAll = async () => {
    for (const [at, [[former], [name, doc]]] of CASES.entries()) {
      expect(await collectionOf(name).get(idOf(at))).toEqual({ _id: idOf(at), ownerId: "ada", ...doc });
      if (former !== name) expect(await collectionOf(former).count({})).toBe(0);
    }
  };

  afterEach(async () => {
    const ids = Array.from({ length: Math.max(MANY, CASES.length) }, (_, at) => idOf(at));
    for (const name of names) await collectionOf(name).remove({ _id: { in: ids } });
  });

  // The first test, because a store prepares the indexes of a collection once.
  test("indexes on former names are removed", async () => {
    const indexes = [{ fields: ["ownerId", "isAsked", "kind", "dueAt"] }, { fields: ["ownerId", "componentId"] }];
    const schedules = open().collection<AnyDoc>({ name: "schedules", shardKey: "_id", indexes });
    await schedules.insert({ _id: idOf(0), ownerId: "ada", isAsked: "yes" });
    expect((await listIndexes("schedules")).filter((name) => name.includes("isAsked"))).toHaveLength(1);
    await migrateNames(open());
    expect(await schedules.get(idOf(0))).toMatchObject({ isActive: "yes" });
    const left = await listIndexes("schedules");
    expect(left.filter((name) => name.includes("isAsked"))).toEqual([]);
    expect(left.filter((name) => name.includes("componentId"))).toHaveLength(1);
  });

  test("each renamed collection and field has its new name, and the rest of a document stays", async () => {
    const covered = new Set(CASES.map(([[name]]) => name));
    for (const name of Object.keys(RENAMED_COLLECTIONS)) expect(covered).toContain(name);
    for (const name of Object.keys({ ...RENAMED_FIELDS, ...RENAMED_VALUES })) expect(names).toContain(name);
    await insertAll();
    await migrateNames(open());
    await expectAll();
    await migrateNames(open());
    await expectAll();
  });

  test("an interrupted migration continues, wherever it stopped", async () => {
    await insertAll();
    for (let allowed = 2; ; allowed += 7) {
      const outcome = await migrateNames(failAfter(open(), allowed)).catch((error: unknown) => error);
      if (outcome === undefined) break;
      expect(outcome).toEqual(new Error("The process ended"));
    }
    await expectAll();
  });

  test("two processes may migrate at once", async () => {
    await insertAll();
    await Promise.all([migrateNames(open()), migrateNames(open())]);
    await expectAll();
  });

  test("collections of any size are renamed", async () => {
    const old = { ownerId: "ada", isAsked: "yes", reviewsKnown: 1 };
    for (let at = 0; at < MANY; at += 1) await collectionOf("schedules").insert({ _id: idOf(at), ...old });
    await migrateNames(open());
    const filter = { ownerId: "ada", isActive: "yes", reviewsCounted: 1, isAsked: null, reviewsKnown: null };
    expect(await collectionOf("schedules").count(filter)).toBe(MANY);
  });
}

/** A store whose process ends after this many writes. */
function failAfter(store: DocumentStore, allowed: number): DocumentStore {
  let writes = 0;
  const count = () => {
    writes += 1;
    if (writes > allowed) throw new Error("The process ended");
  };
  return {
    ...store,
    collection<T extends Doc>(named: CollectionSpec<T>): Collection<T> {
      const collection = store.collection(named);
      return new Proxy(collection, {
        get(target, method: keyof Collection<T>) {
          const work = target[method].bind(target) as (...given: unknown[]) => Promise<unknown>;
          return async (...given: unknown[]) => {
            if (method === "insert" || method === "patch" || method === "remove") count();
            return work(...given);
          };
        },
      });
    },
  };
}
