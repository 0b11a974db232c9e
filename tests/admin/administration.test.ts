import { join } from "node:path";
import { expect, test } from "vitest";
import { ulid } from "ulid";
import { grantAdmin } from "#api/auth/service.ts";
import { ADMIN_ACTIONS } from "#shared/admin/instance-contract.ts";
import { countNeeds, isFailure } from "#shared/admin/needs.ts";
import { isBackupOverdue } from "#shared/admin/rules.ts";
import { createBudget } from "#api/ai/budget.ts";
import { saveBillingNote } from "#api/billing/store.ts";
import { saveReport } from "#api/sharing/store.ts";
import { ownedBy } from "#api/store/owned-store.ts";
import { createBackup } from "#api/store/create-backup.ts";
import type { Endpoint } from "#shared/contract/endpoint.ts";
import type { Failure } from "#shared/contract/failure.ts";
import { v1 } from "#shared/contract/v1.ts";
import { PASSWORD } from "#tests/kit/account.ts";
import { startApi, type TestApi } from "#tests/kit/api.ts";
import { aPage } from "#tests/store/changes.ts";
import { aMailServer } from "#tests/kit/servers/mail-server.ts";

/** An administrator and a student, on a server whose registration stays open. */
async function anInstance(env: Record<string, string> = {}) {
  const api = await startApi({ env: { REGISTRATION: "open", ...env } });
  const admin = await api.newUser({ name: "Root" });
  const ada = await api.newUser({ name: "Ada" });
  await grantAdmin(api.deps, admin.email, true);
  await grantAdmin(api.deps, ada.email, false);
  return { api, admin, ada };
}

const write = { category: "I Have an Idea", currentRoute: "/home", mode: "detailed" } as const;

test("an administrator sees the state of the server and what is not set up", async () => {
  const { admin, ada } = await anInstance();
  await ada.client.feedback.sendFeedback({ ...write, feedback: "More cards", email: "" });
  const instance = await admin.client.admin.getInstance({});
  expect(instance).toMatchObject({ store: { kind: "SQLite", status: "ok" }, blobs: "ok", accounts: 2, newFeedback: 1 });
  expect(instance.services).toContainEqual({ name: "mail", missing: ["SMTP_URL", "MAIL_FROM"] });
  expect(instance.services).toContainEqual({
    name: "payments",
    missing: ["STRIPE_SECRET_KEY", "STRIPE_WEBHOOK_SECRET"],
  });
});

test("an administrator sees the models, how much of the day's budget is spent, and the time of the last backup", async () => {
  const { api, admin } = await anInstance({ AI_DAILY_BUDGET: "5000" });
  await (await createBudget(api.deps.store, api.clock, 5000).reserve(900)).settle(700);
  const read = async () => admin.client.admin.getInstance({});
  const before = await read();
  expect(before.models).toMatchObject({ tokensToday: 700, dailyBudget: 5000 });
  expect(before.models.names.length).toBeGreaterThan(0);
  expect(before.backup).toEqual({ lastAt: null, isLate: false });
  api.clock.advance(8 * 86_400_000);
  expect(await read()).toMatchObject({ models: { tokensToday: 0 }, backup: { lastAt: null, isLate: true } });
  await createBackup(api.dataDir, join(api.dataDir, "saved.lamplight"));
  expect((await read()).backup).toMatchObject({ lastAt: expect.any(Number) });
  const [day, now] = [86_400_000, Date.UTC(2026, 8, 30)];
  const isLate = (daysAgo: number) => isBackupOverdue({ lastAt: now - daysAgo * day, firstAccountAt: 1 }, now);
  expect([isLate(6), isLate(8), isBackupOverdue({ lastAt: null, firstAccountAt: undefined }, now)]).toEqual([
    false,
    true,
    false,
  ]);
});

/** Enqueues jobs that fail until `isFixed`; resolves once all have ended. */
async function failingJobs(api: TestApi, ownerId: string, count: number) {
  const state = { isFixed: false };
  api.deps.jobs.register("test_kind", async (run) => {
    await run.emit([{ type: "page", text: "my secret" }, { type: "page", text: "my secret" }, { type: "card" }]);
    if (!state.isFixed) throw new RangeError("the student wrote: my secret");
    await run.emit([{ type: "made" }]);
  });
  const ids = Array.from({ length: count }, () => ulid());
  for (const _id of ids) await api.deps.jobs.enqueue({ _id, ownerId, kind: "test_kind", input: { text: "my secret" } });
  const statusOf = async (id: string) => (await api.deps.jobs.get(ownerId, id))?.status;
  const allAre = (status: string) =>
    expect.poll(() => Promise.all(ids.map(statusOf)), { timeout: 10_000 }).toEqual(ids.map(() => status));
  await allAre("failed");
  return { ids, state, allAre };
}

test("failed jobs are counted, listed without what the student wrote, and started again", async () => {
  const { api, admin, ada } = await anInstance();
  const { ids, state, allAre } = await failingJobs(api, ada.userId, 3);
  const { jobs } = await admin.client.admin.listJobs({});
  expect(jobs.map(({ _id }) => _id).toSorted()).toEqual(ids.toSorted());
  expect(jobs[0]).toMatchObject({ kind: "test_kind", status: "failed", error: "RangeError" });
  const { steps } = await admin.client.admin.listJobSteps({ id: ids[0] ?? "" });
  expect(steps.slice(0, 2)).toMatchObject([
    { type: "page", count: 2 },
    { type: "card", count: 1 },
  ]);
  await expect(admin.client.admin.listJobSteps({ id: "none" })).rejects.toMatchObject({ reason: "no_job" });
  expect(JSON.stringify([jobs, steps])).not.toContain("secret");
  expect((await admin.client.admin.countJobs({})).kinds).toContainEqual(
    expect.objectContaining({ kind: "test_kind", failed: 3, p95Ms: null }),
  );

  state.isFixed = true;
  await admin.client.admin.retryJob({ id: ids[0] ?? "" });
  expect(await admin.client.admin.retryFailedJobs({})).toEqual({ retried: 2 });
  await allAre("done");
  await expect(admin.client.admin.retryJob({ id: ids[0] ?? "" })).rejects.toMatchObject({ reason: "no_job" });
  await expect(admin.client.admin.cancelJob({ id: ids[0] ?? "" })).rejects.toMatchObject({ reason: "no_job" });
  const { kinds } = await admin.client.admin.countJobs({});
  expect(kinds.find(({ kind }) => kind === "test_kind")).toMatchObject({ failed: 0, p95Ms: expect.any(Number) });
});

test("a running job is cancelled", async () => {
  const { api, admin, ada } = await anInstance();
  api.deps.jobs.register(
    "endless",
    ({ signal }) => new Promise((resolve) => signal.addEventListener("abort", () => resolve())),
  );
  const _id = ulid();
  await api.deps.jobs.enqueue({ _id, ownerId: ada.userId, kind: "endless", input: null });
  await admin.client.admin.cancelJob({ id: _id });
  expect((await api.deps.jobs.get(ada.userId, _id))?.status).toBe("cancelled");
});

test("lists of more than a page are read page by page, each entry once", async () => {
  const { admin, ada } = await anInstance();
  for (let index = 0; index < 53; index += 1)
    await ada.client.feedback.sendFeedback({ ...write, feedback: `Idea ${index}`, email: "" });
  const first = await admin.client.admin.listFeedback({});
  expect(first.feedback).toHaveLength(50);
  expect(first.feedback[0]?.feedback).toBe("Idea 52");
  const second = await admin.client.admin.listFeedback({ after: first.next ?? "" });
  expect(second).toMatchObject({ next: null, feedback: [{ feedback: "Idea 2" }, {}, { feedback: "Idea 0" }] });
});

test("payments with the same time are listed page by page, each once", async () => {
  const { api, admin, ada } = await anInstance();
  const own = ownedBy(api.deps.store, ada.userId);
  const note = { kind: "refunded", reason: null, comment: "", createdAt: api.clock.now() } as const;
  for (let at = 0; at < 45; at += 1) await saveBillingNote(own, { ...note, _id: `event_${at}` });
  const seen: string[] = [];
  let next: string | null = "";
  while (next !== null) {
    const page = await admin.client.billing.listBillingNotes(next === "" ? {} : { after: next });
    seen.push(...page.notes.map(({ _id }) => _id));
    next = page.next;
  }
  expect([seen.length, new Set(seen).size]).toEqual([45, 45]);
  await expect(admin.client.billing.listBillingNotes({ after: "no position" })).rejects.toMatchObject({
    code: "bad_input",
  });
});

test("reports are listed page by page, without reports of content that is no longer shared", async () => {
  const { api, admin, ada } = await anInstance();
  const { share } = await ada.client.sharing.putShare({ type: "page", id: await aPage(ada, "Cells") });
  const report = { reason: "spam", text: "", createdAt: api.clock.now() } as const;
  const save = (at: number, shareId: string) =>
    saveReport(api.deps.store, { ...report, _id: `01REPORT${at + 1000}`, shareId });
  for (let at = 0; at < 60; at += 1) await save(at, share._id);
  for (let at = 60; at < 120; at += 1) await save(at, "01GONE");
  const first = await admin.client.sharing.listReports({});
  const second = await admin.client.sharing.listReports({ after: first.next ?? "" });
  expect([first.reports[0]?._id, first.reports.length + second.reports.length, second.next]).toEqual([
    "01REPORT1059",
    60,
    null,
  ]);
});

test("faults are listed before unread messages, and a healthy server without messages needs no attention", () => {
  const healthy = {
    store: { kind: "SQLite", status: "ok" },
    blobs: "ok",
    freeBytes: -1,
    models: { names: ["lamplight-builtin"], server: "none", tokensToday: 10, dailyBudget: null },
    backup: null,
    newFeedback: 0,
    failedPaymentEvents: 0,
  } as const;
  const names = [...healthy.models.names];
  const needsOf = (changes: Partial<Parameters<typeof countNeeds>[0]>, failedJobs = 0, hasMoreReports = false) =>
    countNeeds(
      { ...healthy, models: { ...healthy.models, names }, ...changes },
      { failedJobs, reports: 0, hasMoreReports },
    );
  expect(needsOf({})).toEqual([]);
  expect(needsOf({ newFeedback: 3, freeBytes: 1000 }, 2)).toEqual([
    { need: "disk", count: 1 },
    { need: "jobs", count: 2 },
    { need: "feedback", count: 3 },
  ]);
  // The pages read so far had only reports of content that is no longer shared.
  expect(needsOf({}, 0, true)).toEqual([{ need: "reports", count: 1 }]);
  const down = needsOf({
    store: { kind: "SQLite", status: "failing" },
    blobs: "failing",
    models: { names, server: "failing", tokensToday: 500, dailyBudget: 500 },
    failedPaymentEvents: 1,
  });
  expect(down.map(({ need }) => need)).toEqual(["store", "files", "models", "budget", "payments"]);
  expect(down.every(({ need }) => isFailure(need))).toBe(true);
});

test("an answer to feedback is mailed with the feedback as a quote, and the feedback is no longer listed as new", async () => {
  const mail = await aMailServer();
  const { admin, ada } = await anInstance(mail.env);
  await ada.client.feedback.sendFeedback({ ...write, feedback: "More cards,\nplease", email: "" });
  const [{ _id: id } = { _id: "" }] = (await admin.client.admin.listFeedback({ state: "new" })).feedback;
  const { feedback } = await admin.client.admin.answerFeedback({ id, text: "They are on their way." });
  expect(feedback.state).toBe("answered");
  const sent = mail.received.find(({ to, text }) => to === ada.email && text.includes("Subject: Your feedback"));
  expect(sent?.text.replaceAll("\r", "")).toContain("They are on their way.\n\n> More cards,\n> please");
  expect((await admin.client.admin.listFeedback({ state: "new" })).feedback).toEqual([]);
  expect((await admin.client.admin.setFeedbackState({ id, state: "new" })).feedback.state).toBe("new");
  expect((await admin.client.admin.getInstance({})).newFeedback).toBe(1);
});

test("feedback without an address cannot be answered, nor any feedback on a server without mail", async () => {
  const { api, admin, ada } = await anInstance();
  await ada.client.feedback.sendFeedback({ ...write, feedback: "Signed in", email: "" });
  await api.clientFor().feedback.sendAnonymousFeedback({ ...write, feedback: "Nobody", email: "" });
  const { feedback } = await admin.client.admin.listFeedback({});
  const refusals = await Promise.all(
    feedback.map(({ _id: id }) =>
      admin.client.admin.answerFeedback({ id, text: "Thanks" }).catch((error: Failure) => error.reason),
    ),
  );
  expect(refusals).toEqual(["feedback_without_address", "no_mail_server"]);
});

test("accounts are found by the beginning of their address, with figures and without content", async () => {
  const { api, admin, ada } = await anInstance();
  await aPage(ada, "my secret");
  const found = await admin.client.admin.listAccounts({ q: ada.email.toUpperCase() });
  expect(found.accounts).toMatchObject([{ _id: ada.userId, name: "Ada", isAdmin: false }]);
  expect((await admin.client.admin.listAccounts({ q: "nobody@" })).accounts).toEqual([]);
  const { account } = await admin.client.admin.getAccount({ id: ada.userId });
  expect(account).toMatchObject({ sessions: 1, usedBytes: 0, lastSeenAt: expect.any(Number) });
  expect(account.usedToday).toContainEqual({ counter: "assistantMessages", count: 0 });
  const byId = await admin.client.admin.listAccounts({ q: ada.userId.toLowerCase() });
  expect(byId).toMatchObject({ accounts: [{ _id: ada.userId }], next: null });
  expect(JSON.stringify([found, account])).not.toMatch(/secret|password|token/iu);
  await admin.client.admin.signOutAccount({ id: ada.userId });
  await expect(ada.client.study.getDue({})).rejects.toMatchObject({ code: "signed_out" });
  await expect(admin.client.admin.getAccount({ id: "nobody" })).rejects.toMatchObject({ reason: "no_account" });
  expect((await api.clientFor().auth.login({ email: ada.email, password: PASSWORD })).token).toBeTruthy();
});

test("a reset link needs the administrator's own password, and is mailed to the account's owner if mail is set up", async () => {
  const { admin, ada } = await anInstance();
  const ask = (password: string) => admin.client.admin.makeResetLink({ id: ada.userId, password });
  await expect(ask("not this one")).rejects.toMatchObject({ code: "wrong_password" });
  expect((await ask(PASSWORD)).link).toContain("/reset_password#token=");

  const mail = await aMailServer();
  const other = await anInstance(mail.env);
  const grace = await other.api.newUser();
  await grantAdmin(other.api.deps, grace.email, true);
  expect((await other.admin.client.admin.makeResetLink({ id: grace.userId, password: PASSWORD })).link).toBeNull();
  const { link } = await other.admin.client.admin.makeResetLink({ id: other.ada.userId, password: PASSWORD });
  expect(link).toBeNull();
  expect(mail.received).toContainEqual({
    to: other.ada.email,
    text: expect.stringContaining("/reset_password#token="),
  });
});

test("without a mail server, no administrator gets a reset link for another administrator's account", async () => {
  const { api, admin, ada } = await anInstance();
  const linkFor = (id: string) => admin.client.admin.makeResetLink({ id, password: PASSWORD });
  await grantAdmin(api.deps, ada.email, true);
  await expect(linkFor(ada.userId)).rejects.toMatchObject({ code: "forbidden", reason: "administrator_link" });
  expect((await linkFor(admin.userId)).link).toContain("#token=");
  await grantAdmin(api.deps, ada.email, false);
  expect((await linkFor(ada.userId)).link).toContain("#token=");
});

test("every kind of administrator action is recorded, including failed actions", async () => {
  const mail = await aMailServer();
  const { api, admin, ada } = await anInstance(mail.env);
  const { admin: calls, sharing, auth } = admin.client;
  const id = ada.userId;
  const failing = { code: expect.stringMatching(/not_found/) };
  await ada.client.feedback.sendFeedback({ ...write, feedback: "More cards", email: "" });
  const [feedback = { _id: "" }] = (await calls.listFeedback({})).feedback;
  await calls.setFeedbackState({ id: feedback._id, state: "done" });
  await calls.answerFeedback({ id: feedback._id, text: "Soon." });
  await calls.setAccountPlan({ id, type: "PLUS", until: null });
  await calls.makeResetLink({ id, password: PASSWORD });
  await calls.signOutAccount({ id });
  await grantAdmin(api.deps, ada.email, true);
  await calls.demoteAdmin({ id, password: PASSWORD });
  await calls.disableAccount({ id, password: PASSWORD });
  await calls.enableAccount({ id });
  await calls.removeAccount({ id, password: PASSWORD });
  await calls.restoreAccount({ id });
  for (const act of [calls.retryJob, calls.cancelJob, sharing.dismissReport])
    await expect(act({ id: "none" })).rejects.toMatchObject(failing);
  await expect(sharing.takeDown({ share: ulid() })).rejects.toMatchObject(failing);
  await calls.retryFailedJobs({});
  const head = { title: "Memory", description: "", topicName: "Memory" };
  const post = {
    slug: "memory",
    topic: "memory",
    date: "2026-09-01",
    isPublished: false,
    summaries: { en: head },
    bodies: {},
  };
  const { post: created } = await calls.createPost(post);
  await calls.savePost({ ...post, id: created._id, version: created.version });
  await calls.deletePost({ id: created._id });
  const { invite } = await auth.createInvite({});
  await auth.removeInvite({ id: invite.id });

  const { entries } = await calls.listAudit({});
  expect(entries.map(({ action }) => action).toSorted()).toEqual(ADMIN_ACTIONS.toSorted());
  // The beginning of the code: enough to find the invitation in the list, but not to use it.
  for (const { target } of entries.slice(0, 2)) expect(target).toBe(invite.id.slice(0, 8));
  expect(entries.at(-1)).toMatchObject({ adminId: admin.userId, adminEmail: admin.email, target: feedback._id });
  const rows = Object.values(v1).flatMap((feature) => Object.values<Endpoint>(feature));
  const ofLog = rows.filter(({ path }) => path.startsWith("/v1/admin/audit"));
  expect(ofLog.map(({ method }) => method)).toEqual(["GET", "GET"]);
});
