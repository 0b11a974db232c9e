import { expect, test } from "vitest";
import { readCsv } from "#tests/admin/read-csv.ts";
import { startApi } from "#tests/kit/api.ts";

const report = {
  feedback: "The lamp flickers",
  category: "Something's Broken",
  currentRoute: "/page/1?component=2",
  email: "",
  mode: "detailed",
} as const;

test("feedback is accepted signed in and signed out; empty feedback is refused", async () => {
  const api = await startApi();
  const { client } = await api.newUser();
  const anyone = api.clientFor();
  expect(await client.feedback.sendFeedback(report)).toEqual({ success: true });
  expect(await anyone.feedback.sendAnonymousFeedback({ ...report, email: "eve@example.org" })).toEqual({
    success: true,
  });
  await expect(anyone.feedback.sendAnonymousFeedback({ ...report, feedback: "  " })).rejects.toMatchObject({
    code: "bad_input",
  });
  await expect(anyone.feedback.sendAnonymousFeedback({ ...report, email: "not one" })).rejects.toMatchObject({
    code: "bad_input",
  });
});

test("events are recorded only for students who allowed it", async () => {
  const api = await startApi();
  const { client } = await api.newUser();
  const events = [{ name: "alert_error", at: 1, detail: "" }];
  await expect(client.feedback.sendEvents({ events })).rejects.toMatchObject({ code: "forbidden" });
  await client.user.savePreferences({ analytics: { enabled: true } });
  expect(await client.feedback.sendEvents({ events })).toEqual({ success: true });
});

test("a referral code credits its owner once, and an unknown code doesn't prevent registration", async () => {
  const api = await startApi();
  const ada = await api.newUser();
  const { code } = await ada.client.user.getReferral({});
  const { auth } = api.clientFor();
  const grace = { name: "Grace", password: "a lamp upon the desk" };
  await auth.register({ ...grace, email: "grace@example.org", referralCode: code });
  await auth.register({ ...grace, email: "eve@example.org", referralCode: "of nobody" });
  await expect(auth.register({ ...grace, email: "grace@example.org", referralCode: code })).rejects.toMatchObject({
    code: "already_exists",
  });
  expect(await ada.client.user.getReferral({})).toMatchObject({ code, credited: 1 });
});

test("votes on help articles are counted without the voter, and invalid addresses are refused", async () => {
  const api = await startApi({ env: { RATE_LIMIT_FACTOR: "1000" } });
  const admin = await api.newUser();
  const student = await api.newUser();
  const { feedback } = api.clientFor();
  await Promise.all([true, true, false].map((isHelpful) => feedback.rateHelp({ path: "/help/cards/anki", isHelpful })));
  await feedback.rateHelp({ path: "/help/notes/pages", isHelpful: true });
  for (const path of ["/home", "/help/", "/help/../admin", `/help/${"a".repeat(61)}`])
    await expect(feedback.rateHelp({ path, isHelpful: true })).rejects.toMatchObject({ code: "bad_input" });
  const { ratings } = await admin.client.feedback.listHelpRatings({});
  expect(ratings).toEqual([
    { path: "/help/cards/anki", yes: 2, no: 1 },
    { path: "/help/notes/pages", yes: 1, no: 0 },
  ]);
  await expect(student.client.feedback.listHelpRatings({})).rejects.toMatchObject({ code: "forbidden" });
  const found = await admin.client.feedback.listHelpRatings({ q: "Notes" });
  expect(found).toEqual({ ratings: [{ path: "/help/notes/pages", yes: 1, no: 0 }], next: null });
  expect(await readCsv(admin.client.admin.exportHelpRatings({ q: "cards" }))).toEqual([
    "article,yes,no",
    "/help/cards/anki,2,1",
  ]);
});

test("articles that rarely helped are listed and downloaded alone", async () => {
  const api = await startApi({ env: { RATE_LIMIT_FACTOR: "1000" } });
  const admin = await api.newUser();
  const { feedback } = api.clientFor();
  const answers = { "/help/a-good": [true], "/help/b-half": [true, false], "/help/c-bad": [false] };
  for (const [path, given] of Object.entries(answers))
    for (const isHelpful of given) await feedback.rateHelp({ path, isHelpful });
  const filter = { helped: "rarely" } as const;
  const { ratings } = await admin.client.feedback.listHelpRatings(filter);
  expect(ratings.map(({ path }) => path)).toEqual(["/help/b-half", "/help/c-bad"]);
  expect(await readCsv(admin.client.admin.exportHelpRatings({ ...filter, q: "bad" }))).toEqual([
    "article,yes,no",
    "/help/c-bad,0,1",
  ]);
});

test("each article is listed once, however many ratings arrive between two pages", async () => {
  const api = await startApi({ env: { RATE_LIMIT_FACTOR: "1000" } });
  const admin = await api.newUser();
  const { feedback } = api.clientFor();
  const paths = Array.from({ length: 60 }, (_, at) => `/help/article-${at + 100}`);
  for (const path of paths) await feedback.rateHelp({ path, isHelpful: false });
  const first = await admin.client.feedback.listHelpRatings({});
  // An article of the first page now helps, one that was not listed yet is rated worst, and another is rated first.
  const [listed = ""] = first.ratings.map(({ path }) => path);
  const unlisted = paths.find((path) => first.ratings.every((rating) => rating.path !== path)) ?? "";
  for (let times = 0; times < 3; times += 1) {
    await feedback.rateHelp({ path: listed, isHelpful: true });
    await feedback.rateHelp({ path: unlisted, isHelpful: false });
    await feedback.rateHelp({ path: "/help/article-999", isHelpful: false });
  }
  const second = await admin.client.feedback.listHelpRatings({ after: first.next ?? "" });
  const seen = [...first.ratings, ...second.ratings].map(({ path }) => path);
  expect(seen).toEqual([...paths, "/help/article-999"]);
  expect(second.next).toBeNull();
});

test("votes on made-up articles cannot fill the store, and stored votes are listed page by page, each once", async () => {
  const api = await startApi({ env: { RATE_LIMIT_FACTOR: "1000" } });
  const admin = await api.newUser();
  const { feedback } = api.clientFor();
  for (let n = 0; n < 310; n += 1) await feedback.rateHelp({ path: `/help/made-up-${n}`, isHelpful: false });
  const pages: string[][] = [];
  let after: string | null = "";
  while (after !== null) {
    const page: { ratings: { path: string }[]; next: string | null } = await admin.client.feedback.listHelpRatings(
      after === "" ? {} : { after },
    );
    pages.push(page.ratings.map(({ path }) => path));
    after = page.next;
  }
  expect(pages.map(({ length }) => length)).toEqual([50, 50, 50, 50, 50, 50]);
  expect(new Set(pages.flat()).size).toBe(300);
  expect(await readCsv(admin.client.admin.exportHelpRatings({}))).toHaveLength(301);
});

test("a completion's rating is stored with its model, and reading its shared text is recorded", async () => {
  const api = await startApi();
  const [admin, ada] = [await api.newUser(), await api.newUser()];
  const rating = {
    kind: "completion",
    id: "01COMPLETION",
    value: "down",
    reason: "too long",
    model: "forged",
  } as const;
  await ada.client.feedback.rate({ ...rating, text: "the words that were completed" });
  const model = (await api.deps.models.choose())?.info.id ?? "none";
  const { ratings } = await admin.client.admin.listRatings({ kind: "completion" });
  expect(ratings).toMatchObject([{ kind: "completion", value: "down", text: "the words that were completed", model }]);
  const { accesses } = await ada.client.admin.listAccesses({});
  expect(accesses).toMatchObject([{ kind: "shared_completion" }]);
  const { weeks } = await admin.client.admin.getFigures({ weeks: 1 });
  expect(weeks[0]?.figures.ratings).toMatchObject([{ dims: { kind: "completion", model }, sums: { down: 1 } }]);
});
