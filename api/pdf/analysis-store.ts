import { createHash } from "node:crypto";
import type { Own } from "#api/store/owned-store.ts";
import type { CollectionSpec, OwnedDoc } from "#api/store/port.ts";
import type { AnalysisNotice, SummaryPart } from "#shared/pdf/analysis.ts";
import type { StoredStatement, SummaryOptions } from "./statements.ts";

export type StoredPart = Omit<SummaryPart, "statements"> & { statements: StoredStatement[] };

export interface StoredAnalysis {
  parts: StoredPart[];
  notices: AnalysisNotice[];
}

/** The analysis of one content, language and instruction, or the job that is working on it. */
interface AnalysisDoc extends OwnedDoc {
  jobId: string;
  result: StoredAnalysis | null;
  requestedAt: number;
}

/** Raise when summaries are made differently. */
const VERSION = 1;
/** Analyses stored per account; the oldest are removed. */
const MAX_ANALYSES = 200;

const analyses: CollectionSpec<AnalysisDoc> = {
  name: "document_analyses",
  shardKey: "ownerId",
  indexes: [{ fields: ["ownerId", "requestedAt"] }],
};

export interface AnalysisQuery extends SummaryOptions {
  blobKey: string;
  model: string;
}

export function analysisKey(own: Own, { blobKey, model, language, instructions }: AnalysisQuery): string {
  const keyParts = [VERSION, blobKey, model, language?.trim() ?? "", instructions?.trim() ?? ""];
  return `${own.ownerId}.${createHash("sha256").update(JSON.stringify(keyParts)).digest("base64url")}`;
}

export const findAnalysis = (own: Own, key: string) => own.in(analyses).get(key);

/** Makes `jobId` the job in charge, unless another one replaced `before` in the meantime. */
export async function claimAnalysis(
  own: Own,
  key: string,
  claim: { before: string | undefined; jobId: string; now: number },
): Promise<boolean> {
  const { before, jobId, now } = claim;
  if (before !== undefined)
    return (
      (await own
        .in(analyses)
        .patch({ _id: key, jobId: before }, { set: { jobId, result: null, requestedAt: now } })) !== undefined
    );
  const outcome = await own.in(analyses).insert({ _id: key, jobId, result: null, requestedAt: now });
  if (outcome === "inserted") await removeOldest(own);
  return outcome === "inserted";
}

/** Stores a job's result, unless the analysis was restarted in the meantime. */
export const saveAnalysis = (own: Own, key: string, jobId: string, analysis: StoredAnalysis) =>
  own.in(analyses).patch({ _id: key, jobId }, { set: { result: analysis } });

async function removeOldest(own: Own): Promise<void> {
  const excess = (await own.in(analyses).count({})) - MAX_ANALYSES;
  if (excess <= 0) return;
  const oldest = await own.in(analyses).find({}, { order: [["requestedAt", "asc"]], limit: excess, fields: ["jobId"] });
  await own.in(analyses).remove({ _id: { in: oldest.map(({ _id }) => _id) } });
}
