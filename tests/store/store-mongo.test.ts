import { readdir } from "node:fs/promises";
import { Readable } from "node:stream";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openGridFsBlobs } from "#api/blobs/gridfs-blobs.ts";
import type { Blobs } from "#api/blobs/port.ts";
import { connectMongo, createMongoStore, type MongoConnection } from "#api/store/mongo-store.ts";
import type { CollectionSpec, DocumentStore } from "#api/store/port.ts";
import { blobsSuite } from "./blobs/blobs-suite.ts";
import { createDocumentPassageIndex } from "#api/store/search/document-passage-index.ts";
import { jobsSuite } from "#tests/jobs/jobs-suite.ts";
import { passagesSuite } from "./passages-suite.ts";
import { renamedNamesSuite } from "./data-folders/renamed-names-suite.ts";
import { startMongoWire } from "./mongo-wire.ts";
import { storeSuite } from "./store-suite.ts";

const wire = await startMongoWire();

if ("missing" in wire) {
  process.stdout.write(`MongoDB's wire: skipped (${wire.missing})\n`);
  test.skip(`the document store on MongoDB's wire: ${wire.missing}`, () => {});
} else {
  process.stdout.write(`MongoDB's wire: ${wire.name}\n`);
  const isFerret = wire.name.startsWith("FerretDB");
  describe(`the document store on MongoDB's wire (${wire.name})`, () => {
    let connection: MongoConnection;
    let store: DocumentStore;

    beforeAll(async () => {
      const uri = new URL(`/lamplight-test-${process.pid}`, wire.uri);
      // One connection, because FerretDB 1 reads and writes a document in two steps.
      if (isFerret) uri.searchParams.set("maxPoolSize", "1");
      connection = await connectMongo(uri.href);
      store = createMongoStore(connection);
    });

    afterAll(async () => {
      await connection.db.dropDatabase();
      await store.close();
      await wire.stop();
    });

    test("another process finds existing documents and indexes", async () => {
      const indexes = [{ fields: ["n"] }, { fields: ["email"], unique: true }, { fields: ["n", "email"] }];
      const spec: CollectionSpec<{ _id: string; email?: string }> = { name: "again", shardKey: "_id", indexes };
      expect(await store.collection(spec).insert({ _id: "n1", email: "a@x.org" })).toBe("inserted");
      const other = createMongoStore(connection).collection(spec);
      expect(await other.get("n1")).toEqual({ _id: "n1", email: "a@x.org" });
      expect(await other.insert({ _id: "n2", email: "a@x.org" })).toBe("duplicate");
    });

    describe("files in GridFS", () => {
      let blobs: Blobs;
      beforeAll(async () => {
        blobs = await openGridFsBlobs(connection);
      });
      blobsSuite(() => blobs);

      test("local copies of files being received are gone once the store is closed", async () => {
        const own = await openGridFsBlobs(connection);
        await own.receive(Readable.from([Buffer.from("half")]), 10);
        expect((await readdir(own.incoming)).length).toBe(1);
        await own.close();
        await expect(readdir(own.incoming)).rejects.toMatchObject({ code: "ENOENT" });
      });
    });

    describe("the passage index on MongoDB's wire", () => passagesSuite(() => createDocumentPassageIndex(store)));

    describe("jobs on MongoDB's wire", () => jobsSuite(() => store));

    describe("renamed names on MongoDB's wire", () =>
      renamedNamesSuite(
        () => store,
        async (collection) => (await connection.db.collection(collection).indexes()).map(({ name = "" }) => name),
      ));

    storeSuite(() => store, new Set(isFerret ? ["null in a unique index"] : []));
  });
}
