import { Failure } from "#shared/contract/failure.ts";
import type { Component } from "#shared/pages/schema.ts";
import type { UploadCalls } from "#shared/uploads/upload-run.ts";
import type { UploadFamily } from "#shared/uploads/rules.ts";
import { client } from "#webapp/app/client.ts";

/** The chunk size. Smaller files are sent in one call. */
export const CHUNK_BYTES = 4 * 1024 * 1024;

interface UploadInput {
  id: string;
  pageId: string | null;
  file: File;
  family: UploadFamily;
  signal: AbortSignal;
}

export const createUploadCalls = (upload: UploadInput): UploadCalls<Component> =>
  upload.file.size <= CHUNK_BYTES ? createSingleCall(upload) : createChunkedCalls(upload);

const toPageInput = (pageId: string | null) => (pageId === null ? {} : { pageId });

/** Idempotent: a retry with the same id returns the component that the first attempt created. */
function createSingleCall({ id, pageId, file, family, signal }: UploadInput): UploadCalls<Component> {
  const initialState = { offset: 0, isComplete: false };
  const send = family === "video" ? client.uploads.uploadVideoComponent : client.uploads.uploadImageComponent;
  let component: Component | undefined;
  return {
    start: () => Promise.resolve(initialState),
    state: () => Promise.resolve(initialState),
    async append(_offset, end, onSent) {
      const files = [{ field: "file", file, name: file.name }];
      const input = { ...toPageInput(pageId), componentId: id };
      component = (await send(input, files, { signal, onUploadProgress: onSent })).component;
      return { offset: end, isComplete: true };
    },
    complete: () => (component ? Promise.resolve(component) : Promise.reject(new Failure("broken", { message: "" }))),
  };
}

function createChunkedCalls({ id, pageId, file, family, signal }: UploadInput): UploadCalls<Component> {
  const { name, type, size: sizeBytes } = file;
  const startInput = { componentId: id, family, name, type, sizeBytes, ...toPageInput(pageId) };
  return {
    start: async () => (await client.uploads.startUpload(startInput, { signal })).upload,
    state: async () => (await client.uploads.getUpload({ id }, { signal })).upload,
    async append(offset, end, onSent) {
      const files = [{ field: "piece", file: file.slice(offset, end), name: "piece" }];
      const options = { signal, onUploadProgress: onSent };
      return (await client.uploads.appendToUpload({ id, offset }, files, options)).upload;
    },
    complete: async () => (await client.uploads.completeUpload({ id }, { signal })).component,
  };
}
