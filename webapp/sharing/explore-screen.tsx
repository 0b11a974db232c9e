import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { useAtomValue } from "jotai/react";
import { Search } from "lucide-react";
import { useCallback, useState } from "react";
import { documentLanguage } from "#shared/messages/language.ts";
import { t } from "#shared/messages/translate.ts";
import { screenPath } from "#shared/screens.ts";
import { Topic, type ExploreItem } from "#shared/sharing/schema.ts";
import { isStarterShare } from "#shared/sharing/starter.ts";
import { Button } from "#shared/ui/controls/button.tsx";
import { IconButton } from "#shared/ui/controls/icon-button.tsx";
import { TextField } from "#shared/ui/controls/text-field.tsx";
import { EmptyState, ErrorState } from "#shared/ui/empty-state.tsx";
import { Skeleton } from "#shared/ui/skeleton.tsx";
import { notify } from "#webapp/app/alerts.ts";
import { useScreenParams } from "#webapp/app/use-screen-params.ts";
import { useTitle } from "#webapp/app/use-title.ts";
import { useAsyncValue } from "#webapp/app/hooks/use-async-value.ts";
import { loadExplore, topicsAtom, type ExploreQuery, type ExploreResult } from "./explore-state.ts";
import { topicNames } from "./share-labels.ts";
import { ExploreRow } from "./parts/explore-row.tsx";
import "./explore-screen.css";

export function ExploreScreen() {
  return <Explore heading={t("sharing.explore")} />;
}

export function ExploreSearchScreen() {
  const search: Record<string, unknown> = useSearch({ strict: false });
  const queryParam = search["q"];
  const q = typeof queryParam === "string" || typeof queryParam === "number" ? String(queryParam) : "";
  return (
    <Explore key={q} q={q} heading={q === "" ? t("sharing.explore_search") : t("sharing.explore_results", { q })} />
  );
}

export function ExploreTopicScreen() {
  const { slug } = useScreenParams("exploreItem");
  const topic = Topic.safeParse(slug).data;
  // The router treats the URL without a topic as a URL with an empty topic.
  if (slug === "") return <ExploreScreen />;
  if (topic === undefined)
    return (
      <EmptyState headingLevel={1} title={t("sharing.missing_title")}>
        {t("sharing.missing")}
      </EmptyState>
    );
  return <Explore key={topic} topic={topic} heading={topicNames[topic]} />;
}

function Explore({ q = "", topic, heading }: Partial<ExploreQuery> & { heading: string }) {
  useTitle(heading);
  const loadFirst = useCallback(() => loadExplore({ q, topic }), [q, topic]);
  const { answer, retry, setReady } = useAsyncValue(loadFirst);
  const loadMore = (loaded: ExploreResult) =>
    loadExplore({ q, topic }, loaded).then(setReady, () =>
      notify({ type: "error", message: `${t("sharing.explore_failed_title")}. ${t("sharing.explore_failed")}` }),
    );
  return (
    <div className="explore">
      <header className="explore-head">
        <h1>{heading}</h1>
        <p>{t("sharing.explore_text")}</p>
        <SearchForm q={q} />
        <Topics current={topic} />
      </header>
      {answer.state === "loading" && <Skeleton label={t("common.loading")} lines={[100, 100, 100]} height={132} />}
      {answer.state === "failed" && (
        <ErrorState
          title={t("sharing.explore_failed_title")}
          action={<Button onClick={retry}>{t("common.retry")}</Button>}
        >
          {t("sharing.explore_failed")}
        </ErrorState>
      )}
      {answer.state === "ready" && (
        <Found found={answer.value} q={q} topic={topic} onMore={() => void loadMore(answer.value)} />
      )}
    </div>
  );
}

function SearchForm({ q }: { q: string }) {
  const [text, setText] = useState(q);
  const navigate = useNavigate();
  return (
    <form
      role="search"
      className="explore-search"
      onSubmit={(event) => {
        event.preventDefault();
        const to = `${screenPath("exploreSearch", {})}?q=${encodeURIComponent(text.trim())}`;
        void navigate({ to: text.trim() === "" ? screenPath("explore", {}) : to });
      }}
    >
      <TextField
        label={t("sharing.explore_search")}
        labelHidden
        type="search"
        placeholder={t("sharing.explore_search")}
        value={text}
        onChange={(event) => setText(event.target.value)}
        action={<IconButton type="submit" label={t("sharing.explore_find")} icon={<Search aria-hidden />} />}
      />
    </form>
  );
}

/** "All" is not active while a topic is shown. */
const exactMatch = { exact: true };

/** Links to the topics that have items, and to the current topic. */
function Topics({ current }: { current: Topic | undefined }) {
  const filled = useAtomValue(topicsAtom);
  const shown = Topic.options.filter((name) => name === current || filled.includes(name));
  return (
    <nav className="explore-topics" aria-label={t("sharing.explore_topics")}>
      <Link to={screenPath("explore", {})} activeOptions={exactMatch}>
        {t("sharing.explore_all")}
      </Link>
      {shown.map((name) => (
        <Link key={name} to={screenPath("exploreItem", { slug: name })} activeOptions={exactMatch}>
          {topicNames[name]}
        </Link>
      ))}
    </nav>
  );
}

interface FoundProps extends ExploreQuery {
  found: ExploreResult;
  onMore: () => void;
}

function Found({ found: { items, more, next }, q, topic, onMore }: FoundProps) {
  // Items that cannot be read are left out, so that a page of them may be empty although there are more.
  if (items.length === 0 && next === null) return <NothingFound q={q} topic={topic} />;
  const isOverview = q === "" && topic === undefined;
  return (
    <>
      {isOverview ? <Sections items={items} /> : <Rows items={items} headingLevel={2} showsAuthor />}
      {next !== null && <Button onClick={onMore}>{t("sharing.explore_more")}</Button>}
      {more && next === null && <p className="explore-invite">{t("sharing.explore_best", { count: items.length })}</p>}
      {isOverview && !more && <p className="explore-invite">{t("sharing.explore_invite")}</p>}
    </>
  );
}

function NothingFound({ q, topic }: ExploreQuery) {
  const all = (
    <Link className="button button-secondary" to={screenPath("explore", {})}>
      {t("sharing.explore_see_all")}
    </Link>
  );
  if (q !== "")
    return (
      <EmptyState title={t("sharing.explore_none_title")} action={all}>
        {t("sharing.explore_none")}
      </EmptyState>
    );
  if (topic === undefined)
    return <EmptyState title={t("sharing.explore_empty_title")}>{t("sharing.explore_empty")}</EmptyState>;
  return (
    <EmptyState title={t("sharing.explore_topic_empty_title", { topic: topicNames[topic] })} action={all}>
      {t("sharing.explore_topic_empty")}
    </EmptyState>
  );
}

/** Whether no item of the starter collection is in the language of the interface. */
const isStarterForeign = (starters: readonly ExploreItem[]) =>
  starters.every(({ excerpt: { language } }) => language !== null && language !== documentLanguage());

/** The items that students listed, then the starter items that come with the product. */
function Sections({ items }: { items: readonly ExploreItem[] }) {
  const starters = items.filter(({ _id }) => isStarterShare(_id));
  const listed = items.filter(({ _id }) => !isStarterShare(_id));
  return (
    <>
      {listed.length > 0 && (
        <section className="explore-section">
          <h2>{t("sharing.explore_shared")}</h2>
          <Rows items={listed} headingLevel={3} showsAuthor />
        </section>
      )}
      {starters.length > 0 && (
        <section className="explore-section">
          <h2>{t("sharing.explore_starter")}</h2>
          <p>
            {t("sharing.explore_starter_text")}
            {isStarterForeign(starters) && <> {t("sharing.explore_starter_foreign")}</>}
          </p>
          <Rows items={starters} headingLevel={3} showsAuthor={false} />
        </section>
      )}
    </>
  );
}

interface RowsProps {
  items: readonly ExploreItem[];
  headingLevel: 2 | 3;
  showsAuthor: boolean;
}

const Rows = ({ items, ...rest }: RowsProps) => (
  <ul role="list" className="explore-items">
    {items.map((item) => (
      <ExploreRow key={item._id} item={item} {...rest} />
    ))}
  </ul>
);
