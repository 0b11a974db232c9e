import { ulid } from "ulid";
import { beforeAll, expect, test, vi } from "vitest";
import { SITE_LIMITS } from "#shared/website/rules.ts";
import { buildSite } from "#api/website/build/build-site.ts";
import { checkFiles } from "#api/website/project-files.ts";
import { startApi } from "#tests/kit/api.ts";
import { aPage, aText } from "#tests/store/changes.ts";
import { buildSiteKitOnce } from "./aids.ts";

beforeAll(buildSiteKitOnce);

const api = await startApi({ forFile: true });
const title = "Limits";
const MAIN = "/src/main.tsx";

const check = (files: [string, string][]) => api.deps.previews.check({ title, files: new Map(files) });

async function aProject() {
  const ada = await api.newUser();
  const { _id: id } = await ada.client.website.createProject({ name: title });
  return { ada, id };
}

test("a nesting bomb is refused before the bundler sees it", async () => {
  const bomb = `export const a = ${"[".repeat(5000)}${"]".repeat(5000)};`;
  expect(await check([[MAIN, bomb]])).toMatchObject([{ path: MAIN }]);
  expect(await check([[MAIN, "export const a = 1;"]])).toEqual([]);
});

test("nested types count as a nesting bomb, even with spaces, and a syntax error in one build does not affect the next", async () => {
  const bomb = `export let a: ${"Array< ".repeat(5000)}number${" >".repeat(5000)};`;
  expect(await check([[MAIN, bomb]])).toMatchObject([{ path: MAIN, message: expect.stringContaining("nested") }]);
  expect(await check([[MAIN, `export const a = ${'[")",'.repeat(50_000)}`]])).toHaveLength(1);
  expect(await check([[MAIN, "export const a = 1;"]])).toEqual([]);
});

test("brackets in a student's text do not count as nesting, and a long word does not count as a class", async () => {
  const notes = JSON.stringify(Array.from({ length: 400 }, (_, at) => `(${at} [p < 0.05, "a\\b"`));
  const compared = Array.from({ length: 400 }, (_, at) => `if (a.length < ${at}) console.log(a);`).join("\n");
  const main = `import a from "./a.json";\nimport "./style.css";\n${compared}\nconsole.log("${"ACGT".repeat(50_000)}");`;
  const files: [string, string][] = [
    [MAIN, main],
    ["/src/a.json", notes],
    ["/src/style.css", '@import "tailwindcss";'],
  ];
  expect(await check(files)).toEqual([]);
  const bomb = `${"[".repeat(5000)}${"]".repeat(5000)}`;
  expect(await check([...files.slice(0, 1), ["/src/a.json", bomb], ...files.slice(2)])).toMatchObject([
    { path: "/src/a.json" },
  ]);
});

test("10,000 files and a file above 512 KB are refused before they are stored", async () => {
  const many = Array.from({ length: 10_000 }, (_, at): [string, string] => [`/src/f${at}.ts`, ""]);
  expect(() => checkFiles(new Map(many))).toThrow(expect.objectContaining({ reason: "site_too_large" }));
  const { ada, id } = await aProject();
  const text = "é".repeat(SITE_LIMITS.fileBytes / 2);
  await ada.client.website.putSiteFile({ id, path: "/full.txt", text });
  await expect(ada.client.website.putSiteFile({ id, path: "/more.txt", text: `${text}é` })).rejects.toMatchObject({
    code: "too_large",
    reason: "site_file_too_large",
  });
});

test("a build that takes too long is killed, and the next build succeeds", async () => {
  const files = new Map([[MAIN, "export const a = 1;"]]);
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const build = buildSite(MAIN, files);
  await vi.advanceTimersByTimeAsync(SITE_LIMITS.buildMs * 4);
  vi.useRealTimers();
  expect(await build).toMatchObject({ ok: false, faults: [{ message: "The build took longer than 10 seconds" }] });
  expect(await buildSite(MAIN, files)).toMatchObject({ ok: true });
});

test("a build whose stylesheet grows without end is killed, and the next build succeeds", async () => {
  const style = `@import "tailwindcss"; @source inline("${"{a,b,c,d,e,f,g,h}".repeat(12)}");`;
  const main = 'import "./style.css"; export const a = 1;';
  const [fault] = await check([
    [MAIN, main],
    ["/src/style.css", style],
  ]);
  expect(fault?.message).toBe("The build process stopped unexpectedly, perhaps for lack of memory");
  expect(await check([[MAIN, "export const a = 1;"]])).toEqual([]);
});

test("an account has at most 50 websites whatever its plan, so the refusal names the limit and not the plans", async () => {
  const ada = await api.newUser();
  const create = () => ada.client.website.createProject({ name: title });
  for (let at = 0; at < SITE_LIMITS.projects; at += 1) await create();
  await expect(create()).rejects.toMatchObject({
    code: "bad_input",
    reason: "too_many_websites",
    message: "You can have 50 websites. Delete one to make room.",
  });
});

/** Makes `before` calls one after the other, then twenty at once; resolves to the number of the twenty that succeeded. */
async function race(before: number, create: () => Promise<unknown>): Promise<number> {
  for (let at = 0; at < before; at += 1) await create();
  const outcomes = await Promise.allSettled(Array.from({ length: 20 }, create));
  return outcomes.filter(({ status }) => status === "fulfilled").length;
}

test("of twenty requests at once for the last website, conversation or upload, exactly one succeeds", async () => {
  const { ada, id } = await aProject();
  const { website, uploads } = ada.client;
  expect(await race(SITE_LIMITS.projects - 2, () => website.createProject({ name: title }))).toBe(1);
  expect((await website.listProjects({})).projects).toHaveLength(SITE_LIMITS.projects);
  expect(await race(SITE_LIMITS.threads - 1, () => website.createWebsiteThread({ id }))).toBe(1);
  expect((await website.listWebsiteThreads({ id })).threads).toHaveLength(SITE_LIMITS.threads);
  const video = { family: "video", name: "a.mp4", type: "video/mp4", sizeBytes: 10 } as const;
  expect(await race(99, () => uploads.startUpload({ componentId: ulid(), ...video }))).toBe(1);
});

test("sources that are too long for a site are refused with advice, and the site stays unchanged", async () => {
  const { ada, id } = await aProject();
  const pageId = await aPage(ada, "Long notes");
  for (let at = 0; at < 40; at += 1) await aText(ada, pageId, `${at} ${"A long line of notes. ".repeat(700)}`);
  const request = { id, kind: "portfolio" as const, title: "", sourceIds: [`page:${pageId}`] };
  await expect(ada.client.website.makeSite(request)).rejects.toMatchObject({
    code: "too_large",
    reason: "site_sources_too_long",
  });
  expect((await ada.client.website.getProject({ id })).checkpoints).toHaveLength(1);
});

test("a project can have at most 200 files, and the error says so", async () => {
  const { ada, id } = await aProject();
  const own = (await ada.client.website.getProject({ id })).files.length;
  for (let at = own; at < SITE_LIMITS.files; at += 1)
    await ada.client.website.putSiteFile({ id, path: `/src/f${at}.ts`, text: `export const a = ${at};` });
  await expect(ada.client.website.putSiteFile({ id, path: "/src/more.ts", text: "" })).rejects.toMatchObject({
    code: "too_large",
    reason: "site_too_large",
  });
  // At most 200 checkpoints are kept, however many changes there were.
  await ada.client.website.putSiteFile({ id, path: MAIN, text: "export {};" });
  expect((await ada.client.website.getProject({ id })).checkpoints.length).toBeLessThanOrEqual(SITE_LIMITS.checkpoints);
});

test("each text of a site counts once towards the storage quota, and deleting the site frees the storage", async () => {
  const { ada, id } = await aProject();
  const used = async () => (await ada.client.user.getStorage({})).usedBytes;
  const before = await used();
  const text = "a".repeat(1000);
  await ada.client.website.putSiteFile({ id, path: "/a.txt", text });
  expect(await used()).toBe(before + 1000);
  await ada.client.website.putSiteFile({ id, path: "/b.txt", text });
  expect(await used()).toBe(before + 1000);
  await ada.client.website.deleteProject({ id });
  expect(await used()).toBe(0);
});

test("without free storage a change is refused, and the site stays unchanged", async () => {
  const small = await startApi({ env: { STORAGE_GB_FREE: "0.000003" } });
  const ada = await small.newUser({ plan: "FREE" });
  const { _id: id } = await ada.client.website.createProject({ name: title });
  await expect(ada.client.website.putSiteFile({ id, path: "/a.txt", text: "a".repeat(5000) })).rejects.toMatchObject({
    code: "too_large",
    reason: "storage_quota_reached",
  });
  expect((await ada.client.website.getProject({ id })).files.map(({ path }) => path)).not.toContain("/a.txt");
});
