import { Link } from "@tanstack/react-router";
import { Layers } from "lucide-react";
import { t } from "#shared/messages/translate.ts";
import { screenPath } from "#shared/screens.ts";
import type { ExploreItem } from "#shared/sharing/schema.ts";
import { NEW_CARD_ANSWERS, USUAL_SECONDS } from "#shared/study/day.ts";
import { formatLanguage } from "#webapp/app/format/format-language.ts";
import { licenceNames, topicNames, shareTypeNames } from "../share-labels.ts";
import { SampleCards } from "./sample-cards.tsx";
import { SharedFiles } from "./shared-files.tsx";
import "./explore-row.css";

interface Props {
  item: ExploreItem;
  headingLevel: 2 | 3;
  showsAuthor: boolean;
}

/** The minutes to study these cards as new cards, computed as on the home screen. */
const minutesFor = (cards: number) => Math.max(1, Math.round((cards * NEW_CARD_ANSWERS * USUAL_SECONDS) / 60));

function factsOf({ type, topic, licence, views, duplicates, excerpt: { cards, language } }: ExploreItem): string[] {
  return [
    topicNames[topic],
    shareTypeNames[type],
    ...(cards === 0 ? [] : [t("sharing.cards_minutes", { count: cards, minutes: minutesFor(cards) })]),
    ...(language === null ? [] : [formatLanguage(language)]),
    ...(licence === "none" ? [] : [licenceNames[licence]]),
    ...(views + duplicates === 0 ? [] : [t("sharing.seen_copied", { views, duplicates })]),
  ];
}

/** A listed item: its description on one side, its first cards to try on the other. */
export function ExploreRow({ item, headingLevel, showsAuthor }: Props) {
  const { _id, emoji, description, attribution, excerpt } = item;
  const title = item.title || t("sharing.untitled");
  const path = screenPath("share", { share: _id });
  const Heading = `h${headingLevel}` as const;
  return (
    <li className="explore-item">
      <div className="explore-item-about">
        <Heading className="explore-item-title" dir="auto">
          {emoji && <span aria-hidden>{emoji} </span>}
          <Link to={path}>{title}</Link>
        </Heading>
        <p className="explore-item-facts">{factsOf(item).join(" · ")}</p>
        {description !== "" && <p dir="auto">{description}</p>}
        {showsAuthor && attribution !== "" && (
          <p className="explore-item-facts" dir="auto">
            {attribution}
          </p>
        )}
        <p className="explore-item-actions">
          {excerpt.cards > 0 && (
            <Link
              className="button button-secondary"
              to={path}
              search={{ study: "" }}
              aria-label={t("sharing.explore_study_title", { title })}
            >
              <Layers aria-hidden /> {t("sharing.explore_study")}
            </Link>
          )}
          <Link
            className={`button button-${excerpt.cards > 0 ? "quiet" : "secondary"}`}
            to={path}
            aria-label={t("sharing.explore_open_title", { title })}
          >
            {t("sharing.explore_open")}
          </Link>
        </p>
      </div>
      <SharedFiles shareId={_id}>
        <Preview excerpt={excerpt} title={title} />
      </SharedFiles>
    </li>
  );
}

/** The first cards, or the first words of an item without cards. */
function Preview({ excerpt: { text, samples, cards }, title }: Pick<ExploreItem, "excerpt" | "title">) {
  if (samples.length > 0) return <SampleCards samples={samples} cards={cards} title={title} />;
  return text === "" ? null : (
    <p className="explore-item-text" dir="auto">
      {text}
    </p>
  );
}
