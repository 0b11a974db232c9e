import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { type Entry, open as openZip, type ZipFile } from "yauzl";
import { z } from "zod";
import { limitsOf } from "#shared/billing/rules.ts";
import { Failure } from "#shared/contract/failure.ts";
import type { user } from "#shared/user/contract.ts";
import type { AccountImportReport } from "#shared/user/schema.ts";
import { publishChanges } from "#api/store/account-changes.ts";
import { type FileRecord, saveFile, sumStoredBytes } from "#api/blobs/file-records.ts";
import { releaseStorage, reserveStorage } from "#api/blobs/storage-quota.ts";
import { BlobTooLargeError } from "#api/blobs/port.ts";
import type { Handlers, UserCtx } from "#api/http/handler.ts";
import {
  type Rename,
  applyRenames,
  findRenames,
  formerCollectionName,
  reverseRenames,
} from "#api/store/migrations/stored-names.ts";
import { toArchivedDoc } from "./archived-doc.ts";
import {
  ARCHIVE_VERSION,
  EXPORTED_COLLECTIONS,
  type AnyDoc,
  type ExportedCollection,
  exportedSpec,
  parseExportedDoc,
  canonicalJson,
  LinesDigest,
} from "./exported-collections.ts";

const BYTES_PER_MB = 1024 * 1024;
const MAX_ENTRIES = 100_000;
/** Limits against zip bombs: total size of the unpacked documents, and their compression ratio. */
const MAX_DOCUMENT_BYTES = 500 * BYTES_PER_MB;
const MAX_RATIO = 200;
const RATIO_CHECK_MIN_BYTES = 10 * BYTES_PER_MB;

const Manifest = z.object({
  kind: z.literal("lamplight export"),
  version: z.literal([1, ARCHIVE_VERSION]),
  documents: z.partialRecord(
    z.enum([...EXPORTED_COLLECTIONS, ...EXPORTED_COLLECTIONS.map(formerCollectionName)]),
    z.object({ count: z.int(), digest: z.string() }),
  ),
});

/** The names that an archive uses. */
interface ArchiveNames {
  collectionName(name: ExportedCollection): string;
  findRenames(name: ExportedCollection, doc: AnyDoc): Rename[];
}

const NAMES: Readonly<Record<z.infer<typeof Manifest>["version"], ArchiveNames>> = {
  1: { collectionName: formerCollectionName, findRenames },
  2: { collectionName: (name) => name, findRenames: () => [] },
};

const invalidExportFailure = () => new Failure("invalid_file", "export_damaged");

/**
 * `recomputeDays` is passed in because study uses this feature: streak and statistics are not part of the archive, they
 * are recomputed from the reviews.
 */
export const createImportHandlers = (
  recomputeDays: (ctx: UserCtx) => Promise<void>,
): Pick<Handlers<typeof user>, "importAccount"> => ({
  async importAccount(ctx, _input, [file]) {
    if (!file) throw new Failure("bad_input", "no_file_sent");
    const archive = await Archive.open(await file.path());
    try {
      return await new AccountImport(ctx, archive).run();
    } finally {
      archive.close();
      // Also after a failure: what was imported until then is there.
      await recomputeDays(ctx);
      await publishChanges(ctx.own, [{ kind: "everything", ids: [] }]);
    }
  },
});

/** A zip whose directory is validated before anything is unpacked. */
class Archive {
  readonly #zip: ZipFile;
  readonly entries: ReadonlyMap<string, Entry>;

  private constructor(zip: ZipFile, entries: ReadonlyMap<string, Entry>) {
    this.#zip = zip;
    this.entries = entries;
  }

  static async open(path: string): Promise<Archive> {
    const zip = await new Promise<ZipFile>((resolve, reject) => {
      openZip(path, { lazyEntries: true, autoClose: false }, (error, opened) =>
        error ? reject(invalidExportFailure()) : resolve(opened),
      );
    });
    if (zip.entryCount > MAX_ENTRIES) throw invalidExportFailure();
    const entries = new Map<string, Entry>();
    await new Promise<void>((resolve, reject) => {
      zip.on("entry", (entry: Entry) => {
        entries.set(entry.fileName, entry);
        zip.readEntry();
      });
      zip.on("end", resolve);
      zip.on("error", () => reject(invalidExportFailure()));
      zip.readEntry();
    });
    const documents = [...entries.values()].filter(({ fileName }) => !fileName.startsWith("files/"));
    const unpacked = documents.reduce((sum, { uncompressedSize }) => sum + uncompressedSize, 0);
    const packed = documents.reduce((sum, { compressedSize }) => sum + compressedSize, 0);
    if (unpacked > MAX_DOCUMENT_BYTES || (unpacked > RATIO_CHECK_MIN_BYTES && unpacked > packed * MAX_RATIO))
      throw invalidExportFailure();
    return new Archive(zip, entries);
  }

  read(entry: Entry): Promise<Readable> {
    return new Promise((resolve, reject) => {
      this.#zip.openReadStream(entry, (error, stream) => (error ? reject(invalidExportFailure()) : resolve(stream)));
    });
  }

  close(): void {
    this.#zip.close();
  }
}

/** One import of an export into an account; idempotent. */
class AccountImport {
  readonly #ctx: UserCtx;
  readonly #archive: Archive;
  readonly #report: AccountImportReport = { documents: 0, files: 0, already: 0, refused: 0, isWhole: true };
  /**
   * Files contained in the archive. Records may refer only to these: the blob store is shared, so any other key would
   * expose another account's content.
   */
  readonly #includedBlobs = new Map<string, number>();

  constructor(ctx: UserCtx, archive: Archive) {
    this.#ctx = ctx;
    this.#archive = archive;
  }

  async run(): Promise<AccountImportReport> {
    const manifest = await this.#manifest();
    const names = NAMES[manifest.version];
    await this.#importFiles();
    for (const name of EXPORTED_COLLECTIONS) {
      const expected = manifest.documents[names.collectionName(name)];
      const digest = await this.#importDocuments(name, names);
      if (expected && (expected.count !== digest.count || expected.digest !== digest.toString()))
        this.#report.isWhole = false;
    }
    return this.#report;
  }

  async #manifest() {
    const entry = this.#archive.entries.get("lamplight.json");
    if (!entry) throw invalidExportFailure();
    const raw = await text(await this.#archive.read(entry)).catch(() => "");
    const parsed = Manifest.safeParse(parseJson(raw));
    if (!parsed.success) throw invalidExportFailure();
    return parsed.data;
  }

  async #importFiles(): Promise<void> {
    const { caller, clock, blobs } = this.#ctx;
    const maxBytes = limitsOf(caller.plan, clock.now()).fileSizeMb * BYTES_PER_MB;
    for (const [path, entry] of this.#archive.entries) {
      const key = /^files\/([0-9a-f]{64})$/.exec(path)?.[1];
      if (key === undefined) continue;
      try {
        const received = await blobs.receive(await this.#archive.read(entry), maxBytes);
        // File names are content hashes: refuse contents that do not match.
        if (received.key === key) {
          await received.commit();
          this.#includedBlobs.set(key, received.sizeBytes);
          this.#report.files += 1;
        } else this.#countRefused();
        await received.discard();
      } catch (error) {
        if (!(error instanceof BlobTooLargeError)) throw error instanceof Failure ? error : invalidExportFailure();
        this.#countRefused();
      }
    }
  }

  /** Returns the digest of what is stored in the account afterwards, in the names of the archive. */
  async #importDocuments(name: ExportedCollection, names: ArchiveNames): Promise<LinesDigest> {
    const digest = new LinesDigest();
    const entry = this.#archive.entries.get(`documents/${names.collectionName(name)}.jsonl`);
    if (!entry) return digest;
    const lines = createInterface({ input: await this.#archive.read(entry), crlfDelay: Number.POSITIVE_INFINITY });
    for await (const line of lines) {
      if (line === "") continue;
      const archived = this.#parseDocument(line);
      const renames = archived ? names.findRenames(name, archived) : [];
      const stored = archived && (await this.#importDocument(name, applyRenames(archived, renames)));
      if (stored === undefined) this.#countRefused();
      else digest.add(canonicalJson(applyRenames(toArchivedDoc(name, stored), reverseRenames(renames))));
    }
    return digest;
  }

  async #importDocument(name: ExportedCollection, archived: AnyDoc): Promise<AnyDoc | undefined> {
    const { own } = this.#ctx;
    const isMissingItsFile = name === "files" && !this.#includedBlobs.has(String(archived["blobKey"]));
    if (isMissingItsFile) return undefined;
    const doc = toArchivedDoc(name, archived);
    const collection = own.in(exportedSpec(name));
    const outcome = await this.#insert(name, doc).catch((error: unknown) => {
      // The document is fine: the student may import the archive again later.
      if (error instanceof Failure && error.status >= 500) throw error;
      return "refused" as const;
    });
    if (outcome === "refused") return undefined;
    if (outcome === "inserted") this.#report.documents += 1;
    else this.#report.already += 1;
    return collection.get(doc._id);
  }

  #insert(name: ExportedCollection, doc: AnyDoc): Promise<"inserted" | "duplicate"> {
    if (name === "website_texts") return this.#insertText(doc);
    if (name !== "files") return this.#ctx.own.in(exportedSpec(name)).insert(doc);
    // Store the size of the content, because the archive may state any size.
    const sizeBytes = this.#includedBlobs.get(String(doc["blobKey"])) ?? 0;
    return saveFile(this.#ctx, { ...(doc as unknown as FileRecord), sizeBytes });
  }

  /** Counts a text of a website against the quota. */
  async #insertText(doc: AnyDoc): Promise<"inserted" | "duplicate"> {
    const collection = this.#ctx.own.in(exportedSpec("website_texts"));
    if (await collection.get(doc._id)) return collection.insert(doc);
    const sizeBytes = Number(doc["sizeBytes"]);
    await reserveStorage(this.#ctx, sizeBytes, sumStoredBytes);
    let isStored = false;
    try {
      const outcome = await collection.insert(doc);
      isStored = outcome === "inserted";
      return outcome;
    } finally {
      if (!isStored) await releaseStorage(this.#ctx.own, sizeBytes);
    }
  }

  #parseDocument(line: string): AnyDoc | undefined {
    const { ownerId } = this.#ctx.own;
    const parsed = AnyDocument.safeParse(parseJson(line) === undefined ? undefined : parseExportedDoc(line, ownerId));
    return parsed.success && parsed.data.ownerId === ownerId ? parsed.data : undefined;
  }

  #countRefused(): void {
    this.#report.refused += 1;
    this.#report.isWhole = false;
  }
}

const AnyDocument = z.looseObject({ _id: z.string().min(1).max(500), ownerId: z.string() });

function parseJson(raw: string): unknown {
  try {
    return JSON.parse(raw);
  } catch {
    return undefined;
  }
}
