import { interpolate } from "#shared/messages/interpolate.ts";
import type {
  CanvasSentence,
  Disagreement as Pair,
  LedgerSource,
  ResearchCitation,
  ResearchSession,
} from "#shared/research/schema.ts";
import { Button } from "#shared/ui/controls/button.tsx";
import { CiteBadge } from "#shared/ui/content/cite-badge.tsx";
import { words } from "#extension/words/words.ts";
import { closeResearch, followAgain, type PanelResearch, stopResearch } from "./followed-research.ts";
import { joinStatus, type ResearchPart, viewResearch } from "./research-view.ts";

export interface SessionLinks {
  /** Opens a cited passage: in the page beside the panel, or in the app. */
  openCitation: (cited: ResearchCitation, source: LedgerSource, sessionId: string) => Promise<void>;
  openSession: (sessionId: string) => Promise<void>;
}

interface CitationProps extends Pick<SessionLinks, "openCitation"> {
  session: ResearchSession;
  n: number;
}

function SentenceCitation({ session, n, openCitation }: CitationProps) {
  const cited = session.citations.find((citation) => citation.n === n);
  const source = session.sources.find((candidate) => candidate.n === cited?.source);
  if (!cited || !source) return null;
  const title = source.title || source.host;
  return (
    <CiteBadge
      place={String(source.n)}
      label={`${source.n}: ${interpolate(words.research_cite, { n: source.n, title })}`}
      quote={cited.quote}
      passage={cited.passage}
      source={title}
      onOpen={() => void openCitation(cited, source, session._id)}
    />
  );
}

function Sentence({ sentence: { text, cites }, ...props }: { sentence: CanvasSentence } & Omit<CitationProps, "n">) {
  return (
    <>
      {text}{" "}
      {cites.map((n) => (
        <SentenceCitation key={n} n={n} {...props} />
      ))}{" "}
    </>
  );
}

function Disagreement({ pair, ...props }: { pair: Pair } & Omit<CitationProps, "n">) {
  return (
    <div role="group" className="research-disagreement" aria-label={words.research_disagree}>
      <strong>{words.research_disagree}</strong>
      {pair.sides.map((side) => (
        <blockquote key={side.text} dir="auto">
          <Sentence sentence={side} {...props} />
        </blockquote>
      ))}
    </div>
  );
}

function Part({ part, ...props }: { part: ResearchPart } & Omit<CitationProps, "n">) {
  return (
    <div className="research-part">
      {part.heading !== props.session.conversation_title && <h4 dir="auto">{part.heading}</h4>}
      {part.blocks.map((block) =>
        block.pair ? (
          <Disagreement key={`pair ${block.pair.sides[0]?.text}`} pair={block.pair} {...props} />
        ) : (
          <p key={block.sentences[0]?.text} dir="auto">
            {block.sentences.map((sentence) => (
              <Sentence key={sentence.text} sentence={sentence} {...props} />
            ))}
          </p>
        ),
      )}
    </div>
  );
}

/** The status of a session and the first sentences of its result. */
function SessionView({ session, openCitation }: Omit<CitationProps, "n">) {
  const view = viewResearch(session);
  return (
    <>
      <h3 dir="auto">{view.title}</h3>
      <p role="status" className="research-note">
        {joinStatus(view)}
      </p>
      {view.parts.map((part) => (
        <Part key={part.id} part={part} session={session} openCitation={openCitation} />
      ))}
    </>
  );
}

export function FollowedSession({ research, openCitation, openSession }: { research: PanelResearch } & SessionLinks) {
  const { session, sessionId = "", isReconnecting, problem } = research;
  const isRunning = session?.run.status === "running";
  return (
    <article className="research-session">
      {session ? (
        <SessionView session={session} openCitation={openCitation} />
      ) : (
        problem === undefined && !isReconnecting && <p role="status">{words.research_loading}</p>
      )}
      {isReconnecting && <p role="status">{words.research_reconnecting}</p>}
      {problem !== undefined && <p role="alert">{problem}</p>}
      <div className="research-buttons">
        <Button onClick={() => void openSession(sessionId)}>{words.research_open}</Button>
        {isRunning && <Button onClick={() => void stopResearch()}>{words.research_stop}</Button>}
        {problem !== undefined && <Button onClick={followAgain}>{words.research_retry}</Button>}
        {!isRunning && (
          <Button variant="quiet" onClick={() => void closeResearch()}>
            {words.research_close}
          </Button>
        )}
      </div>
    </article>
  );
}
