import type { Token, Tokens } from "marked";
import { Fragment, useMemo, type ReactNode } from "react";
import { readMarkdown } from "#shared/tutor/markdown.ts";
import "./answer-text.css";

/** How the product's own parts of an answer are rendered. */
interface Showing {
  /** The badge of a citation; null if there is no citation with this number. */
  cite: (n: number) => ReactNode;
  maths: (latex: string, isBlock: boolean) => ReactNode;
  /** Rendered after a paragraph. */
  after?: ((raw: string) => ReactNode) | undefined;
  /** The accessible name of a table. */
  tableName: string;
}

const inner = (token: Token): Token[] => ("tokens" in token && token.tokens ? token.tokens : []);

/**
 * A model's Markdown is rendered without active content: a link as its text and address, a picture as its name, HTML as
 * source. Nothing is fetched, and only our own citations can be clicked.
 */
function Inline({ tokens, show }: { tokens: readonly Token[]; show: Showing }): ReactNode {
  return tokens.map((token, at) => <Fragment key={at}>{inlineOf(token, show)}</Fragment>);
}

function inlineOf(token: Token, show: Showing): ReactNode {
  const nested = () => <Inline tokens={inner(token)} show={show} />;
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
      return linkWords(token as Tokens.Link, nested());
    case "image":
      return (token as Tokens.Image).text;
    case "citation":
    case "maths":
      return ownOf(token, show);
    default:
      return plainOf(token, nested);
  }
}

function linkWords({ href, text }: Tokens.Link, words: ReactNode): ReactNode {
  return href === text ? (
    words
  ) : (
    <>
      {words} ({href})
    </>
  );
}

function ownOf(token: Tokens.Generic, show: Showing): ReactNode {
  if (token.type === "maths") return show.maths(String(token["latex"]), token["isBlock"] === true);
  return show.cite(Number(token["n"]));
}

function plainOf(token: Token, nested: () => ReactNode): ReactNode {
  if (inner(token).length > 0) return nested();
  if (token.type === "escape") return (token as Tokens.Escape).text;
  return "text" in token && typeof token.text === "string" ? token.text : token.raw;
}

function List({ token, show }: { token: Tokens.List; show: Showing }): ReactNode {
  const items = token.items.map((item, at) => (
    <li key={at}>
      <Blocks tokens={item.tokens} show={show} />
    </li>
  ));
  return token.ordered ? <ol start={Number(token.start) || 1}>{items}</ol> : <ul>{items}</ul>;
}

function Table({ token, show }: { token: Tokens.Table; show: Showing }): ReactNode {
  return (
    <div className="answer-table" role="region" aria-label={show.tableName} tabIndex={0}>
      <table>
        <thead>
          <tr>
            {token.header.map((cell, at) => (
              <th key={at} scope="col">
                <Inline tokens={cell.tokens} show={show} />
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {token.rows.map((row, at) => (
            <tr key={at}>
              {row.map((cell, n) => (
                <td key={n}>
                  <Inline tokens={cell.tokens} show={show} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function blockOf(token: Token, show: Showing): ReactNode {
  switch (token.type) {
    case "space":
    case "def":
      return null;
    case "heading":
      return (
        <p className="answer-heading">
          <Inline tokens={inner(token)} show={show} />
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
          <Blocks tokens={inner(token)} show={show} />
        </blockquote>
      );
    case "list":
      return <List token={token as Tokens.List} show={show} />;
    case "table":
      return <Table token={token as Tokens.Table} show={show} />;
    case "hr":
      return <hr />;
    default:
      return (
        <p>
          <Inline tokens={inner(token).length > 0 ? inner(token) : [token]} show={show} />
          {show.after?.(token.raw)}
        </p>
      );
  }
}

function Blocks({ tokens, show }: { tokens: readonly Token[]; show: Showing }): ReactNode {
  return tokens.map((token, at) => <Fragment key={at}>{blockOf(token, show)}</Fragment>);
}

/** An answer's Markdown as elements. */
export function AnswerText({ text, ...show }: { text: string } & Showing): ReactNode {
  const tokens = useMemo(() => readMarkdown(text), [text]);
  return (
    <div className="answer-text" dir="auto">
      <Blocks tokens={tokens} show={show} />
    </div>
  );
}
