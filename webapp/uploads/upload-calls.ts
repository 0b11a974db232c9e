import { Failure } from "#shared/contract/failure.ts";
import type { Component } from "#shared/pages/schema.ts";
import type { UploadCalls } from "#shared/pages/upload-run.ts";
import type { UploadFamily } from "#shared/pdf/upload-rules.ts";
import { client } from "#webapp/app/client.ts";

/** The chunk size. Smaller files are sent in one call. */
export const PIECE_BYTES = 4 * 1024 * 1024;

interface Sending {
  id: string;
  pageId: string | null;
  file: File;
  family: UploadFamily;
  signal: AbortSignal;
}

export const callsFor = (sending: Sending): UploadCalls<Component> =>
  sending.file.size <= PIECE_BYTES ? inOneCall(sending) : inPieces(sending);

const placeOf = (pageId: string | null) => (pageId === null ? {} : { pageId });

/** Idempotent: a retry under the same id returns the component that the first attempt created. */
function inOneCall({ id, pageId, file, family, signal }: Sending): UploadCalls<Component> {
  const nothing = { offset: 0, isComplete: false };
  const send = family === "video" ? client.pages.uploadVideoComponent : client.pages.uploadImageComponent;
  let made: Component | undefined;
  return {
    start: () => Promise.resolve(nothing),
    state: () => Promise.resolve(nothing),
    async append(_offset, end, onSent) {
      const files = [{ field: "file", file, name: file.name }];
      const place = { ...placeOf(pageId), componentId: id };
      made = (await send(place, files, { signal, onUploadProgress: onSent })).component;
      return { offset: end, isComplete: true };
    },
    complete: () => (made ? Promise.resolve(made) : Promise.reject(new Failure("broken", { message: "" }))),
  };
}

function inPieces({ id, pageId, file, family, signal }: Sending): UploadCalls<Component> {
  const { name, type, size: sizeBytes } = file;
  const asked = { componentId: id, family, name, type, sizeBytes, ...placeOf(pageId) };
  return {
    start: async () => (await client.pages.startUpload(asked, { signal })).upload,
    state: async () => (await client.pages.getUpload({ id }, { signal })).upload,
    async append(offset, end, onSent) {
      const files = [{ field: "piece", file: file.slice(offset, end), name: "piece" }];
      const options = { signal, onUploadProgress: onSent };
      return (await client.pages.appendToUpload({ id, offset }, files, options)).upload;
    },
    complete: async () => (await client.pages.completeUpload({ id }, { signal })).component,
  };
}
