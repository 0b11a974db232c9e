import { randomUUID } from "node:crypto";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { parentPort } from "node:worker_threads";
import busboy from "busboy";
import { HashedFile } from "#api/blobs/hashed-file.ts";

/** Why a form is rejected. */
export type FormFault =
  | "not_a_form"
  | "bad_head"
  | "incomplete"
  | "field_too_large"
  | "too_many_files"
  | "file_too_large"
  | "disk";

export interface FormLimits {
  contentType: string;
  /** Folder that files are written to, under random names. */
  folder: string;
  maxFiles: number;
  maxFileBytes: number;
  maxFieldBytes: number;
}

/** A complete file at `path`, flushed to disk. */
export interface FormFile {
  field: string;
  name: string;
  type: string;
  path: string;
  key: string;
  sizeBytes: number;
  head: Uint8Array;
}

export type ToForm =
  | { id: number; kind: "open"; limits: FormLimits }
  | { id: number; kind: "pieces"; pieces: Uint8Array[] }
  | { id: number; kind: "end" }
  | { id: number; kind: "drop" };

/** Each form ends once, with `done` or `failed`; after `failed` all of its files have been removed. */
export type FromForm =
  | { id: number; kind: "ready" }
  | { id: number; kind: "done"; fields: [string, string][]; files: FormFile[] }
  | { id: number; kind: "failed"; fault: FormFault };

const MAX_FIELDS = 40;

/** Busboy's error for a part header that contains control characters or exceeds 16 KB. */
const isHeaderError = (error: unknown) => error instanceof Error && error.message === "Malformed part header";

// V8 accounts for external buffers late: without this, about 60 MB of written chunks stay in memory before it collects
// them.
setFlagsFromString("--expose-gc");
const collectYoungGeneration = runInNewContext("gc") as (options: { type: "minor" }) => void;
const GC_EVERY_BATCHES = 16;
let batchCount = 0;

const forms = new Map<number, Form>();
const post = (message: FromForm) => parentPort?.postMessage(message, []);
const noop = () => undefined;

class Form {
  readonly #id: number;
  readonly #limits: FormLimits;
  readonly #parser: busboy.Busboy;
  readonly #fields: [string, string][] = [];
  readonly #open = new Map<string, HashedFile>();
  readonly #paths: string[] = [];
  readonly #files: Promise<FormFile>[] = [];
  #fieldBytes = 0;
  #hasEnded = false;

  constructor(id: number, limits: FormLimits) {
    this.#id = id;
    this.#limits = limits;
    this.#parser = busboy({
      headers: { "content-type": limits.contentType },
      defParamCharset: "utf8",
      limits: {
        files: limits.maxFiles,
        fields: MAX_FIELDS,
        fieldSize: limits.maxFieldBytes,
        parts: limits.maxFiles + MAX_FIELDS,
      },
    });
    this.#parser.on("field", (name, value, { valueTruncated }) => {
      this.#fieldBytes += value.length;
      if (valueTruncated || this.#fieldBytes > limits.maxFieldBytes) this.fail("field_too_large");
      else this.#fields.push([name, value]);
    });
    this.#parser.on("file", (field, source, { filename, mimeType }) => {
      this.#receive(source, { field, name: filename ?? "", type: mimeType });
    });
    this.#parser.on("filesLimit", () => this.fail("too_many_files"));
    this.#parser.on("error", (error) => this.fail(isHeaderError(error) ? "bad_head" : "incomplete"));
    this.#parser.on("close", () => void this.#finish());
  }

  /** Posts `ready` once the chunks are written; chunks of a failed form are ignored. */
  write(chunks: readonly Uint8Array[]): void {
    if (this.#hasEnded) return;
    batchCount += 1;
    if (batchCount % GC_EVERY_BATCHES === 0) collectYoungGeneration({ type: "minor" });
    const last = chunks.length - 1;
    for (const [index, chunk] of chunks.entries())
      this.#parser.write(chunk, index === last ? () => post({ id: this.#id, kind: "ready" }) : noop);
  }

  end(): void {
    if (!this.#hasEnded) this.#parser.end();
  }

  fail(fault: FormFault): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    forms.delete(this.#id);
    this.#parser.destroy();
    void this.#removeFiles().then(() => post({ id: this.#id, kind: "failed", fault }));
  }

  #receive(source: Readable, part: Pick<FormFile, "field" | "name" | "type">): void {
    const path = join(this.#limits.folder, randomUUID());
    // An interrupted form ends its file streams with an error, which the parser reports as well.
    source.on("error", noop);
    try {
      const file = new HashedFile(path);
      this.#open.set(path, file);
      this.#paths.push(path);
      source.on("data", (chunk: Uint8Array) => this.#add(file, chunk));
      source.on("end", () => {
        if (this.#hasEnded) return;
        this.#open.delete(path);
        const finished = file.end().then((written) => ({ ...part, ...written, path }));
        // Handled when the form is finished.
        finished.catch(noop);
        this.#files.push(finished);
      });
    } catch {
      this.fail("disk");
    }
  }

  #add(file: HashedFile, chunk: Uint8Array): void {
    if (this.#hasEnded) return;
    if (file.sizeBytes + chunk.length > this.#limits.maxFileBytes) return this.fail("file_too_large");
    try {
      file.add(chunk);
    } catch {
      this.fail("disk");
    }
  }

  async #finish(): Promise<void> {
    if (this.#hasEnded) return;
    try {
      const files = await Promise.all(this.#files);
      if (this.#hasEnded) return;
      this.#hasEnded = true;
      forms.delete(this.#id);
      post({ id: this.#id, kind: "done", fields: this.#fields, files });
    } catch {
      this.fail("disk");
    }
  }

  async #removeFiles(): Promise<void> {
    await Promise.allSettled([...this.#files, ...[...this.#open.values()].map((file) => file.close())]);
    await Promise.allSettled(this.#paths.map((path) => rm(path, { force: true })));
  }
}

function open(id: number, limits: FormLimits): void {
  try {
    forms.set(id, new Form(id, limits));
  } catch {
    post({ id, kind: "failed", fault: "not_a_form" });
  }
}

parentPort?.on("message", (message: ToForm) => {
  const form = forms.get(message.id);
  switch (message.kind) {
    case "open":
      return open(message.id, message.limits);
    case "pieces":
      return form?.write(message.pieces);
    case "end":
      return form?.end();
    case "drop":
      return form?.fail("incomplete");
    default:
      return message satisfies never;
  }
});
