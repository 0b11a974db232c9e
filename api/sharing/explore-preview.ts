import { sharing as german } from "#shared/messages/de/content/sharing.ts";
import { sharing as english } from "#shared/messages/en/content/sharing.ts";
import { screenPath, screens } from "#shared/screens.ts";
import { Topic } from "#shared/sharing/schema.ts";
import type { Deps } from "#api/http/handler.ts";
import type { PagePreview } from "#api/http/site/page-preview.ts";
import type { Language } from "#api/http/site/visitor-language.ts";
import { exploreShares } from "./explore.ts";
import { TimedCache } from "./timed-cache.ts";

const MAX_AGE_MS = 60_000;

const texts = { en: english, de: german } as const satisfies Record<Language, unknown>;

const topicName = (topic: Topic, language: Language) => texts[language][`topic_${topic === "other" ? "else" : topic}`];

type ExploreDeps = Pick<Deps, "store" | "index" | "log" | "clock">;

async function readList(deps: ExploreDeps, topic: Topic | undefined, language: Language): Promise<PagePreview> {
  const { items, topics } = await exploreShares(deps, { q: "", topic, language });
  const { explore, explore_text } = texts[language];
  const title = topic === undefined ? explore : `${explore}: ${topicName(topic, language)}`;
  return {
    title,
    description: explore_text,
    // A topic without items has nothing to show yet.
    isIndexable: topic === undefined || items.length > 0,
    list: {
      language,
      fullTitle: `${title} · Lamplight`,
      items: items.map((item) => ({
        title: item.title || "Lamplight",
        path: screenPath("share", { share: item._id }),
        text: item.description || item.excerpt.text,
      })),
      related: topics.map((name) => ({
        title: topicName(name, language),
        path: screenPath("exploreItem", { slug: name }),
      })),
    },
  };
}

/**
 * Returns a function that reads what `/explore` and the page of a topic list. It returns "missing" for paths that are no
 * topic, and undefined for other paths.
 */
export function createExplorePreview(
  deps: ExploreDeps,
): (path: string, readLanguage: () => Language) => Promise<PagePreview | "missing" | undefined> {
  const cache = new TimedCache<PagePreview>(MAX_AGE_MS, () => deps.clock.now());
  return async (path, readLanguage) => {
    const { path: start } = screens.explore;
    if ((path !== start && !path.startsWith(`${start}/`)) || path === screens.exploreSearch.path) return undefined;
    const topic = path === start ? undefined : Topic.safeParse(path.slice(start.length + 1)).data;
    if (path !== start && topic === undefined) return "missing";
    const language = readLanguage();
    try {
      return await cache.get(`${language} ${topic ?? ""}`, () => readList(deps, topic, language));
    } catch (error) {
      // The app shows the failure and can try again.
      deps.log.error({ err: error }, "the list of Explore could not be read");
      return undefined;
    }
  };
}
