import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseHTML } from "linkedom";
import { expect, test } from "vitest";
import type { NewPost } from "#shared/admin/posts-contract.ts";
import { grantAdmin } from "#api/auth/service.ts";
import { saveSeed } from "#api/marketing/posts-store.ts";
import { renderSite } from "#webapp/marketing/site/render.tsx";
import { startApi } from "#tests/kit/api.ts";
import { ownFolder } from "#tests/store/own-folder.ts";

const built = renderSite({ css: "", boot: "", fonts: [], scripts: {}, styles: {} });

/** What the build writes for the blog. */
function aWebFolder(): string {
  const folder = ownFolder();
  const site = join(folder, ".site");
  for (const language of ["en", "de"]) {
    mkdirSync(join(site, language, "shells"), { recursive: true });
    for (const { name, html } of built.shells.filter((shell) => shell.language === language))
      writeFileSync(join(site, language, "shells", `${name}.html`), html);
    const index = built.pages.find((page) => page.path === "/blog" && page.language === language);
    writeFileSync(join(site, language, "blog.html"), index?.html ?? "");
  }
  writeFileSync(join(site, "seed-posts.json"), JSON.stringify(built.seedPosts));
  const pages = ["en", "de"].map((language) => ({ path: "/blog", language, title: "Blog" }));
  writeFileSync(join(site, "pages.json"), JSON.stringify(pages));
  writeFileSync(join(site, "boot.js"), "boot()");
  writeFileSync(join(folder, "shell.html"), "<!doctype html><html><head><title>Lamplight</title></head></html>");
  return folder;
}

const ORIGIN = "https://study.example.org";

async function aBlog() {
  const webFolder = aWebFolder();
  const api = await startApi({ webFolder, env: { PUBLIC_URL: ORIGIN, REGISTRATION: "open" } });
  const admin = await api.newUser();
  await grantAdmin(api.deps, admin.email, true);
  const read = async (path: string) => {
    const response = await fetch(api.origin + path, { redirect: "manual" });
    const text = await response.text();
    return { status: response.status, headers: response.headers, text, document: parseHTML(text).document };
  };
  // Resolves once the posts of the build are in the store.
  await read("/blog");
  return { api, webFolder, posts: admin.client.admin, read };
}

const today = "2026-09-01";

const aPost = (changes: Partial<NewPost> = {}): NewPost => ({
  slug: "sleep-before-exams",
  topic: "memory",
  date: today,
  isPublished: true,
  summaries: { en: { title: "Sleep & <exams>", description: 'Why "one more hour" costs two.', topicName: "Memory" } },
  bodies: { en: "## What's first\n\nRead [this](/help) or <script>alert(1)</script> [that](javascript:alert(1))." },
  ...changes,
});

const meta = (document: Document, name: string) =>
  document.querySelector(`meta[property='${name}'],meta[name='${name}']`)?.getAttribute("content");

test("posts of the build are on the blog in both languages, by topic, in the feed and in the sitemap", async () => {
  const { api, read } = await aBlog();
  api.clock.advance(Date.UTC(2026, 11, 1) - api.clock.now());
  const slugs = built.seedPosts.map(({ slug }) => slug);
  const index = await read("/blog");
  const links = [...index.document.querySelectorAll(".site-posts h2 a")].map((link) => link.getAttribute("href"));
  expect(new Set(links)).toEqual(new Set(slugs.map((slug) => `/blog/${slug}`)));
  expect(links).toHaveLength(slugs.length);
  expect(index.document.querySelectorAll(".site-posts a[href^='/topic/']")).toHaveLength(slugs.length);
  for (const slug of slugs) expect((await read(`/blog/${slug}`)).status).toBe(200);
  const german = await read("/blog/cards-worth-learning?lang=de");
  expect([german.headers.get("content-language"), german.document.documentElement.getAttribute("lang")]).toEqual([
    "de",
    "de",
  ]);
  const topic = await read("/topic/memory");
  expect(topic.document.querySelector("h1")?.textContent).toContain("Memory");
  expect(topic.document.querySelectorAll(".site-posts li")).toHaveLength(2);
  expect((await read("/blog/feed.xml")).text.match(/<item>/g)).toHaveLength(slugs.length);
  const map = (await read("/sitemap.xml")).text;
  for (const path of [...slugs.map((slug) => `/blog/${slug}`), "/topic/memory", "/blog"])
    expect(map).toContain(`<loc>${ORIGIN}${path}</loc>`);
});

test("a post that was deleted or changed stays that way after a restart", async () => {
  const { api, webFolder, posts } = await aBlog();
  const [first, second] = (await posts.listPosts({})).posts;
  await posts.deletePost({ id: first?._id ?? "" });
  const { post } = await posts.getPost({ id: second?._id ?? "" });
  await posts.savePost({ ...post, id: post._id, isPublished: false });
  await api.stop();
  const again = await startApi({ webFolder, dataDir: api.dataDir, clock: api.clock });
  await fetch(`${again.origin}/blog`);
  const admin = await again.newUser();
  await grantAdmin(again.deps, admin.email, true);
  const after = (await admin.client.admin.listPosts({})).posts;
  expect(after.map(({ _id }) => _id)).not.toContain(first?._id);
  expect(after.find(({ _id }) => _id === second?._id)).toMatchObject({ isPublished: false, version: 2 });
});

/** Writes a later build, in which each post has another text. */
function buildAgain(webFolder: string, note: string): void {
  const later = built.seedPosts.map((seed) => ({ ...seed, bodies: { ...seed.bodies, en: `${note}\n` } }));
  writeFileSync(join(webFolder, ".site", "seed-posts.json"), JSON.stringify(later));
}

test.each([
  ["of an installation that stored no hashes", true],
  ["of an installation that stored hashes", false],
])("posts %s get the text of a later build unless they were edited, deleted or replaced", async (_, isOld) => {
  const { api, webFolder, posts } = await aBlog();
  const [edited, deleted, untouched] = (await posts.listPosts({})).posts;
  if (!edited || !deleted || !untouched) throw new Error("There are too few posts");
  const { post } = await posts.getPost({ id: edited._id });
  await posts.savePost({ ...post, id: post._id, bodies: { en: "Our own words." } });
  await posts.deletePost({ id: deleted._id });
  const ours = await posts.createPost(aPost({ slug: deleted.slug, bodies: { en: "Another post." } }));
  if (isOld)
    for (const { slug } of [edited, deleted, untouched])
      await saveSeed(api.deps.store, { _id: slug, at: api.clock.now() });
  const restart = async (note: string) => {
    buildAgain(webFolder, note);
    const again = await startApi({ webFolder, dataDir: api.dataDir, clock: api.clock });
    await fetch(`${again.origin}/blog`);
    const admin = await again.newUser();
    await grantAdmin(again.deps, admin.email, true);
    const textOf = async (id: string) => (await admin.client.admin.getPost({ id })).post.bodies.en?.trim();
    const texts = [await textOf(edited._id), await textOf(ours.post._id), await textOf(untouched._id)];
    await again.stop();
    return texts;
  };
  await api.stop();
  expect(await restart("Second build")).toEqual(["Our own words.", "Another post.", "Second build"]);
  expect(await restart("Third build")).toEqual(["Our own words.", "Another post.", "Third build"]);
});

test("a post written at run time has the head of a public page, and no script from its author", async () => {
  const { posts, read } = await aBlog();
  await posts.createPost(aPost());
  const { status, document, text } = await read("/blog/sleep-before-exams");
  expect(status).toBe(200);
  expect(document.querySelector("title")?.textContent).toBe("Sleep & <exams> · Lamplight");
  expect(document.querySelector("h1")?.textContent).toBe("Sleep & <exams>");
  expect(meta(document, "description")).toBe('Why "one more hour" costs two.');
  expect(meta(document, "og:title")).toBe("Sleep & <exams>");
  expect(meta(document, "og:url")).toBe(`${ORIGIN}/blog/sleep-before-exams`);
  expect(document.querySelector("link[rel=canonical]")?.getAttribute("href")).toBe(`${ORIGIN}/blog/sleep-before-exams`);
  const data = [...document.querySelectorAll("script[type='application/ld+json']")].map(
    (script) => JSON.parse(script.textContent ?? "") as Record<string, unknown>,
  );
  expect(data.map((item) => item["@type"])).toEqual(["BlogPosting", "BreadcrumbList"]);
  expect(data[0]).toMatchObject({
    headline: "Sleep & <exams>",
    datePublished: today,
    url: expect.stringContaining("/blog/sleep"),
  });
  expect(document.querySelector("h2#whats-first")?.textContent).toBe("What's first");
  expect(document.querySelector(".site-text a")?.getAttribute("href")).toBe("/help");
  expect(text).not.toContain("<script>alert");
  expect(text).not.toContain("javascript:");
  expect(text).not.toMatch(/\{\{POST|<!--html/);
  const picture = await read(meta(document, "og:image")?.replace(ORIGIN, "") ?? "");
  expect([picture.status, picture.headers.get("content-type")]).toEqual([200, "image/png"]);
});

const alternatesIn = (document: Document) =>
  [...document.querySelectorAll("link[rel=alternate]")].flatMap((link) => {
    const href = link.getAttribute("href");
    return link.hasAttribute("hreflang") || link.hasAttribute("hrefLang") ? [href] : [];
  });

test("a post points search engines only to the languages in which it is written", async () => {
  const { posts, read } = await aBlog();
  const english = aPost();
  const head = { title: "Schlaf", description: "", topicName: "Gedächtnis" };
  await posts.createPost(english);
  await posts.createPost(aPost({ slug: "only-german", summaries: { de: head }, bodies: { de: "Schlaf." } }));
  const bodies = { ...english.bodies, de: "Schlaf." };
  await posts.createPost(aPost({ slug: "both", summaries: { ...english.summaries, de: head }, bodies }));
  const [one, german, both] = await Promise.all(
    ["sleep-before-exams", "only-german", "both"].map((slug) => read(`/blog/${slug}`)),
  );
  expect(one && alternatesIn(one.document)).toEqual([]);
  expect(german && alternatesIn(german.document)).toEqual([]);
  const url = `${ORIGIN}/blog/both`;
  expect(both && alternatesIn(both.document)).toEqual([url, `${url}?lang=de`, url]);
  const map = (await read("/sitemap.xml")).text;
  const entryOf = (path: string) => map.split("\n").find((line) => line.includes(`<loc>${ORIGIN}/blog/${path}</loc>`));
  expect(entryOf("sleep-before-exams")).not.toContain("hreflang");
  expect(entryOf("only-german?lang=de")).not.toContain("hreflang");
  expect(entryOf("both")?.match(/hreflang="\w+"/g)).toEqual(['hreflang="en"', 'hreflang="de"']);
});

test("drafts and posts with a later date cannot be opened and are in no list or feed until they appear", async () => {
  const { api, posts, read } = await aBlog();
  const paths = ["/blog/later", "/blog", "/topic/planning-ahead", "/blog/feed.xml", "/sitemap.xml"];
  const find = async () => {
    const pages = await Promise.all(paths.map(read));
    return pages.map(({ status, text }) => status === 200 && text.includes("/blog/later"));
  };
  const { post } = await posts.createPost(
    aPost({ slug: "later", topic: "planning-ahead", date: "2026-09-03", isPublished: false }),
  );
  expect(await find()).toEqual([false, false, false, false, false]);
  await posts.savePost({ ...post, id: post._id, isPublished: true });
  expect(await find()).toEqual([false, false, false, false, false]);
  expect((await read("/previews/en/blog/later.png")).status).toBe(404);
  api.clock.advance(2 * 86_400_000);
  expect(await find()).toEqual([true, true, true, true, true]);
});

test("the old address of a post redirects to the new one, and an address without a post is not found", async () => {
  const { posts, read } = await aBlog();
  const { post } = await posts.createPost(aPost());
  const moved = (await posts.savePost({ ...post, id: post._id, slug: "sleep-well" })).post;
  const answer = await read("/blog/sleep-before-exams?lang=en");
  expect([answer.status, answer.headers.get("location")]).toEqual([301, "/blog/sleep-well?lang=en"]);
  expect(moved.formerSlugs).toEqual(["sleep-before-exams"]);
  expect((await posts.getPost({ id: moved._id })).post.formerSlugs).toEqual(["sleep-before-exams"]);
  // A new post at the old address wins.
  await posts.createPost(aPost());
  expect((await read("/blog/sleep-before-exams")).status).toBe(200);
  await posts.deletePost({ id: moved._id });
  expect((await read("/blog/sleep-well")).status).toBe(404);
  expect((await read("/topic/nothing-about-it")).status).toBe(404);
});

test("two administrators do not overwrite each other, and two posts do not share an address", async () => {
  const { posts } = await aBlog();
  const { post } = await posts.createPost(aPost());
  await posts.savePost({ ...post, id: post._id, date: "2026-09-02" });
  await expect(posts.savePost({ ...post, id: post._id, date: "2026-09-03" })).rejects.toMatchObject({
    code: "version_conflict",
  });
  await expect(posts.createPost(aPost())).rejects.toMatchObject({ reason: "post_address_taken" });
  const other = (await posts.createPost(aPost({ slug: "another" }))).post;
  await expect(posts.savePost({ ...other, id: other._id, slug: post.slug })).rejects.toMatchObject({
    reason: "post_address_taken",
  });
  await expect(posts.createPost(aPost({ slug: "untitled", summaries: {} }))).rejects.toMatchObject({
    reason: "post_without_title",
  });
  await expect(posts.createPost(aPost({ slug: "../etc" }))).rejects.toMatchObject({ code: "bad_input" });
  const actions = (await posts.listAudit({})).entries.map(({ action }) => action);
  expect(new Set(actions)).toEqual(new Set(["create_post", "save_post"]));
});
