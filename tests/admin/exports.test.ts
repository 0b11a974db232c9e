import { expect, test } from "vitest";
import { claimInvite } from "#api/auth/invites-store.ts";
import { grantAdmin } from "#api/auth/service.ts";
import { saveRating } from "#api/feedback/ratings.ts";
import { prompts } from "#api/ai/prompt-log.ts";
import { recordFigure } from "#api/store/figures/figure-store.ts";
import { ownedBy } from "#api/store/owned-store.ts";
import { startApi } from "#tests/kit/api.ts";
import { aPage } from "#tests/store/changes.ts";
import { saveReport } from "#api/sharing/store.ts";
import { readCsv } from "./read-csv.ts";

async function anInstance() {
  const api = await startApi({ env: { REGISTRATION: "open" } });
  const admin = await api.newUser({ name: "Root" });
  const ada = await api.newUser({ name: "Ada" });
  await grantAdmin(api.deps, admin.email, true);
  return { api, admin, ada, calls: admin.client.admin };
}

test("the index of answers is downloaded without words or accounts, and no cell can be run by a spreadsheet", async () => {
  const { api, ada, calls } = await anInstance();
  const rating = { kind: "answer", value: "down", reason: "my reason", text: "my secret" } as const;
  const own = ownedBy(api.deps.store, ada.userId);
  for (const [at, model] of ["=HYPERLINK(1)", "＝HYPERLINK(1)", "@SUM(1)"].entries())
    await saveRating(own, { ...rating, id: `01ANSWER${at}`, model }, api.clock.now());
  await saveRating(own, { ...rating, id: "01PRIVATE", text: "", model: "private" }, api.clock.now());
  const shared = await readCsv(calls.exportConversations({}));
  expect(shared[0]).toBe("time,source,thumb,model");
  expect(
    shared
      .slice(1)
      .map((line) => line.split(",").slice(1).join(","))
      .toSorted(),
  ).toEqual(["shared,down,'=HYPERLINK(1)", "shared,down,'@SUM(1)", "shared,down,'＝HYPERLINK(1)"]);
  expect(shared.join()).not.toMatch(/secret|reason/u);
  expect(shared.join()).not.toContain(ada.userId);
  expect((await ada.client.admin.listAccesses({})).accesses).toEqual([]);

  const entry = { model: "m", system: "my system", turns: [{ role: "user" as const, text: "my question" }] };
  const prompt = { ...entry, answer: "my answer", at: 1, _id: "01PROMPT", ownerId: ada.userId };
  await api.deps.store.collection(prompts).insert(prompt);
  const logged = await readCsv(calls.exportConversations({ source: "logged" }));
  expect(logged.slice(1)).toEqual(["1970-01-01T00:00:00.001Z,logged,,m"]);
});

test("the list of shared cards is downloaded without words or accounts, and the download is not recorded as an access", async () => {
  const { ada, calls } = await anInstance();
  const rating = { kind: "card", value: "up", reason: "", model: "lamplight-builtin" } as const;
  await ada.client.feedback.rate({ ...rating, id: "01CARD", text: "my front and my back" });
  await ada.client.feedback.rate({ ...rating, id: "01PRIVATE", text: "" });
  const lines = await readCsv(calls.exportSharedCards({}));
  expect(lines.map((line) => line.split(",").slice(1).join())).toEqual([
    "source,thumb,model",
    "shared,up,lamplight-builtin",
  ]);
  expect(lines.join()).not.toMatch(/front|01CARD/u);
  expect(lines.join()).not.toContain(ada.userId);
  expect((await ada.client.admin.listAccesses({})).accesses).toEqual([]);
});

test("the download of generations has each of them once, without the account", async () => {
  const { api, ada, calls } = await anInstance();
  const own = ownedBy(api.deps.store, ada.userId);
  const sums = { generations: 1, cards: 7, failed: 0, rejected_leak: 2, rejected_vague: 3 };
  const generation = { figure: "generations", at: api.clock.now(), sums } as const;
  await Promise.all(
    Array.from({ length: 520 }, (_, at) =>
      recordFigure(own, { ...generation, id: `job-${at}`, dims: { model: `m${at}`, version: "1" } }),
    ),
  );
  const lines = await readCsv(calls.exportGenerations({}));
  expect(lines).toHaveLength(521);
  expect(new Set(lines).size).toBe(521);
  expect(lines).toContain("2026-09-01,7,0,vague 3; leak 2,,m17,1");
  expect(lines.join()).not.toContain(ada.userId);
  expect(await readCsv(calls.exportGenerations({ model: "m17" }))).toHaveLength(2);
  expect(await readCsv(calls.exportGenerations({ isFailed: "yes" }))).toHaveLength(1);
  expect((await calls.listGenerations({ model: "m17" })).generations).toMatchObject([{ model: "m17" }]);
});

test("groups of fewer than five accounts are not counted in the download either", async () => {
  const { api, ada, calls } = await anInstance();
  for (let index = 0; index < 4; index += 1) await api.newUser();
  await ada.client.user.saveSettings({ timezone: "Asia/Tokyo" });
  const lines = await readCsv(calls.exportDemographics({}));
  expect(lines.filter((line) => line.startsWith("timezone"))).toEqual([
    "timezone,UTC,5",
    "timezone,small groups,under 5 each",
  ]);
  expect(lines.join()).not.toContain("Tokyo");
});

test("downloads of feedback and of the log of actions have every entry that matches the filter", async () => {
  const { ada, calls } = await anInstance();
  const sent = { category: "I Have an Idea", currentRoute: "/home", email: "", mode: "detailed" } as const;
  for (const feedback of ["=1+1", "Second", "Third"]) await ada.client.feedback.sendFeedback({ ...sent, feedback });
  await ada.client.feedback.sendFeedback({ ...sent, category: "General Feedback", feedback: "Other" });
  const idea = { category: "I Have an Idea" } as const;
  const { feedback } = await calls.listFeedback(idea);
  expect(feedback.map((entry) => entry.feedback)).toEqual(["Third", "Second", "=1+1"]);
  await calls.setFeedbackState({ id: feedback[0]?._id ?? "", state: "done" });
  expect((await calls.listFeedback({ state: "done" })).feedback).toMatchObject([{ feedback: "Third" }]);
  const [head, ...lines] = await readCsv(calls.exportFeedback({ ...idea, state: "new" }));
  expect(head).toBe("time,category,state,route,email,feedback");
  expect(lines.map((line) => line.split(",").slice(1).join())).toEqual([
    `I Have an Idea,new,/home,${ada.email},Second`,
    `I Have an Idea,new,/home,${ada.email},'=1+1`,
  ]);

  await calls.signOutAccount({ id: ada.userId });
  const { entries } = await calls.listAudit({ action: "sign_out_account" });
  expect(entries).toMatchObject([{ action: "sign_out_account", target: ada.userId }]);
  expect(await readCsv(calls.exportAudit({}))).toHaveLength(3);
  const [, line, ...others] = await readCsv(calls.exportAudit({ action: "set_feedback_state" }));
  expect([line?.split(",")[3], others]).toEqual(["set_feedback_state", []]);
});

test("posts are filtered by state (draft, scheduled or published), and the download has the same filter", async () => {
  const { api, calls } = await anInstance();
  const [today = "", later = ""] = [0, 7].map((days) =>
    new Date(api.clock.now() + days * 86_400_000).toISOString().slice(0, 10),
  );
  const head = { description: "", topicName: "Memory" };
  const post = { topic: "memory", bodies: { en: "Words." }, date: today, isPublished: true };
  const write = (slug: string, change: Partial<typeof post>) =>
    calls.createPost({ ...post, ...change, slug, summaries: { en: { ...head, title: `=${slug}` } } });
  await write("now", {});
  await write("later", { date: later });
  await write("never", { isPublished: false });
  const slugsOf = async (state: "draft" | "scheduled" | "published") =>
    (await calls.listPosts({ state })).posts.map(({ slug }) => slug);
  expect(await slugsOf("draft")).toEqual(["never"]);
  expect(await slugsOf("scheduled")).toEqual(["later"]);
  expect(await slugsOf("published")).toContain("now");
  expect(await readCsv(calls.exportPosts({ state: "scheduled" }))).toEqual([
    "day,state,title_en,title_de,topic,address",
    `${later},scheduled,'=later,,memory,/blog/later`,
  ]);
});

test("the download of reports is complete, including reports of content that is no longer shared", async () => {
  const { api, calls } = await anInstance();
  const report = { shareId: "01SHARE", reason: "spam", text: "=1+1", createdAt: api.clock.now() } as const;
  for (let at = 0; at < 520; at += 1) await saveReport(api.deps.store, { ...report, _id: `01REPORT${at}` });
  const [head, ...lines] = await readCsv(calls.exportReports({}));
  expect(head).toBe("time,reason,title,text,address");
  expect(lines).toHaveLength(520);
  expect(new Set(lines.map((line) => line.split(",").slice(1).join()))).toEqual(new Set([`spam,,'=1+1,/s/01SHARE`]));
});

test("reports are filtered by reason, and the download has the same filter", async () => {
  const { api, admin, ada, calls } = await anInstance();
  const { share } = await ada.client.sharing.putShare({ type: "page", id: await aPage(ada, "Cells") });
  const report = { shareId: share._id, text: "", createdAt: api.clock.now() };
  for (let at = 0; at < 130; at += 1)
    await saveReport(api.deps.store, {
      ...report,
      _id: `01REPORT${at + 1000}`,
      reason: at % 2 === 0 ? "spam" : "personal",
    });
  const { sharing } = admin.client;
  const first = await sharing.listReports({ reason: "personal" });
  const second = await sharing.listReports({ reason: "personal", after: first.next ?? "" });
  const ids = [...first.reports, ...second.reports].map(({ _id }) => _id);
  expect(ids).toEqual(Array.from({ length: 65 }, (_, at) => `01REPORT${1129 - 2 * at}`));
  expect(second.next).toBeNull();
  expect((await sharing.listReports({ reason: "copyright" })).reports).toEqual([]);
  const lines = await readCsv(calls.exportReports({ reason: "personal" }));
  expect(lines.slice(1).map((line) => line.split(",")[1])).toEqual(Array.from({ length: 65 }, () => "personal"));
});

test("invitations are found by state and by the beginning of their address or code, and are downloaded without the code", async () => {
  const { api, admin, ada, calls } = await anInstance();
  const { auth } = admin.client;
  const old = (await auth.createInvite({ email: "Old@example.org" })).invite;
  api.clock.advance(15 * 86_400_000);
  const open = (await auth.createInvite({ email: "open@example.org" })).invite;
  api.clock.advance(1);
  const used = (await auth.createInvite({})).invite;
  const claimer = { userId: ada.userId, emailLower: ada.email, now: api.clock.now() };
  expect(await claimInvite(api.deps.store, used.id, claimer)).toBe(true);
  const idsOf = async (filter: Parameters<typeof auth.listInvites>[0]) =>
    (await auth.listInvites(filter)).invites.map(({ id }) => id);
  expect(await idsOf({ q: "OLD@" })).toEqual([old.id]);
  expect(await idsOf({ q: used.id.slice(0, 8) })).toEqual([used.id]);
  expect(await idsOf({ q: used.id.slice(0, 4) })).toEqual([]);
  expect(await idsOf({ q: used.id })).toEqual([]);
  expect(await idsOf({ q: used.id, state: "open" })).toEqual([]);
  expect(await idsOf({ state: "open" })).toEqual([open.id]);
  expect(await idsOf({ state: "used" })).toEqual([used.id]);
  expect(await idsOf({ state: "expired" })).toEqual([old.id]);
  await expect(auth.listInvites({ after: "no position" })).rejects.toMatchObject({ code: "bad_input" });
  const lines = await readCsv(calls.exportInvites({}));
  expect(lines[0]).toBe("code_begins_with,email,state,created,expires");
  expect(lines.slice(1).map((line) => line.split(",").slice(0, 3).join())).toEqual([
    `${used.id.slice(0, 8)},,used`,
    `${open.id.slice(0, 8)},open@example.org,open`,
    `${old.id.slice(0, 8)},old@example.org,expired`,
  ]);
  expect(await readCsv(calls.exportInvites({ state: "expired" }))).toHaveLength(2);
});

test("invitations with the same time are listed page by page, each once, and no position contains a whole code", async () => {
  const { admin } = await anInstance();
  const { auth } = admin.client;
  const made = new Set<string>();
  for (let at = 0; at < 120; at += 1) made.add((await auth.createInvite({})).invite.id);
  const listed: string[] = [];
  let after: string | null = "";
  while (after !== null) {
    const page: { invites: { id: string }[]; next: string | null } = await auth.listInvites(
      after === "" ? {} : { after },
    );
    listed.push(...page.invites.map(({ id }) => id));
    after = page.next;
    for (const code of made) expect(after ?? "").not.toContain(code);
  }
  expect(listed).toHaveLength(120);
  expect(new Set(listed)).toEqual(made);
});
