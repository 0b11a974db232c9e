import { expect, test } from "vitest";
import { grantAdmin } from "#api/auth/service.ts";
import { prompts } from "#api/ai/prompt-log.ts";
import { browserOf, toDemographic } from "#api/admin/lists/demographics.ts";
import { ratingsByGroup } from "#shared/admin/quality.ts";
import { recordFigure } from "#api/store/figures/figure-store.ts";
import { ownedBy } from "#api/store/owned-store.ts";
import { startApi } from "#tests/kit/api.ts";
import { readCsv } from "./read-csv.ts";

async function anInstance() {
  const api = await startApi({ env: { REGISTRATION: "open" } });
  const admin = await api.newUser({ name: "Root" });
  const ada = await api.newUser({ name: "Ada" });
  await grantAdmin(api.deps, admin.email, true);
  return { api, admin, ada, calls: admin.client.admin };
}

type Rated = Parameters<Awaited<ReturnType<typeof anInstance>>["ada"]["client"]["feedback"]["rate"]>[0];
const rating = (changes: Partial<Rated>): Rated => ({
  kind: "answer",
  id: "01ANSWER",
  value: "down",
  reason: "",
  text: "",
  model: "built-in",
  ...changes,
});

test("only answers that students shared are listed, without words; opening one is recorded for the student", async () => {
  const { ada, calls } = await anInstance();
  await ada.client.feedback.rate(rating({ id: "01PRIVATE", reason: "wrong" }));
  await ada.client.feedback.rate(rating({ id: "01SHARED", reason: "wrong page", text: "my shared secret" }));
  const list = await calls.listConversations({});
  expect(list.conversations).toHaveLength(1);
  expect(JSON.stringify(list)).not.toContain("secret");
  expect((await ada.client.admin.listAccesses({})).accesses).toEqual([]);
  const [{ _id: id } = { _id: "" }] = list.conversations;
  for (let times = 0; times < 2; times += 1) {
    const { conversation } = await calls.getConversation({ id });
    expect(conversation).toMatchObject({
      source: "shared",
      reason: "wrong page",
      turns: [{ text: "my shared secret" }],
    });
  }
  const { accesses } = await ada.client.admin.listAccesses({});
  expect(accesses).toMatchObject([{ kind: "shared_answer", adminEmail: expect.stringContaining("@") }]);
  await ada.client.feedback.rate(rating({ id: "01SHARED", text: "" }));
  await expect(calls.getConversation({ id })).rejects.toMatchObject({ reason: "no_conversation" });
  await expect(calls.getConversation({ id: "01ANYTHING" })).rejects.toMatchObject({ code: "not_found" });
});

test("opening a shared card or an entry of the log of prompts is recorded for the student too", async () => {
  const { api, ada, calls } = await anInstance();
  await ada.client.feedback.rate(rating({ kind: "card", id: "01CARD", text: "front and back" }));
  const [card] = (await calls.listSharedCards({})).cards;
  expect((await calls.getConversation({ id: card?._id ?? "" })).conversation.turns[0]?.text).toBe("front and back");
  const entry = { model: "m", system: "s", turns: [{ role: "user" as const, text: "q" }], answer: "a", at: 1 };
  await api.deps.store.collection(prompts).insert({ ...entry, _id: "01PROMPT", ownerId: ada.userId });
  const [logged] = (await calls.listConversations({ source: "logged" })).conversations;
  const { turns } = (await calls.getConversation({ id: logged?._id ?? "" })).conversation;
  expect(turns.map(({ text }) => text)).toEqual(["s", "q", "a"]);
  const kinds = (await ada.client.admin.listAccesses({})).accesses.map(({ kind }) => kind);
  expect(kinds.toSorted()).toEqual(["logged_answer", "shared_card"]);
});

test.each(["list", "download"])("words that the %s of thumbs shows are recorded for the student", async (kind) => {
  const { ada, calls } = await anInstance();
  await ada.client.feedback.rate(rating({ id: "01PRIVATE", reason: "wrong" }));
  await ada.client.feedback.rate(rating({ id: "01SHARED", text: "my shared words" }));
  await ada.client.feedback.rate(rating({ kind: "completion", id: "01WORDS", text: "a completion" }));
  if (kind === "list") await calls.listRatings({ model: "" });
  else await readCsv(calls.exportRatings({ model: "" }));
  const kinds = (await ada.client.admin.listAccesses({})).accesses.map((access) => access.kind);
  expect(kinds.toSorted()).toEqual(["shared_answer", "shared_completion"]);
});

/** The list as JSON, with everything decoded that looks like base64. */
const decodeAll = (list: object) =>
  JSON.stringify(list).replaceAll(/"([\w-]{40,})"/gu, (_, hidden: string) =>
    Buffer.from(hidden, "base64url").toString(),
  );

test("ids and positions in the lists do not reveal an account, and forged ones are refused", async () => {
  const { ada, calls } = await anInstance();
  for (const kind of ["answer", "card"] as const)
    for (let at = 0; at < 51; at += 1) await ada.client.feedback.rate(rating({ kind, id: `01${at}`, text: "shared" }));
  const conversations = await calls.listConversations({});
  const cards = await calls.listSharedCards({});
  const ratings = await calls.listRatings({});
  for (const list of [conversations, cards, ratings]) expect(decodeAll(list)).not.toContain(ada.userId);
  const after = cards.next ?? "";
  expect((await calls.listSharedCards({ after })).cards).toHaveLength(1);
  expect((await calls.listConversations({ after: conversations.next ?? "" })).conversations).toHaveLength(1);
  for (const list of [calls.listConversations, calls.listSharedCards, calls.listGenerations, calls.listRatings])
    await expect(list({ after: `${ada.userId}:card` })).rejects.toMatchObject({ code: "bad_input" });
  await expect(calls.getConversation({ id: `shared:${ada.userId}:card:011` })).rejects.toMatchObject({
    code: "not_found",
  });
});

test("shared answers are filtered by thumb, and an answer shows how many citations were verified or dropped", async () => {
  const { api, ada, calls } = await anInstance();
  const own = ownedBy(api.deps.store, ada.userId);
  const sums = { answers: 1, verified: 3, dropped: 1 };
  await recordFigure(own, { figure: "answers", id: "01COUNTED", at: api.clock.now(), sums });
  await ada.client.feedback.rate(rating({ id: "01COUNTED", value: "up", text: "counted" }));
  await ada.client.feedback.rate(rating({ id: "01OTHER", value: "down", text: "other" }));
  await ada.client.feedback.rate(rating({ kind: "card", id: "01CARD", value: "down", text: "front" }));
  const [up] = (await calls.listConversations({ thumb: "up" })).conversations;
  const [down, ...others] = (await calls.listConversations({ thumb: "down" })).conversations;
  expect([up?.thumb, down?.thumb, others]).toEqual(["up", "down", []]);
  expect((await calls.listSharedCards({ thumb: "up" })).cards).toEqual([]);
  const open = async (id = "") => (await calls.getConversation({ id })).conversation;
  expect((await open(up?._id)).citations).toEqual({ verified: 3, dropped: 1 });
  expect((await open(down?._id)).citations).toBeNull();
});

test("a thumb for a model that the server does not know is stored without a model", async () => {
  const { ada, calls } = await anInstance();
  await ada.client.feedback.rate(rating({ id: "01FORGED", model: "my secret diary" }));
  await ada.client.feedback.rate(rating({ id: "01KNOWN", model: "lamplight-builtin" }));
  const { ratings } = await calls.listRatings({});
  expect(ratings.map(({ model }) => model).toSorted()).toEqual(["lamplight-builtin", "none"]);
  expect((await calls.listRatings({ model: "none" })).ratings).toHaveLength(1);
  const { weeks } = await calls.getFigures({ weeks: 1 });
  expect(ratingsByGroup(weeks).map(({ kind, model, down }) => [kind, model, down])).toEqual([
    ["answer", "none", 1],
    ["answer", "lamplight-builtin", 1],
  ]);
});

test("generations are listed by their figures, without the account", async () => {
  const { api, ada, calls } = await anInstance();
  const own = ownedBy(api.deps.store, ada.userId);
  const sums = { generations: 1, cards: 7, failed: 0, rejected_leak: 2, rejected_vague: 3 };
  const dims = { model: "m", version: "1" };
  await recordFigure(own, { figure: "generations", id: "01JOB", at: api.clock.now(), dims, sums });
  const list = await calls.listGenerations({});
  expect(list.generations).toMatchObject([
    {
      day: "2026-09-01",
      cards: 7,
      isFailed: false,
      rejected: [
        { gate: "vague", count: 3 },
        { gate: "leak", count: 2 },
      ],
    },
  ]);
  expect(JSON.stringify(list)).not.toContain(ada.userId);
});

test("groups of fewer than five accounts are not counted", async () => {
  const { api, calls } = await anInstance();
  for (let index = 0; index < 4; index += 1) await api.newUser();
  const { demographics } = await calls.getDemographics({});
  expect(demographics.timezone).toEqual({ groups: [{ name: "UTC", accounts: 6 }], hasSmall: false });
  expect(demographics.language).toEqual({ groups: [{ name: "system", accounts: 6 }], hasSmall: false });
  expect(
    toDemographic(
      new Map([
        ["a", 5],
        ["b", 4],
        ["c", 0],
        ["d", 9],
      ]),
    ),
  ).toEqual({
    groups: [
      { name: "d", accounts: 9 },
      { name: "a", accounts: 5 },
    ],
    hasSmall: true,
  });
  expect(browserOf("Mozilla/5.0 … Chrome/140.0 Safari/537.36 Edg/140.0")).toBe("Edge");
});
