import { atom } from "jotai/vanilla";
import { NoAnswer } from "#shared/client/client.ts";
import { friendlyFailure } from "#shared/client/failures.ts";
import { allowUpload } from "#shared/billing/rules.ts";
import type { Component } from "#shared/pages/schema.ts";
import { familyOf, judgeFile, judgeVideo, type UploadType } from "#shared/pdf/upload-rules.ts";
import type { Usage } from "#shared/user/schema.ts";
import { client } from "#webapp/kit/client.ts";
import { userAtom } from "#webapp/kit/session.ts";
import { store } from "#webapp/kit/store.ts";

/** One file on its way to a page, or the words for why it did not get there. */
export interface Upload {
  id: string;
  pageId: string;
  name: string;
  sentBytes: number;
  totalBytes: number;
  /** Good to know before the next one, such as how many are left today. */
  notice: string | null;
  problem: string | null;
  cancel: () => void;
}

const uploadsAtom = atom<readonly Upload[]>([]);
export const uploadsOfAtom = (pageId: string) => atom((get) => get(uploadsAtom).filter((up) => up.pageId === pageId));

/** What tells a type: the office formats name their parts within this. */
const HEAD_BYTES = 4100;

function change(id: string, next: Partial<Upload>): void {
  store.set(uploadsAtom, (all) => all.map((upload) => (upload.id === id ? { ...upload, ...next } : upload)));
}

export function dismissUpload(id: string): void {
  store.set(uploadsAtom, (all) => all.filter((upload) => upload.id !== id));
}

async function usageNow(): Promise<Partial<Usage>> {
  try {
    return await client.user.getUsage({});
  } catch {
    // The server counts anyway; this only tells sooner.
    return {};
  }
}

async function judge(file: File): Promise<{ problem: string } | { type: UploadType; notice: string | null }> {
  const head = new Uint8Array(await file.slice(0, HEAD_BYTES).arrayBuffer());
  const judgeIt = familyOf(file) === "video" ? judgeVideo : judgeFile;
  const verdict = judgeIt({ name: file.name, type: file.type, sizeBytes: file.size, head });
  if (!verdict.ok) return { problem: verdict.message };
  const { countsAgainstDay } = verdict.type;
  const allowed = allowUpload({
    plan: store.get(userAtom)?.plan,
    usage: countsAgainstDay ? await usageNow() : {},
    now: Date.now(),
    sizeBytes: file.size,
    countsAgainstDay,
  });
  if (allowed.outcome === "refused") return { problem: allowed.message };
  return { type: verdict.type, notice: allowed.outcome === "approaching_limit" ? allowed.message : null };
}

/** Sends a file to a page, with the words of sections 5 and 8 where that cannot be; answers what it became. */
export async function uploadTo(pageId: string, file: File, componentId: string): Promise<Component | undefined> {
  const stopping = new AbortController();
  const cancel = () => {
    stopping.abort();
    dismissUpload(componentId);
  };
  const begun = { id: componentId, pageId, name: file.name, sentBytes: 0, totalBytes: file.size };
  store.set(uploadsAtom, (all) => [...all, { ...begun, notice: null, problem: null, cancel }]);
  try {
    const verdict = await judge(file);
    if ("problem" in verdict) {
      change(componentId, { problem: verdict.problem });
      return undefined;
    }
    change(componentId, { notice: verdict.notice });
    const files = [{ field: "file", file, name: file.name }];
    const send = verdict.type.family === "video" ? "uploadVideoComponent" : "uploadImageComponent";
    const { component } = await client.pages[send]({ pageId, componentId }, files, {
      signal: stopping.signal,
      onUploadProgress: (sentBytes, totalBytes) => change(componentId, { sentBytes, totalBytes }),
    });
    dismissUpload(componentId);
    return component;
  } catch (error) {
    if (error instanceof NoAnswer && error.reason === "aborted") dismissUpload(componentId);
    else change(componentId, { problem: friendlyFailure(error, "upload")?.message ?? null });
    return undefined;
  }
}
