import * as fc from "fast-check";
import { expect, test } from "vitest";
import {
  InvalidDocumentError,
  DuplicateValueError,
  MAX_DOCUMENT_BYTES,
  type Collection,
  type CollectionSpec,
  type DocumentStore,
  type Filter,
  type Patch,
} from "#api/store/port.ts";
import { ModelStore, type Thing } from "./store-model.ts";

interface Note {
  _id: string;
  ownerId: string;
  title?: string | null;
  rank?: number | string | null;
  isDone?: boolean | number;
  email?: string | null;
  tags?: unknown;
  body?: unknown;
}

const indexes = [
  { fields: ["ownerId", "rank"] },
  { fields: ["email"], unique: true },
  { fields: ["ownerId", "title"], unique: true },
] as const;

let named = 0;
const noteSpec = (): CollectionSpec<Note> => ({ name: `notes${(named += 1)}`, shardKey: "ownerId", indexes });

const aNote = (id: string, rest: Partial<Note> = {}): Note => ({ _id: id, ownerId: "ada", ...rest });
const idsOf = (notes: readonly { _id: string }[]) => notes.map((note) => note._id);

const odd = {
  zero: "a\u0000b",
  "": "empty name",
  $set: 1,
  "a.b": [{ "%24": "percent" }],
  ["__proto__"]: { polluted: true },
  constructor: null,
  "\u0000": "zero in a name",
  "%list": [[1, [2, []]], { "%list": 1 }],
  emoji: "👩🏽‍🔬",
};

/** The contract of every document store; `open` returns an empty store, or one whose collections have other names. */
export function storeSuite(open: () => DocumentStore, gaps: ReadonlySet<"null in a unique index"> = new Set()): void {
  const notes = (): Collection<Note> => open().collection(noteSpec());
  const someNotes = async (all: readonly Note[]) => {
    const collection = notes();
    for (const note of all) await collection.insert(note);
    return collection;
  };

  test("deleting an account's data affects every collection and no other account", async () => {
    const [some, others] = [notes(), notes()];
    await some.insert(aNote("n1", { ownerId: "to go" }));
    await others.insert(aNote("n2", { ownerId: "to go" }));
    await others.insert(aNote("n3", { ownerId: "to stay" }));
    expect(await open().removeOwned("to go")).toBe(2);
    expect([await some.get("n1"), await others.get("n2")]).toEqual([undefined, undefined]);
    expect(await others.get("n3")).toMatchObject({ ownerId: "to stay" });
  });

  test("a document is returned as written until it is removed", async () => {
    const collection = notes();
    const note = aNote("n1", {
      title: "Genes",
      rank: 1.5,
      isDone: false,
      body: { list: [1, "a", null, { deep: [] }] },
    });
    expect(await collection.insert(note)).toBe("inserted");
    expect(await collection.get("n1")).toEqual(note);
    expect(await collection.remove({ _id: "n1" })).toBe(1);
    expect(await collection.get("n1")).toBeUndefined();
    expect(await collection.remove({ _id: "n1" })).toBe(0);
  });

  test("inserting an existing id is a duplicate and writes nothing", async () => {
    const collection = await someNotes([aNote("n1", { title: "first" })]);
    expect(await collection.insert(aNote("n1", { title: "second" }))).toBe("duplicate");
    expect(await collection.get("n1")).toMatchObject({ title: "first" });
  });

  test("a unique index refuses a duplicate value from any kind of write", async () => {
    const collection = await someNotes([aNote("n1", { email: "a@x.org" }), aNote("n2", { email: "b@x.org" })]);
    expect(await collection.insert(aNote("n3", { email: "a@x.org" }))).toBe("duplicate");
    await expect(collection.patch({ _id: "n2" }, { set: { email: "a@x.org" } })).rejects.toThrow(DuplicateValueError);
    await expect(collection.upsert(aNote("n2", { email: "a@x.org" }))).rejects.toThrow(DuplicateValueError);
    await expect(collection.patchOrInsert(aNote("n4", { email: "a@x.org" }), {})).rejects.toThrow(DuplicateValueError);
    expect(await collection.get("n2")).toEqual(aNote("n2", { email: "b@x.org" }));
    expect(await collection.count({})).toBe(2);

    await collection.patch({ _id: "n1" }, { unset: ["email"] });
    expect(await collection.insert(aNote("n3", { email: "a@x.org" }))).toBe("inserted");
  });

  test("a unique index over two fields applies to the pair", async () => {
    const collection = await someNotes([aNote("n1", { title: "t" })]);
    expect(await collection.insert(aNote("n2", { title: "t" }))).toBe("duplicate");
    expect(await collection.insert({ ...aNote("n3", { title: "t" }), ownerId: "grace" })).toBe("inserted");
  });

  test("missing values aren't duplicates", async () => {
    const collection = await someNotes([aNote("n1"), aNote("n2")]);
    expect(await collection.count({ email: null })).toBe(2);
  });

  test.skipIf(gaps.has("null in a unique index"))("null values aren't duplicates", async () => {
    const collection = await someNotes([
      aNote("n1", { email: null, title: null }),
      aNote("n2", { email: null, title: null }),
    ]);
    expect(await collection.count({ email: null })).toBe(2);
  });

  test("null equals a missing field and nothing else", async () => {
    const collection = await someNotes([
      aNote("n1"),
      aNote("n2", { rank: null }),
      aNote("n3", { rank: 0 }),
      aNote("n4", { rank: "" }),
    ]);
    const findIds = async (filter: Filter<Note>) => idsOf(await collection.find(filter, { order: [["_id", "asc"]] }));
    expect(await findIds({ rank: null })).toEqual(["n1", "n2"]);
    expect(await findIds({ rank: { not: null } })).toEqual(["n3", "n4"]);
    expect(await findIds({ rank: { not: "" } })).toEqual(["n1", "n2", "n3"]);
  });

  test("values are compared within their type only", async () => {
    const collection = await someNotes([
      aNote("n1", { isDone: true }),
      aNote("n2", { isDone: 1 }),
      aNote("n3", { isDone: false }),
      aNote("n4", { isDone: 0 }),
      aNote("n5", { rank: "1" }),
      aNote("n6", { rank: 1 }),
    ]);
    const findIds = async (filter: Filter<Note>) => idsOf(await collection.find(filter, { order: [["_id", "asc"]] }));
    expect(await findIds({ isDone: true })).toEqual(["n1"]);
    expect(await findIds({ isDone: 1 })).toEqual(["n2"]);
    expect(await findIds({ isDone: { in: [0, 1] } })).toEqual(["n2", "n4"]);
    expect(await findIds({ isDone: { gte: 0 } })).toEqual(["n2", "n4"]);
    expect(await findIds({ rank: { gte: 0 } })).toEqual(["n6"]);
    expect(await findIds({ rank: { lt: "9" } })).toEqual(["n5"]);
    expect(await findIds({ rank: { in: ["1"] } })).toEqual(["n5"]);
    expect(await findIds({ rank: { in: [] } })).toEqual([]);
  });

  test("sorts null, numbers, then strings by code point; with a limit", async () => {
    const collection = await someNotes([
      aNote("n1", { rank: "b" }),
      aNote("n2", { rank: 10 }),
      aNote("n3", { rank: "\u{1F600}" }),
      aNote("n4"),
      aNote("n5", { rank: "\uFFFD" }),
      aNote("n6", { rank: -2.5 }),
      aNote("n7", { rank: "B" }),
    ]);
    const ascending = ["n4", "n6", "n2", "n7", "n1", "n5", "n3"];
    expect(idsOf(await collection.find({ ownerId: "ada" }, { order: [["rank", "asc"]] }))).toEqual(ascending);
    const last = await collection.find({ ownerId: "ada" }, { order: [["rank", "desc"]], limit: 3 });
    expect(idsOf(last)).toEqual(ascending.toReversed().slice(0, 3));
    expect(await collection.find({ ownerId: "ada" }, { limit: 0 })).toEqual([]);
  });

  test("a long list of values matches the same as a short one", async () => {
    const collection = await someNotes([
      aNote("n1", { rank: 7 }),
      aNote("n2", { rank: "7" }),
      aNote("n3", { isDone: true }),
    ]);
    const many = Array.from({ length: 200 }, (_, n) => n);
    expect(idsOf(await collection.find({ rank: { in: many } }))).toEqual(["n1"]);
    expect(await collection.find({ isDone: { in: many } })).toEqual([]);
    expect(await collection.find({ rank: { in: many.map(String) } })).toHaveLength(1);
  });

  test("returns only the requested fields, plus the id", async () => {
    const collection = await someNotes([aNote("n1", { title: "t", isDone: true, body: "long" })]);
    expect(await collection.find({}, { fields: ["title", "isDone", "tags"] })).toEqual([
      { _id: "n1", title: "t", isDone: true },
    ]);
    await collection.insert(aNote('n1"'));
    await collection.insert(aNote("n1#"));
    expect(idsOf(await collection.find({}, { fields: [], order: [["_id", "asc"]] }))).toEqual(["n1", 'n1"', "n1#"]);
  });

  test("a patch sets, unsets, increments, pushes, pulls and truncates atomically", async () => {
    const collection = await someNotes([
      aNote("n1", { title: "t", rank: 1, tags: ["a", { x: 1 }, [["n"]], "b", "a"] }),
    ]);
    const after = await collection.patch(
      { _id: "n1", rank: 1 },
      {
        set: { "body.deep.er": [1], email: "e" },
        unset: ["title", "none.there"],
        increment: { rank: 2, "body2.seen": 1 },
        pull: { tags: ["a", { x: 1 }, [["n"]]] },
      },
    );
    const expected = {
      ...aNote("n1", { rank: 3, email: "e", tags: ["b"], body: { deep: { er: [1] } } }),
      body2: { seen: 1 },
    };
    expect(after).toEqual(expected);
    expect(await collection.get("n1")).toEqual(expected);
    expect(await collection.patch({ _id: "n1" }, { push: { tags: ["c", "d"] }, keepLast: { tags: 2 } })).toMatchObject({
      tags: ["c", "d"],
    });
    expect(await collection.patch({ _id: "n1" }, { push: { "body.log": [{ a: 1 }] } })).toMatchObject({
      body: { log: [{ a: 1 }] },
    });
    expect(await collection.patch({ _id: "n1" }, { keepLast: { tags: 0 } })).toMatchObject({ tags: [] });
    expect(await collection.patch({ _id: "n1" }, {})).toMatchObject({ _id: "n1" });
    expect(await collection.patch({ _id: "n1", rank: 1 }, { set: { rank: 9 } })).toBeUndefined();
  });

  test("a patch that can't be applied changes nothing", async () => {
    const note = aNote("n1", { title: "t", tags: "no list", rank: "no number", body: null });
    const collection = await someNotes([note]);
    const bad: Patch<Note>[] = [
      { push: { tags: ["x"] } },
      { increment: { rank: 1 } },
      { set: { "body.x": 1 } },
      { set: { "title.x": 1 } },
      { set: { title: "new", "title.x": 1 } },
      { set: { title: "new" }, unset: ["title"] },
      { set: { _id: "n2" } },
      { set: { "a b": 1 } as never },
      { set: { "$where.x": 1 } },
    ];
    for (const patch of bad)
      await expect(collection.patch({ _id: "n1" }, patch), JSON.stringify(patch)).rejects.toThrow(InvalidDocumentError);
    expect(await collection.get("n1")).toEqual(note);
  });

  test("concurrent writers lose no updates", async () => {
    const collection = notes();
    const writers = Array.from({ length: 24 }, (_, n) => n);
    await Promise.all(
      writers.map((n) =>
        collection.patchOrInsert(aNote("n1", { rank: 0 }), { increment: { rank: 1 }, push: { tags: [n] } }),
      ),
    );
    const note = await collection.get("n1");
    expect(note?.rank).toBe(24);
    expect(new Set(note?.tags as number[])).toEqual(new Set(writers));
    expect(note?.tags).toHaveLength(24);

    await Promise.all(
      writers.map((n) => collection.patch({ _id: "n1" }, { push: { tags: [100 + n] }, keepLast: { tags: 24 } })),
    );
    expect(new Set((await collection.get("n1"))?.tags as number[])).toEqual(new Set(writers.map((n) => 100 + n)));

    const claims = await Promise.all(
      writers.map(() => collection.patch({ _id: "n1", title: null }, { set: { title: "mine" } })),
    );
    expect(claims.filter((claim) => claim !== undefined)).toHaveLength(1);

    const inserts = await Promise.all(writers.map((n) => collection.insert(aNote(`m${n}`, { email: "one" }))));
    expect(inserts.filter((answer) => answer === "inserted")).toHaveLength(1);

    await Promise.all(writers.map((n) => collection.upsert(aNote("u1", { rank: n }))));
    expect(await collection.count({ _id: "u1" })).toBe(1);
  });

  test("a refused write doesn't affect concurrent ones", async () => {
    const collection = await someNotes([aNote("n0", { email: "taken" })]);
    const answers = await Promise.allSettled([
      collection.insert(aNote("n1")),
      collection.upsert(aNote("n2", { email: "taken" })),
      collection.patch({ _id: "n0" }, { increment: { email: 1 } }),
      collection.insert(aNote("n3")),
    ]);
    expect(answers.map((answer) => answer.status)).toEqual(["fulfilled", "rejected", "rejected", "fulfilled"]);
    expect(idsOf(await collection.find({}, { order: [["_id", "asc"]] }))).toEqual(["n0", "n1", "n3"]);
  });

  test("unusual strings and field names are returned unchanged", async () => {
    const collection = await someNotes([aNote("n\u0000", { title: "a\u0000b", body: odd })]);
    const note = await collection.get("n\u0000");
    expect(JSON.stringify(note?.body)).toBe(JSON.stringify(odd));
    expect(Object.getPrototypeOf(note?.body)).toBe(Object.prototype);
    expect(await collection.count({ title: "a\u0000b" })).toBe(1);
    expect(await collection.count({ title: "a" })).toBe(0);
    await collection.patch({ title: "a\u0000b" }, { set: { tags: odd }, push: { list: [odd] } });
    expect(JSON.stringify((await collection.get("n\u0000"))?.tags)).toBe(JSON.stringify(odd));
  });

  test("an unpaired surrogate is stored as U+FFFD and found by either", async () => {
    const collection = await someNotes([aNote("n1", { title: "x\uD800" })]);
    expect(await collection.get("n1")).toMatchObject({ title: "x\uFFFD" });
    expect(await collection.count({ title: "x\uD800" })).toBe(1);
  });

  test("a document that MongoDB couldn't store is refused everywhere", async () => {
    const collection = notes();
    await expect(collection.insert(aNote("n1", { body: "x".repeat(MAX_DOCUMENT_BYTES) }))).rejects.toThrow(
      InvalidDocumentError,
    );
    let deep: unknown = 1;
    for (let level = 0; level < 200; level += 1) deep = [deep];
    await expect(collection.insert(aNote("n2", { body: deep }))).rejects.toThrow(InvalidDocumentError);
    expect(await collection.count({})).toBe(0);
    expect(await collection.insert(aNote("n3", { body: "x".repeat(4_000_000) }))).toBe("inserted");
    expect((await collection.get("n3"))?.body).toHaveLength(4_000_000);
  });

  test("an invalid query is refused, not answered with everything", async () => {
    const collection = await someNotes([aNote("n1")]);
    const bad = [
      { title: undefined },
      { rank: {} },
      { rank: { $gt: 1 } },
      { rank: { gt: 1, lt: "a" } },
      { rank: Number.NaN },
      { "a'b": 1 },
    ];
    for (const filter of bad)
      await expect(collection.remove(filter as never), JSON.stringify(filter)).rejects.toThrow(InvalidDocumentError);
    expect(await collection.count({})).toBe(1);
  });

  test("counts documents by the value of a field", async () => {
    const collection = await someNotes([
      aNote("n1", { rank: "a" }),
      aNote("n2", { rank: "a" }),
      aNote("n3", { rank: 2 }),
      aNote("n4", { isDone: true }),
    ]);
    expect(await collection.groupCount("rank", { ownerId: "ada" })).toEqual(
      new Map([
        ["a", 2],
        ["2", 1],
        ["null", 1],
      ]),
    );
    expect(await collection.groupCount("isDone", { isDone: { not: null } })).toEqual(new Map([["true", 1]]));
    expect(await collection.groupCount("rank", { ownerId: "none" })).toEqual(new Map());
  });

  test("any sequence of calls gives the results of a plain array of documents", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(anyCall, { minLength: 5, maxLength: 40 }), async (calls) => {
        const things = open().collection<Thing>({
          name: noteSpec().name,
          shardKey: "ownerId",
          indexes: [{ fields: ["ownerId", "mixed"] }, { fields: ["unique"], unique: true }],
        });
        const model = new ModelStore();
        for (const call of calls) expect(await call.real(things), call.name).toEqual(call.model(model));
        const order = [["_id", "asc"]] as const;
        expect(await things.find({}, { order })).toEqual(model.find({}, order));
      }),
      { numRuns: 60 },
    );
  });
}

interface Call {
  readonly name: string;
  real(things: Collection<Thing>): Promise<unknown>;
  model(model: ModelStore): unknown;
}

const id = fc.constantFrom("a", "b", "c", "d");
const word = fc.constantFrom("", "a", "b", "\u0000", "é", "\u{1F600}", "\uFFFD", "[1]", "{}");
const count = fc.constantFrom(0, 1, -1, 1.5, 3_000_000_000, 1e300);
const mixed = fc.oneof(fc.constant(null), word, count);
const scalar = fc.oneof(mixed, fc.boolean());

const thing: fc.Arbitrary<Thing> = fc
  .record(
    {
      _id: id,
      ownerId: fc.constantFrom("ada", "grace"),
      word: fc.oneof(fc.constant(null), word),
      count: fc.oneof(fc.constant(null), count),
      mixed,
      flag: fc.oneof(fc.constant(null), fc.boolean()),
      unique: fc.constantFrom("x", "y", "z"),
      list: fc.array(scalar, { maxLength: 4 }),
      inner: fc.record({ word: fc.oneof(fc.constant(null), word), count }, { requiredKeys: [] }),
    },
    { requiredKeys: ["_id", "ownerId"] },
  )
  .map((made) => made as Thing);

const range = <V extends string | number>(value: fc.Arbitrary<V>) =>
  fc
    .record({ gt: value, gte: value, lt: value, lte: value }, { requiredKeys: [] })
    .filter((made) => Object.keys(made).length > 0);
const condition = fc.oneof(
  scalar,
  range(word),
  range(count),
  fc.record({ in: fc.array(fc.oneof(word, count), { maxLength: 3 }) }),
  fc.record({ not: fc.oneof(fc.constant(null), word) }),
);
const filter = fc
  .record(
    {
      _id: fc.oneof(id, fc.record({ in: fc.array(id) })),
      mixed: condition,
      word: condition,
      count: condition,
      flag: condition,
      "inner.word": condition,
    },
    { requiredKeys: [] },
  )
  .map((made) => made as Filter<Thing>);

const patch: fc.Arbitrary<Patch<Thing>> = fc
  .record(
    {
      set: fc.record(
        { word, mixed, flag: fc.boolean(), unique: fc.constantFrom("x", "y"), "inner.word": word },
        { requiredKeys: [] },
      ),
      unset: fc.constantFrom(["count"], []),
      increment: fc.record({ "inner.count": fc.constantFrom(1, -2, 0.5) }),
      push: fc.record({ list: fc.array(scalar, { maxLength: 3 }) }),
      keepLast: fc.record({ list: fc.constantFrom(0, 1, 2) }),
      pull: fc.record({ list: fc.array(scalar, { maxLength: 2 }) }),
    },
    { requiredKeys: [] },
  )
  // A patch may change a path only once, so it cannot pull and push the same path.
  .map(({ pull, ...made }) => (made.push || made.keepLast || !pull ? made : { ...made, pull }) as Patch<Thing>);

const orTaken = (write: Promise<unknown>) =>
  write.catch((cause: unknown) => {
    if (cause instanceof DuplicateValueError) return "taken";
    throw cause;
  });

const order = fc.constantFrom(
  [
    ["mixed", "asc"],
    ["_id", "desc"],
  ] as const,
  [
    ["mixed", "desc"],
    ["_id", "asc"],
  ] as const,
  [
    ["ownerId", "asc"],
    ["mixed", "asc"],
    ["_id", "asc"],
  ] as const,
);

const anyCall: fc.Arbitrary<Call> = fc.oneof(
  thing.map((made) => ({
    name: `insert ${JSON.stringify(made)}`,
    real: (things: Collection<Thing>) => things.insert(made),
    model: (model: ModelStore) => model.insert(made),
  })),
  thing.map((made) => ({
    name: `upsert ${JSON.stringify(made)}`,
    real: (things: Collection<Thing>) => orTaken(things.upsert(made).then(() => "written")),
    model: (model: ModelStore) => model.upsert(made),
  })),
  fc.tuple(id, condition, patch).map(([_id, mixedIs, made]) => ({
    name: `patch ${JSON.stringify({ _id, mixedIs, made })}`,
    real: (things: Collection<Thing>) => orTaken(things.patch({ _id, mixed: mixedIs }, made)),
    model: (model: ModelStore) => model.patch({ _id, mixed: mixedIs }, made),
  })),
  fc.tuple(thing, patch).map(([fresh, made]) => ({
    name: `patchOrInsert ${JSON.stringify({ fresh, made })}`,
    real: (things: Collection<Thing>) => orTaken(things.patchOrInsert(fresh, made)),
    model: (model: ModelStore) => model.patchOrInsert(fresh, made),
  })),
  filter.map((made) => ({
    name: `remove ${JSON.stringify(made)}`,
    real: (things: Collection<Thing>) => things.remove(made),
    model: (model: ModelStore) => model.remove(made),
  })),
  fc.tuple(filter, order, fc.constantFrom(1, 3, 100)).map(([made, by, limit]) => ({
    name: `find ${JSON.stringify({ made, by, limit })}`,
    real: (things: Collection<Thing>) => things.find(made, { order: by, limit }),
    model: (model: ModelStore) => model.find(made, by, limit),
  })),
  fc.tuple(filter, fc.constantFrom("mixed" as const, "flag" as const, "word" as const)).map(([made, field]) => ({
    name: `count ${JSON.stringify(made)}`,
    real: async (things: Collection<Thing>) => [await things.count(made), await things.groupCount(field, made)],
    model: (model: ModelStore) => [model.find(made, []).length, model.groupCount(field, made)],
  })),
);
