import { ulid } from "ulid";
import { expect, test } from "vitest";
import { incrementUsage } from "#api/user/store.ts";
import { ownedBy } from "#api/store/owned-store.ts";
import { type CountedLimit } from "#shared/billing/daily-usage.ts";
import { utcDay } from "#shared/user/days.ts";
import { startApi, type TestUser } from "#tests/kit/api.ts";
import { aResearchQuestion } from "#tests/kit/research.ts";
import { tinyPdf } from "#tests/kit/pdf/tiny-pdf.ts";
import { aQuestion, ask } from "#tests/kit/tutor.ts";
import { aCard, aDeck, aPage, aText } from "#tests/store/changes.ts";

const MEGABYTE = 1024 ** 2;
const plans = ["FREE", "PLUS", "ULTIMATE", "ENTERPRISE"] as const;
type PlanName = (typeof plans)[number];
type Limits = Readonly<Record<PlanName, number>>;
const NONE = Number.POSITIVE_INFINITY;

const limitsOf = (FREE: number, PLUS: number, ULTIMATE: number): Limits => ({ FREE, PLUS, ULTIMATE, ENTERPRISE: FREE });

const api = await startApi({ forFile: true, env: { RATE_LIMIT_FACTOR: "1000" } });

const aLecture = (pages: number) =>
  tinyPdf(Array.from({ length: pages }, (_, page) => [`Osmosis is the movement of water across membrane ${page}.`]));

async function upload({ client }: TestUser, pages = 1): Promise<string> {
  const files = [{ field: "file", file: aLecture(pages), name: "Cells.pdf" }];
  return (await client.uploads.uploadImageComponent({}, files)).component._id;
}

/** Writes notes to answer from, because a question without an answer is not counted. */
const writeNotes = async (user: TestUser) =>
  aText(user, await aPage(user), "The ribosome reads messenger RNA one codon at a time.");

async function readAll(stream: AsyncIterable<unknown>): Promise<void> {
  for await (const _ of stream);
}

interface DailyRow {
  counter: CountedLimit;
  most: Limits;
  /** Creates the data that the call needs. */
  prepare?: (user: TestUser) => Promise<string>;
  use: (user: TestUser, prepared: string) => Promise<unknown>;
}

/** The counters of section 9 of the specification, each with a call that it limits. */
const dailyRows: DailyRow[] = [
  {
    counter: "assistantMessages",
    most: limitsOf(5, 100, NONE),
    prepare: writeNotes,
    use: ({ client }) => ask(client, aQuestion({ text: "What does the ribosome read?" })),
  },
  {
    counter: "researchMessages",
    most: limitsOf(1, 10, 50),
    prepare: writeNotes,
    use: ({ client }) => readAll(client.research.sendResearch(aResearchQuestion())),
  },
  { counter: "fileUploads", most: limitsOf(1, NONE, NONE), use: (user) => upload(user) },
  {
    counter: "podcastCreations",
    most: limitsOf(1, 30, 30),
    prepare: (user) => upload(user),
    use: ({ client }, id) =>
      client.podcasts.createPodcast({
        title: "Cells",
        guest: { name: "Maya", voice: "MAYA_FEMALE" },
        length_minutes: 5,
        sources: [{ type: "pdf", id }],
      }),
  },
  {
    counter: "autocompleteWords",
    most: limitsOf(500, NONE, NONE),
    async use({ client }) {
      await readAll(client.pages.completeText({ pageId: "none", componentId: "none", before: "Osmosis is the mov" }));
      await client.pages.countCompletedWords({ wordCount: 1 });
    },
  },
];

const dailyCases = dailyRows.flatMap((row) => plans.map((plan) => ({ ...row, plan, limit: row.most[plan] })));

test.each(dailyCases)("$plan allows $limit of $counter a day, and the next is refused", async (row) => {
  const { counter, plan, limit, use, prepare } = row;
  const user = await api.newUser({ plan });
  const prepared = (await prepare?.(user)) ?? "";
  const now = api.clock.now();
  const before = limit === NONE ? 100_000 : limit - 1;
  const seed = { counter, by: before, limit: NONE, period: utcDay(now), now };
  if (before > 0) expect(await incrementUsage(ownedBy(api.deps.store, user.userId), seed)).toBeDefined();
  await use(user, prepared);
  expect((await user.client.user.getUsage({}))[counter]).toBe(before + 1);
  const next = use(user, prepared);
  if (limit === NONE) await next;
  else await expect(next).rejects.toMatchObject({ code: "limit_reached", status: 402, data: { limit: counter } });
});

test.each([
  { plan: "FREE", limit: 3 },
  { plan: "PLUS", limit: null },
  { plan: "ULTIMATE", limit: null },
  { plan: "ENTERPRISE", limit: 3 },
] as const)("$plan allows $limit cards to study a day", async ({ plan, limit }) => {
  const user = await api.newUser({ plan });
  const deck = await aDeck(user, await aPage(user), [aCard("codon")]);
  expect((await user.client.study.getDeckSchedule({ componentId: deck })).dailyLimit).toBe(limit);
});

const perFile = plans.map((plan) => ({
  plan,
  pages: limitsOf(10, 300, 300)[plan],
  megabytes: limitsOf(10, 300, 300)[plan],
}));

test.each(perFile)(
  "$plan makes cards of $pages pages of a PDF and not of one more",
  async ({ plan, pages }) => {
    const user = await api.newUser({ plan });
    const componentId = await upload(user, pages + 1);
    await expect(user.client.flashcards.generateCards({ pdfComponents: [{ componentId }] }, [])).rejects.toMatchObject({
      code: "limit_reached",
      data: { limit: "pdfToFlashcardsPages", allowed: pages },
    });
    const allowed = { componentId, startPage: 2, endPage: pages + 1 };
    const { filesProcessed } = await user.client.flashcards.generateCards({ pdfComponents: [allowed] }, []);
    expect(filesProcessed).toMatchObject([{ success: true, openPlanModal: false }]);
  },
  120_000,
);

test.each(perFile)("$plan allows files of $megabytes MB and not of a byte more", async ({ plan, megabytes }) => {
  const { client } = await api.newUser({ plan });
  const start = (sizeBytes: number) =>
    client.uploads.startUpload({
      componentId: ulid(),
      family: "video",
      name: "Lecture.mp4",
      type: "video/mp4",
      sizeBytes,
    });
  await expect(start(megabytes * MEGABYTE + 1)).rejects.toMatchObject({ code: "too_large", status: 413 });
  expect((await start(megabytes * MEGABYTE)).upload.isComplete).toBe(false);
});
