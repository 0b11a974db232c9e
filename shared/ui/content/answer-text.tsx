import type { Token, Tokens } from "marked";
import { Fragment, useMemo, type ReactNode } from "react";
import { parseAnswerMarkdown } from "#shared/tutor/markdown.ts";
import "./answer-text.css";

/** How the product's own parts of an answer are rendered. */
interface AnswerRenderers {
  /** The badge of a citation; null if there is no citation with this number. */
  cite: (n: number) => ReactNode;
  maths: (latex: string, isBlock: boolean) => ReactNode;
  /** Rendered after a paragraph. */
  after?: ((raw: string) => ReactNode) | undefined;
  /** The accessible name of a table. */
  tableName: string;
}

const childTokens = (token: Token): Token[] => ("tokens" in token && token.tokens ? token.tokens : []);

/**
 * A model's Markdown is rendered without active content: a link as its text and address, a picture as its name, HTML as
 * source. Nothing is fetched, and only our own citations can be clicked.
 */
function Inline({ tokens, show: renderers }: { tokens: readonly Token[]; show: AnswerRenderers }): ReactNode {
  return tokens.map((token, at) => <Fragment key={at}>{renderInline(token, renderers)}</Fragment>);
}

function renderInline(token: Token, renderers: AnswerRenderers): ReactNode {
  const nested = () => <Inline tokens={childTokens(token)} show={renderers} />;
  switch (token.type) {
    case "strong":
      return <strong>{nested()}</strong>;
    case "em":
      return <em>{nested()}</em>;
    case "del":
      return <del>{nested()}</del>;
    case "codespan":
      return <code>{(token as Tokens.Codespan).text}</code>;
    case "br":
      return <br />;
    case "link":
      return renderLink(token as Tokens.Link, nested());
    case "image":
      return (token as Tokens.Image).text;
    case "citation":
    case "maths":
      return renderExtension(token, renderers);
    default:
      return renderPlain(token, nested);
  }
}

function renderLink({ href, text }: Tokens.Link, words: ReactNode): ReactNode {
  return href === text ? (
    words
  ) : (
    <>
      {words} ({href})
    </>
  );
}

function renderExtension(token: Tokens.Generic, renderers: AnswerRenderers): ReactNode {
  if (token.type === "maths") return renderers.maths(String(token["latex"]), token["isBlock"] === true);
  return renderers.cite(Number(token["n"]));
}

function renderPlain(token: Token, nested: () => ReactNode): ReactNode {
  if (childTokens(token).length > 0) return nested();
  if (token.type === "escape") return (token as Tokens.Escape).text;
  return "text" in token && typeof token.text === "string" ? token.text : token.raw;
}

function List({ token, show: renderers }: { token: Tokens.List; show: AnswerRenderers }): ReactNode {
  const items = token.items.map((item, at) => (
    <li key={at}>
      <Blocks tokens={item.tokens} show={renderers} />
    </li>
  ));
  return token.ordered ? <ol start={Number(token.start) || 1}>{items}</ol> : <ul>{items}</ul>;
}

function Table({ token, show: renderers }: { token: Tokens.Table; show: AnswerRenderers }): ReactNode {
  return (
    <div className="answer-table" role="region" aria-label={renderers.tableName} tabIndex={0}>
      <table>
        <thead>
          <tr>
            {token.header.map((cell, at) => (
              <th key={at} scope="col">
                <Inline tokens={cell.tokens} show={renderers} />
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {token.rows.map((row, at) => (
            <tr key={at}>
              {row.map((cell, n) => (
                <td key={n}>
                  <Inline tokens={cell.tokens} show={renderers} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function renderBlock(token: Token, renderers: AnswerRenderers): ReactNode {
  switch (token.type) {
    case "space":
    case "def":
      return null;
    case "heading":
      return (
        <p className="answer-heading">
          <Inline tokens={childTokens(token)} show={renderers} />
        </p>
      );
    case "code":
      return (
        <pre tabIndex={0}>
          <code>{(token as Tokens.Code).text}</code>
        </pre>
      );
    case "blockquote":
      return (
        <blockquote>
          <Blocks tokens={childTokens(token)} show={renderers} />
        </blockquote>
      );
    case "list":
      return <List token={token as Tokens.List} show={renderers} />;
    case "table":
      return <Table token={token as Tokens.Table} show={renderers} />;
    case "hr":
      return <hr />;
    default:
      return (
        <p>
          <Inline tokens={childTokens(token).length > 0 ? childTokens(token) : [token]} show={renderers} />
          {renderers.after?.(token.raw)}
        </p>
      );
  }
}

function Blocks({ tokens, show: renderers }: { tokens: readonly Token[]; show: AnswerRenderers }): ReactNode {
  return tokens.map((token, at) => <Fragment key={at}>{renderBlock(token, renderers)}</Fragment>);
}

/** An answer's Markdown as elements. */
export function AnswerText({ text, ...renderers }: { text: string } & AnswerRenderers): ReactNode {
  const tokens = useMemo(() => parseAnswerMarkdown(text), [text]);
  return (
    <div className="answer-text" dir="auto">
      <Blocks tokens={tokens} show={renderers} />
    </div>
  );
}
