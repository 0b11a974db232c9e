import { ExternalLink } from "lucide-react";
import { lazy, Suspense, type ComponentType } from "react";
import { t } from "#shared/messages/translate.ts";
import type { Component, FileContent } from "#shared/pages/schema.ts";
import { ButtonLink } from "#shared/ui/controls/button.tsx";
import { Code } from "#shared/ui/content/code.tsx";
import { Maths } from "#shared/ui/content/maths.tsx";
import { SharedDeck } from "./shared-deck.tsx";
import { numberListItems, SharedText } from "./shared-text.tsx";
import "./shared-blocks.css";

/** Loaded on demand, because few pages contain an answer of the tutor. */
const AnswerText = lazy(async () => ({ default: (await import("#shared/ui/content/answer-text.tsx")).AnswerText }));
const noBadge = () => null;
const formula = (latex: string, isBlock: boolean) => <Maths latex={latex} display={isBlock} />;

export interface SharedDocumentProps {
  path: string;
  /** Shows only the first page until the reader opens all pages. */
  startsCollapsed: boolean;
}

interface Props {
  shareId: string;
  components: readonly Component[];
  /** Starts a study session with the first deck, as a link from Explore requests. */
  startsStudy: boolean;
  Document: ComponentType<SharedDocumentProps>;
}

/** The deck that a visitor studies first: the first one with cards. */
export function findStudiedDeck(components: readonly Component[]) {
  for (const component of components)
    if (component.type === "flash_cards" && component.content.cards.length > 0) return component;
  return undefined;
}

/** The blocks of a shared item, in order. */
export function SharedBlocks({ shareId, components, startsStudy, Document }: Props) {
  const numbers = numberListItems(components);
  const studiedId = startsStudy ? findStudiedDeck(components)?._id : undefined;
  return components.map((component, index) => (
    <Block
      key={component._id}
      shareId={shareId}
      component={component}
      number={numbers[index] ?? 0}
      isOnly={components.length === 1}
      startsStudy={component._id === studiedId}
      Document={Document}
    />
  ));
}

interface BlockProps extends Omit<Props, "components"> {
  component: Component;
  number: number;
  /** Whether this is the only shared block. */
  isOnly: boolean;
}

function Block({ shareId, component, number, isOnly, startsStudy, Document }: BlockProps) {
  switch (component.type) {
    case "text":
      return <SharedText content={component.content} number={number} />;
    case "flash_cards":
      return (
        <SharedDeck
          key={startsStudy ? "study" : "list"}
          shareId={shareId}
          title={component.content.title}
          cards={component.content.cards}
          startsStudy={startsStudy}
        />
      );
    case "image":
      return <SharedFile content={component.content} startsCollapsed={!isOnly} Document={Document} />;
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
      // The API sends no conversations, because they are private.
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

/** A file with any other URL is on another site, so it is shown as a link and never loaded automatically. */
const isOwnFile = ({ url }: FileContent) => url.startsWith("/v1/");

interface FileProps {
  content: FileContent;
  startsCollapsed: boolean;
  Document: Props["Document"];
}

function SharedFile({ content, startsCollapsed, Document }: FileProps) {
  const name = content.title || content.file.name;
  if (isOwnFile(content) && /\.pdf$/i.test(content.file.id))
    return <Document path={content.url} startsCollapsed={startsCollapsed} />;
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
