import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Context, Middleware } from "koa";
import { trimPath } from "#shared/marketing/match-screen.ts";
import { renderPost } from "#shared/marketing/post-markdown.ts";
import { utcDay } from "#shared/user/days.ts";
import type { Deps } from "#api/http/handler.ts";
import { renderFeed } from "#api/http/site/feed.ts";
import { siteValues } from "#api/http/site/fill-page.ts";
import type { StoredAddress } from "#api/http/site/public-pages.ts";
import { createPageSender, originOf, sendDocument } from "#api/http/site/send-document.ts";
import { type Language, languageOf, setLanguage } from "#api/http/site/visitor-language.ts";
import { fillList, fillPost, languagesOf, postPath, type ShownPost, showPost, topicPath } from "./blog-pages.ts";
import { findPostByFormerSlug, findPublishedPost, listNewest, listPublished, type PostDoc } from "./posts-store.ts";
import { createPreviewPictures } from "./preview-pictures.ts";

type BlogDeps = Pick<Deps, "store" | "clock" | "settings">;

const FEED_POSTS = 50;
const MAX_CACHED = 200;

/** Markdown is rendered once for each version of a post. */
function createRenderer(): (post: PostDoc, language: Language) => string {
  const cache = new Map<string, string>();
  return ({ _id, version, bodies }, language) => {
    const key = `${_id} ${version} ${language}`;
    const html = cache.get(key) ?? renderPost(bodies[language] ?? "");
    if (cache.size >= MAX_CACHED) cache.clear();
    cache.set(key, html);
    return html;
  };
}

/**
 * Sends the pages, feed and pictures of the blog from the store. Each method returns false if there is nothing to send.
 */
class Blog {
  readonly #deps: BlogDeps;
  readonly #folder: string;
  readonly #render = createRenderer();
  readonly #draw: ReturnType<typeof createPreviewPictures>;
  readonly #sendHtml: ReturnType<typeof createPageSender>;

  constructor(deps: BlogDeps, folder: string) {
    this.#deps = deps;
    this.#folder = folder;
    this.#draw = createPreviewPictures(folder);
    this.#sendHtml = createPageSender(folder);
  }

  #today(): string {
    return utcDay(this.#deps.clock.now());
  }

  #read(name: string): string {
    return readFileSync(join(this.#folder, name), "utf8");
  }

  async #list(language: Language, topic?: string): Promise<ShownPost[]> {
    const posts = await listPublished(this.#deps.store, this.#today());
    return posts
      .filter((post) => topic === undefined || post.topic === topic)
      .flatMap((post) => showPost(post, language) ?? []);
  }

  #siteValues(koa: Context) {
    const { settings } = this.#deps;
    return { ...siteValues(settings), ORIGIN: originOf(koa, settings.PUBLIC_URL) };
  }

  async sendIndex(koa: Context): Promise<boolean> {
    const language = languageOf(koa);
    setLanguage(koa, language);
    const posts = await this.#list(language);
    const page = fillList(this.#read(`${language}/blog.html`), { posts, language }, this.#siteValues(koa));
    this.#sendHtml(koa, page);
    return true;
  }

  async sendTopic(koa: Context, topic: string): Promise<boolean> {
    const language = languageOf(koa);
    const posts = await this.#list(language, topic);
    if (posts.length === 0) return false;
    setLanguage(koa, language);
    const shell = this.#read(`${language}/shells/topic.html`);
    this.#sendHtml(koa, fillList(shell, { posts, language, topic }, this.#siteValues(koa)));
    return true;
  }

  async sendPost(koa: Context, slug: string): Promise<boolean> {
    const doc = await findPublishedPost(this.#deps.store, slug, this.#today());
    if (!doc) return this.#redirect(koa, slug);
    const post = showPost(doc, languageOf(koa));
    if (!post) return false;
    const { language } = post;
    setLanguage(koa, language);
    const content = { post, html: this.#render(doc, language), others: await this.#list(language) };
    this.#sendHtml(koa, fillPost(this.#read(`${language}/shells/post.html`), content, this.#siteValues(koa)));
    return true;
  }

  async #redirect(koa: Context, slug: string): Promise<boolean> {
    const moved = await findPostByFormerSlug(this.#deps.store, slug, this.#today());
    if (!moved) return false;
    koa.status = 301;
    koa.redirect(postPath(moved.slug) + koa.search);
    return true;
  }

  async sendFeed(koa: Context): Promise<boolean> {
    const language = languageOf(koa);
    setLanguage(koa, language);
    const docs = await listNewest(this.#deps.store, this.#today(), FEED_POSTS);
    const items = docs.flatMap((doc) => {
      const post = showPost(doc, language);
      return post ? [{ ...post, path: postPath(post.slug), html: this.#render(doc, post.language) }] : [];
    });
    const origin = originOf(koa, this.#deps.settings.PUBLIC_URL);
    sendDocument(koa, "application/rss+xml; charset=utf-8", renderFeed(items, origin, language));
    return true;
  }

  async sendPicture(koa: Context, language: Language, kind: string, slug: string): Promise<boolean> {
    const name = kind === "blog" ? await this.#titleOf(slug, language) : await this.#topicName(slug, language);
    if (name === undefined) return false;
    koa.type = "image/png";
    koa.set("cache-control", "public, max-age=86400");
    koa.body = await this.#draw(name);
    return true;
  }

  async #titleOf(slug: string, language: Language): Promise<string | undefined> {
    const post = await findPublishedPost(this.#deps.store, slug, this.#today());
    return post && showPost(post, language)?.title;
  }

  async #topicName(topic: string, language: Language): Promise<string | undefined> {
    return (await this.#list(language, topic))[0]?.topicName;
  }
}

const isBlogPath = (path: string) => /^\/(?:blog|topic|previews)(?:\/|$)/.test(path);

function answer(blog: Blog, koa: Context): Promise<boolean> | undefined {
  const path = trimPath(koa.path);
  if (path === "/blog") return blog.sendIndex(koa);
  if (path === "/blog/feed.xml") return blog.sendFeed(koa);
  const [, kind = "", slug = ""] = /^\/(blog|topic)\/([^/]{1,150})$/.exec(path) ?? [];
  if (kind === "blog") return blog.sendPost(koa, slug);
  if (kind === "topic") return blog.sendTopic(koa, slug);
  const picture = /^\/previews\/(en|de)\/(blog|topic)\/([^/]{1,150})\.png$/.exec(path);
  return picture ? blog.sendPicture(koa, picture[1] as Language, picture[2] ?? "", picture[3] ?? "") : undefined;
}

/** Serves the built pages of the blog, filled from the store. Requests wait until `seeded` resolves. */
export function serveBlog(webFolder: string, deps: BlogDeps, seeded: Promise<unknown>): Middleware {
  const folder = join(webFolder, ".site");
  if (!existsSync(join(folder, "seed-posts.json"))) return (_, next) => next();
  const blog = new Blog(deps, folder);
  return async (koa, next) => {
    const isRead = koa.method === "GET" || koa.method === "HEAD";
    if (isRead && isBlogPath(koa.path)) {
      await seeded;
      if (await answer(blog, koa)) return;
    }
    await next();
  };
}

/** The addresses of the blog for search engines. */
export async function listBlogAddresses({ store, clock }: BlogDeps): Promise<StoredAddress[]> {
  const posts = await listPublished(store, utcDay(clock.now()));
  const addresses = posts.map((post) => {
    const { slug, date } = post;
    const changed = utcDay(post.updatedAt);
    return { path: postPath(slug), date: changed > date ? changed : date, languages: languagesOf(post) };
  });
  const topics = new Map<string, string>();
  for (const { topic, date } of posts) if (!topics.has(topic)) topics.set(topic, date);
  return [...addresses, ...[...topics].map(([topic, date]) => ({ path: topicPath(topic), date }))];
}
