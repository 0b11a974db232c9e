import { type FileRecord, findFile } from "#api/blobs/file-records.ts";
import type { Handlers, UserCtx } from "#api/http/handler.ts";
import type { Own } from "#api/store/owned-store.ts";
import { Failure } from "#shared/contract/failure.ts";
import type { pdf } from "#shared/pdf/contract.ts";
import type { Component } from "#shared/pages/schema.ts";
import { documentKindOf } from "#shared/pdf/document-kinds.ts";
import { getReadingState } from "./reading-state.ts";
import { cancelRecognition, findOcrSource, startRecognition } from "./recognition.ts";
import { listAnnotations } from "./annotations.ts";
import { proposeDocumentName, stopAnalysis, streamAnalysis } from "./analysis-stream.ts";
import { readFilePassages } from "./service.ts";

type FindFileComponent = (
  own: Own,
  componentId: string,
) => Promise<Extract<Component, { type: "image" | "video" }> | undefined>;

/** Finds the file of a component. */
function createFinders(findFileComponent: FindFileComponent) {
  const findDocument = async ({ own }: UserCtx, componentId: string): Promise<FileRecord | undefined> => {
    const component = await findFileComponent(own, componentId);
    return component?.type === "image" ? findFile(own, component.content.file.id) : undefined;
  };
  return {
    async requireDocument(this: void, ctx: UserCtx, componentId: string): Promise<FileRecord> {
      const file = await findDocument(ctx, componentId);
      if (!file) throw new Failure("not_found", "no_document");
      return file;
    },
    async requirePdf(this: void, ctx: UserCtx, componentId: string): Promise<FileRecord> {
      const file = await findDocument(ctx, componentId);
      if (!file || documentKindOf(file._id) !== "pdf") throw new Failure("not_found", "no_pdf");
      return file;
    },
  };
}

/** `findFileComponent` is passed in because pages read documents through this feature. */
export function createHandlers(findFileComponent: FindFileComponent): Handlers<typeof pdf> {
  const { requireDocument, requirePdf } = createFinders(findFileComponent);
  return {
    async getPdfData(ctx, { componentId, id }) {
      const pdfId = componentId ?? id;
      if (pdfId === undefined) throw new Failure("bad_input", "pdf_id_missing");
      const file = await requirePdf(ctx, pdfId);
      return {
        type: file.mime,
        sizeBytes: file.sizeBytes,
        open: (range) => ctx.blobs.open(file.blobKey, range),
        disposition: { kind: "inline", name: file.name },
        etag: file.blobKey,
      };
    },

    async getPassages(ctx, { id, from, to }) {
      if (from !== undefined && to !== undefined && from > to) throw new Failure("bad_input", "page_range_reversed");
      const file = await requireDocument(ctx, id);
      return readFilePassages(ctx, file._id, { from, to });
    },

    async getReading(ctx, { id }) {
      return getReadingState(ctx, await requireDocument(ctx, id));
    },

    async recogniseText(ctx, { id, language }) {
      const file = await requireDocument(ctx, id);
      const ocrSource = await findOcrSource(ctx.own, file._id);
      if (ocrSource) await startRecognition(ctx, ocrSource, language);
      return getReadingState(ctx, file);
    },

    async cancelRecognition(ctx, { id }) {
      const file = await requireDocument(ctx, id);
      const ocrSource = await findOcrSource(ctx.own, file._id);
      if (ocrSource) await cancelRecognition(ctx, ocrSource);
      return getReadingState(ctx, file);
    },

    async listAnnotations({ own }, { id }) {
      if (!(await findFileComponent(own, id))) throw new Failure("not_found", "no_document");
      return { annotations: await listAnnotations(own, id) };
    },

    async *sumUp(ctx, { id, language, custom_instructions: instructions, model, fresh }) {
      const file = await requireDocument(ctx, id);
      yield* streamAnalysis(
        ctx,
        { componentId: id, file },
        { language, instructions, model, isFresh: fresh === "true" },
      );
    },

    async stopAnalysis(ctx, { id, analysisId }) {
      await requireDocument(ctx, id);
      return { wasRunning: await stopAnalysis(ctx, analysisId) };
    },

    async generateName(ctx, { id, model }) {
      const file = await requireDocument(ctx, id);
      return { name: await proposeDocumentName(ctx, { componentId: id, file }, model) };
    },
  };
}
