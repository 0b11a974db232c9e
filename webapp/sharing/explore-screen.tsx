import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { useCallback, useState } from "react";
import { documentLanguage } from "#shared/messages/language.ts";
import { t } from "#shared/messages/translate.ts";
import { screenPath } from "#shared/screens.ts";
import { Topic, type ExploreItem } from "#shared/sharing/schema.ts";
import { Button } from "#shared/ui/controls/button.tsx";
import { EmptyState, ErrorState } from "#shared/ui/empty-state.tsx";
import { Skeleton } from "#shared/ui/skeleton.tsx";
import { TextField } from "#shared/ui/controls/text-field.tsx";
import { notify } from "#webapp/app/alerts.ts";
import { client } from "#webapp/app/client.ts";
import { formatLanguage } from "#webapp/app/format/format-language.ts";
import { useScreenParams } from "#webapp/app/use-screen-params.ts";
import { useTitle } from "#webapp/app/use-title.ts";
import { useAsyncValue } from "#webapp/app/hooks/use-async-value.ts";
import { licenceNames, topicNames, typeNames } from "./names.ts";
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
  // The router treats the address without a topic as one with an empty topic.
  if (slug === "") return <ExploreScreen />;
  if (topic === undefined)
    return (
      <EmptyState headingLevel={1} title={t("sharing.missing_title")}>
        {t("sharing.missing")}
      </EmptyState>
    );
  return <Explore key={topic} topic={topic} heading={topicNames[topic]} />;
}

interface ExploreQuery {
  q?: string;
  topic?: Topic;
}

interface ExploreResult {
  items: readonly ExploreItem[];
  more: boolean;
  next: number | null;
}

function Explore({ q = "", topic, heading }: ExploreQuery & { heading: string }) {
  useTitle(heading);
  const list = useCallback(
    async (loadedItems: readonly ExploreItem[], before?: number | null) => {
      const page = await client.sharing.explore({
        q,
        ...(topic && { topic }),
        language: documentLanguage().slice(0, 2),
        ...(typeof before === "number" && { before }),
      });
      return { items: [...loadedItems, ...page.items], more: page.more, next: page.next };
    },
    [q, topic],
  );
  const loadFirst = useCallback(() => list([]), [list]);
  const { answer, retry, keep: setReady } = useAsyncValue(loadFirst);
  const more = ({ items, next }: ExploreResult) =>
    list(items, next).then(setReady, () => notify({ type: "error", message: t("sharing.explore_failed") }));
  return (
    <div className="explore">
      <header className="explore-head">
        <h1>{heading}</h1>
        <p>{t("sharing.explore_text")}</p>
        <SearchForm q={q} />
        <Topics />
      </header>
      {answer.state === "loading" && <Skeleton label={t("common.loading")} lines={[100, 100, 100]} height={56} />}
      {answer.state === "failed" && (
        <ErrorState title={t("sharing.explore")} action={<Button onClick={retry}>{t("common.retry")}</Button>}>
          {t("sharing.explore_failed")}
        </ErrorState>
      )}
      {answer.state === "ready" && <Items found={answer.value} q={q} onMore={() => void more(answer.value)} />}
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
      />
    </form>
  );
}

/** "All" is not active while a topic is shown. */
const exactMatch = { exact: true };

function Topics() {
  return (
    <nav className="explore-topics" aria-label={t("sharing.explore_topics")}>
      <Link to={screenPath("explore", {})} activeOptions={exactMatch}>
        {t("sharing.explore_all")}
      </Link>
      {Topic.options.map((name) => (
        <Link key={name} to={screenPath("exploreItem", { slug: name })} activeOptions={exactMatch}>
          {topicNames[name]}
        </Link>
      ))}
    </nav>
  );
}

interface ItemsProps {
  found: ExploreResult;
  q: string;
  onMore: () => void;
}

function Items({ found: { items, more }, q, onMore }: ItemsProps) {
  if (items.length === 0)
    return q === "" ? (
      <EmptyState title={t("sharing.explore_empty_title")}>{t("sharing.explore_empty")}</EmptyState>
    ) : (
      <EmptyState title={t("sharing.explore_none_title")}>{t("sharing.explore_none")}</EmptyState>
    );
  return (
    <>
      <ul className="explore-items">
        {items.map((item) => (
          <Item key={item._id} item={item} />
        ))}
      </ul>
      {more && <Button onClick={onMore}>{t("sharing.explore_more")}</Button>}
    </>
  );
}

function Item({ item }: { item: ExploreItem }) {
  const { _id, title, emoji, type, topic, description, licence, attribution, views, duplicates, excerpt } = item;
  const lang = excerpt.language ?? undefined;
  const facts = [
    typeNames[type],
    ...(excerpt.language === null ? [] : [formatLanguage(excerpt.language)]),
    ...(excerpt.cards === 0 ? [] : [t("sharing.cards", { count: excerpt.cards })]),
    topicNames[topic],
    ...(licence === "none" ? [] : [licenceNames[licence]]),
    ...(views + duplicates === 0 ? [] : [t("sharing.seen_copied", { views, duplicates })]),
  ];
  return (
    <li>
      <Link className="explore-item" to={screenPath("share", { share: _id })}>
        <span className="explore-item-title" dir="auto" lang={lang}>
          {emoji && <span aria-hidden>{emoji} </span>}
          {title || t("sharing.untitled")}
        </span>
        <span className="explore-item-facts">{facts.join(" · ")}</span>
        {description !== "" && (
          <span className="explore-item-about" dir="auto" lang={lang}>
            {description}
          </span>
        )}
        <Preview excerpt={excerpt} lang={lang} />
        {attribution !== "" && (
          <span className="explore-item-author" dir="auto">
            {attribution}
          </span>
        )}
      </Link>
    </li>
  );
}

/** The first card as a sample, or the first lines of an item without cards. */
function Preview({
  excerpt: { text, questions, firstAnswer },
  lang,
}: Pick<ExploreItem, "excerpt"> & { lang: string | undefined }) {
  const [first, ...others] = questions;
  if (first === undefined)
    return text === "" ? null : (
      <span className="explore-item-text" dir="auto" lang={lang}>
        {text}
      </span>
    );
  return (
    <span className="explore-item-cards" lang={lang}>
      <span className="explore-item-card" dir="auto">
        <span>{first}</span>
        {firstAnswer !== "" && <span className="explore-item-answer">{firstAnswer}</span>}
      </span>
      {others.map((question) => (
        <span key={question} className="explore-item-question" dir="auto">
          {question}
        </span>
      ))}
    </span>
  );
}
