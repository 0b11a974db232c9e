import { z } from "zod";
import type { UserCtx } from "#api/http/handler.ts";
import { OutsideFetchError } from "#api/outside/fetch-outside.ts";
import type { DriveFile } from "#shared/connections/contract.ts";
import { Failure } from "#shared/contract/failure.ts";
import { renewTokens, requireClientSecret, type GoogleTokens } from "./google.ts";
import { encrypt, decrypt } from "./encryption.ts";
import { changeConnection, type ConnectionDoc } from "./store.ts";

/** Renew access that expires within this time before using it. */
const RENEW_BEFORE_MS = 60_000;
/** Bytes per range request: small enough for ten seconds on a slow connection. */
const PIECE_BYTES = 8 * 1024 * 1024;
const PAGE_SIZE = 40;

export const accessRevokedFailure = () => new Failure("access_revoked", "drive_access_revoked");

const driveUnreachable = () => new Failure("unreachable", "drive_unreachable");

/**
 * A file resource of the Drive API v3 (https://developers.google.com/drive/api/reference/rest/v3/files). Sizes are
 * strings; Google documents have none.
 */
const RawFile = z.object({
  id: z.string(),
  name: z.string().default(""),
  mimeType: z.string().default(""),
  size: z.string().optional(),
  modifiedTime: z.string().optional(),
});
const RawList = z.object({ files: z.array(RawFile).default([]), nextPageToken: z.string().optional() });

const FIELDS = "id,name,mimeType,size,modifiedTime";
/** Google document types that can be exported as PDF. */
const EXPORTABLE = /^application\/vnd\.google-apps\.(document|presentation|spreadsheet|drawing)$/;
const IMPORTABLE =
  /^(image\/(jpeg|png|gif|bmp|webp|tiff)|application\/(pdf|msword|vnd\.ms-powerpoint|vnd\.openxmlformats-officedocument\.(wordprocessingml\.document|presentationml\.presentation))|video\/(mp4|webm|ogg|quicktime|x-msvideo|avi))$/;

const presentFile = ({ id, name, mimeType, size, modifiedTime }: z.infer<typeof RawFile>): DriveFile => ({
  id,
  name,
  mimeType,
  sizeBytes: size === undefined ? null : Number(size),
  modifiedAt: modifiedTime === undefined ? null : Date.parse(modifiedTime) || null,
  canImport: EXPORTABLE.test(mimeType) || IMPORTABLE.test(mimeType),
});

interface DriveResponse {
  status: number;
  bytes: Uint8Array;
}

/** A connected Drive during one request: renews access when needed and records when it is lost. */
export class Drive {
  readonly #ctx: UserCtx;
  readonly #connection: ConnectionDoc;
  #tokens: GoogleTokens | undefined;

  constructor(ctx: UserCtx, connection: ConnectionDoc) {
    this.#ctx = ctx;
    this.#connection = connection;
    this.#tokens = decrypt(connection.sealedTokens, requireClientSecret(ctx.settings)) as GoogleTokens | undefined;
  }

  async list(searchText: string | undefined, pageToken: string | undefined) {
    const escaped = searchText?.trim().replaceAll(/['\\]/g, String.raw`\$&`) ?? "";
    const q = `trashed = false and mimeType != 'application/vnd.google-apps.folder'${escaped === "" ? "" : ` and name contains '${escaped}'`}`;
    const query = {
      q,
      pageSize: String(PAGE_SIZE),
      orderBy: "modifiedTime desc",
      fields: `nextPageToken,files(${FIELDS})`,
    };
    const page = await this.#json("/drive/v3/files", { ...query, ...(pageToken ? { pageToken } : {}) }, RawList);
    return { files: page.files.map(presentFile), nextPageToken: page.nextPageToken ?? null };
  }

  async find(id: string): Promise<DriveFile> {
    return presentFile(await this.#json(`/drive/v3/files/${encodeURIComponent(id)}`, { fields: FIELDS }, RawFile));
  }

  /** Streams the file in ranges; Google documents as one PDF. */
  async *read({ id, mimeType, sizeBytes }: DriveFile): AsyncGenerator<Uint8Array> {
    const path = `/drive/v3/files/${encodeURIComponent(id)}`;
    if (EXPORTABLE.test(mimeType)) {
      yield await this.#bytes(`${path}/export`, { mimeType: "application/pdf" });
      return;
    }
    const size = sizeBytes ?? 0;
    for (let offset = 0; offset < size;) {
      const end = Math.min(size, offset + PIECE_BYTES) - 1;
      const piece = await this.#bytes(path, { alt: "media" }, `bytes=${offset}-${end}`);
      // A server that ignores ranges sends the whole file in one response.
      yield piece;
      offset += piece.length;
      if (piece.length === 0) throw driveUnreachable();
    }
  }

  async #json<T extends z.ZodType>(path: string, query: Record<string, string>, schema: T): Promise<z.output<T>> {
    const bytes = await this.#bytes(path, query);
    try {
      return schema.parse(JSON.parse(new TextDecoder().decode(bytes)));
    } catch {
      throw driveUnreachable();
    }
  }

  async #bytes(path: string, query: Record<string, string>, range?: string): Promise<Uint8Array> {
    const firstResponse = await this.#request(path, query, range);
    if (firstResponse.status !== 401) return this.#requireOk(firstResponse);
    // Access may have been revoked since it was granted. Renewing it shows whether it was.
    await this.#renew();
    const secondResponse = await this.#request(path, query, range);
    if (secondResponse.status === 401) throw await this.#markRevoked();
    return this.#requireOk(secondResponse);
  }

  #requireOk({ status, bytes }: DriveResponse): Uint8Array {
    if (status === 404) throw new Failure("not_found", "no_drive_file");
    if (status < 200 || status >= 300) throw driveUnreachable();
    return bytes;
  }

  async #request(path: string, query: Record<string, string>, range: string | undefined): Promise<DriveResponse> {
    const token = await this.#accessToken();
    const url = `${this.#ctx.settings.GOOGLE_API_BASE.replace(/\/$/, "")}${path}?${new URLSearchParams(query).toString()}`;
    const headers = { authorization: `Bearer ${token}`, ...(range === undefined ? {} : { range }) };
    try {
      const answer = await this.#ctx.fetchOutside(url, { headers, signal: this.#ctx.signal });
      return { status: answer.status, bytes: await answer.bytes() };
    } catch (error) {
      if (error instanceof OutsideFetchError && error.reason === "too_large")
        throw new Failure("too_large", "drive_file_too_large");
      throw error instanceof OutsideFetchError ? driveUnreachable() : error;
    }
  }

  async #accessToken(): Promise<string> {
    if (!this.#tokens || !this.#connection.isActive) throw await this.#markRevoked();
    if (this.#tokens.expiresAt - RENEW_BEFORE_MS <= this.#ctx.clock.now()) await this.#renew();
    return this.#tokens.accessToken;
  }

  async #renew(): Promise<void> {
    const { settings, clock, own } = this.#ctx;
    const renewed = this.#tokens && (await renewTokens(settings, this.#tokens, clock.now()));
    if (!renewed) throw await this.#markRevoked();
    this.#tokens = renewed;
    await changeConnection(own, this.#connection._id, {
      sealedTokens: encrypt(renewed, requireClientSecret(settings)),
    });
  }

  async #markRevoked(): Promise<Failure> {
    await changeConnection(this.#ctx.own, this.#connection._id, { isActive: false });
    return accessRevokedFailure();
  }
}
