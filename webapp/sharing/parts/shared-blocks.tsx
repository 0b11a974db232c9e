import { ExternalLink } from "lucide-react";
import { lazy, Suspense, type ComponentType } from "react";
import { t } from "#shared/messages/translate.ts";
import type { Component, FileContent } from "#shared/pages/schema.ts";
import type { Flashcard } from "#shared/flashcards/schema.ts";
import { ButtonLink } from "#shared/ui/controls/button.tsx";
import { Code } from "#shared/ui/content/code.tsx";
import { Maths } from "#shared/ui/content/maths.tsx";
import { CardImage, CardText } from "#webapp/flashcards/card-text.tsx";
import { QuestionPicture } from "#webapp/flashcards/question-picture.tsx";
import { numberListItems, SharedText } from "./shared-text.tsx";
import "./shared-blocks.css";

/** Few pages contain one, so the Markdown renderer is loaded on demand. */
const AnswerText = lazy(async () => ({ default: (await import("#shared/ui/content/answer-text.tsx")).AnswerText }));
const noBadge = () => null;
const formula = (latex: string, isBlock: boolean) => <Maths latex={latex} display={isBlock} />;

interface Props {
  shareId: string;
  components: readonly Component[];
  Document: ComponentType<{ path: string }>;
}

/** The blocks of a shared item, in order. */
export function SharedBlocks({ shareId, components, Document }: Props) {
  const numbers = numberListItems(components);
  return components.map((component, index) => (
    <Block
      key={component._id}
      shareId={shareId}
      component={component}
      number={numbers[index] ?? 0}
      Document={Document}
    />
  ));
}

interface BlockProps extends Omit<Props, "components"> {
  component: Component;
  number: number;
}

function Block({ shareId, component, number, Document }: BlockProps) {
  switch (component.type) {
    case "text":
      return <SharedText content={component.content} number={number} />;
    case "flash_cards":
      return <Deck shareId={shareId} title={component.content.title} cards={component.content.cards} />;
    case "image":
      return <SharedFile content={component.content} Document={Document} />;
    case "video":
      return <SharedVideo content={component.content} />;
    case "code_block":
      return (
        <pre className="shared-code">
          <Code code={component.content.code} language={component.content.language} />
        </pre>
      );
    case "equation":
      return (
        <p className="shared-equation">
          <Maths latex={component.content.latex} display />
        </p>
      );
    case "assistant_message":
      return <SharedAnswer text={component.content.text} />;
    case "divider":
      return <hr className="shared-divider" />;
    case "chat":
      // The API sends none: conversations are private.
      return null;
    default:
      return component satisfies never;
  }
}

/** A tutor's answer; its citation markers are hidden, because only the owner can open the sources. */
function SharedAnswer({ text }: { text: string }) {
  return (
    <div className="shared-text shared-answer">
      <Suspense fallback={<p>{text}</p>}>
        <AnswerText text={text} cite={noBadge} maths={formula} tableName={t("pages.assistant_message")} />
      </Suspense>
    </div>
  );
}

/** Rendering ten thousand cards would be slow; the copy contains all of them. */
const CARDS_SHOWN = 200;

function Deck({ shareId, title, cards }: { shareId: string; title: string; cards: readonly Flashcard[] }) {
  const toOwnFileUrls = (text: string) => text.replaceAll(`/v1/shared/${shareId}/files/`, "/v1/files/");
  const hiddenCount = cards.length - CARDS_SHOWN;
  return (
    <section className="shared-deck" aria-label={title}>
      <h2 dir="auto">{title}</h2>
      <p className="shared-deck-count">{t("sharing.cards", { count: cards.length })}</p>
      <ol>
        {cards.slice(0, CARDS_SHOWN).map((card) => (
          <li key={card.id} dir="auto">
            <div className="shared-question">
              <CardText text={toOwnFileUrls(card.question)} />
              <QuestionPicture
                card={{ ...card, questionImage: card.questionImage && toOwnFileUrls(card.questionImage) }}
                isRevealed
              />
            </div>
            <div className="shared-card-answer">
              <CardText text={toOwnFileUrls(card.answer)} />
              <CardImage address={card.answerImage && toOwnFileUrls(card.answerImage)} />
            </div>
          </li>
        ))}
      </ol>
      {hiddenCount > 0 && <p className="shared-deck-count">{t("sharing.more_cards", { count: hiddenCount })}</p>}
    </section>
  );
}

/** Anything else is on another site: it is shown as a link, and nothing of it is loaded unasked. */
const isOwnFile = ({ url }: FileContent) => url.startsWith("/v1/");

function SharedFile({ content, Document }: { content: FileContent; Document: Props["Document"] }) {
  const name = content.title || content.file.name;
  if (isOwnFile(content) && /\.pdf$/i.test(content.file.id)) return <Document path={content.url} />;
  if (isOwnFile(content) && /\.(?:png|jpe?g|gif|webp|avif|bmp|svg)$/i.test(content.file.id))
    return <img className="shared-picture" src={content.url} alt={name} loading="lazy" />;
  return <FileLink content={content} name={name || t("sharing.file")} />;
}

function SharedVideo({ content }: { content: FileContent }) {
  const name = content.title || content.file.name;
  if (isOwnFile(content))
    return (
      // The transcript is not shared.
      <video className="shared-video" controls playsInline preload="metadata" src={content.url} aria-label={name} />
    );
  return <FileLink content={content} name={name} />;
}

function FileLink({ content, name }: { content: FileContent; name: string }) {
  if (!isOwnFile(content) && !/^https?:/i.test(content.url)) return null;
  return (
    <ButtonLink href={content.url} target="_blank" rel="noopener noreferrer" icon={<ExternalLink aria-hidden />}>
      {t("sharing.open_file", { name })}
    </ButtonLink>
  );
}
