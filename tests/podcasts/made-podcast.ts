import { ulid } from "ulid";
import type { Podcast } from "#shared/podcasts/schema.ts";
import { expect } from "vitest";
import type { TestUser } from "#tests/kit/api.ts";
import { tinyPdf } from "#tests/kit/pdf/tiny-pdf.ts";
import { aTextbook } from "./textbook.ts";
import { aChange, aPage } from "#tests/store/changes.ts";

export const guest = { name: "Maya", voice: "MAYA_FEMALE" };

const LINE_CHARS = 90;
const PAGE_LINES = 46;

function wrap(paragraph: string): string[] {
  const lines: string[] = [""];
  for (const word of paragraph.replaceAll(/[#*]/gu, "").trim().split(/\s+/u)) {
    const line = lines.at(-1) ?? "";
    if (line.length + word.length < LINE_CHARS) lines[lines.length - 1] = `${line} ${word}`.trim();
    else lines.push(word);
  }
  return [...lines, ""];
}

/** A PDF with a few sections of text. */
export async function aDocument({ client }: Pick<TestUser, "client">, text = aTextbook(4), name = "Cells.pdf") {
  const lines = text.split("\n\n").flatMap(wrap);
  const pages = Array.from({ length: Math.ceil(lines.length / PAGE_LINES) }, (_, page) =>
    lines.slice(page * PAGE_LINES, (page + 1) * PAGE_LINES),
  );
  const pageId = await aPage({ client }, "Biology");
  const componentId = ulid();
  await client.uploads.uploadImageComponent({ pageId, componentId }, [{ field: "file", file: tinyPdf(pages), name }]);
  return componentId;
}

/** Archives a document, as the web app does. */
export async function archive({ client }: Pick<TestUser, "client">, id: string): Promise<void> {
  const { component } = await client.pages.getComponent({ id });
  const newContent = { ...component.content, isArchived: true, archivedAt: 1 };
  const change = aChange("component_content_update", id, { newContent }, { baseVersion: component.version });
  const { failed } = await client.sync.sendChanges({ payload: [change] });
  expect(failed).toEqual([]);
}

/** Much longer than making an episode takes on an idle machine. */
export const MAKING_LIMIT_MS = 150_000;
/** Timeout of a test that waits for an episode. */
export const TEST_LIMIT_MS = 2 * MAKING_LIMIT_MS;

type EpisodeRequest = Partial<Parameters<TestUser["client"]["podcasts"]["createPodcast"]>[0]>;

export async function createPodcast(user: TestUser, request: EpisodeRequest = {}): Promise<Podcast> {
  const sources = request.sources ?? [{ type: "pdf" as const, id: await aDocument(user) }];
  const input = { title: "Cells", guest, length_minutes: 5 as const, ...request, sources };
  return (await user.client.podcasts.createPodcast(input)).podcast;
}

/** Waits until the episode is completed or has failed. */
export async function waitUntilMade({ client }: TestUser, id: string): Promise<Podcast> {
  let latest: Podcast | undefined;
  await expect
    .poll(
      async () => {
        latest = (await client.podcasts.getPodcast({ id })).podcast;
        return latest.status;
      },
      { timeout: MAKING_LIMIT_MS, interval: 100 },
    )
    .toMatch(/completed|failed/);
  if (!latest) throw new Error("no podcast");
  return latest;
}
