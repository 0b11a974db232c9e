import { useEffect, useRef, useSyncExternalStore } from "react";
import { createRoot } from "react-dom/client";
import type { SiteDocument, SiteSection } from "../schema.ts";
import { Flashcards } from "./flashcards.tsx";
import { Glossary, Pages, Sources, Summary, Timeline } from "./lists.tsx";
import { SiteQuiz } from "./quiz.tsx";
import { kitText, setKitLanguage } from "./texts.ts";

/** One section of a site, drawn by its kind. */
export function SectionView({ section }: { section: SiteSection }) {
  const { kind, id, items } = section;
  switch (kind) {
    case "summary":
      return <Summary items={items} />;
    case "flashcards":
      return <Flashcards id={id} items={items} />;
    case "quiz":
      return <SiteQuiz id={id} items={items} />;
    case "glossary":
      return <Glossary items={items} />;
    case "timeline":
      return <Timeline items={items} />;
    case "pages":
      return <Pages items={items} />;
    case "sources":
      return <Sources items={items} />;
    default:
      return kind satisfies never;
  }
}

const idFromHash = () => decodeURIComponent(location.hash.replace(/^#\/?/, ""));

function subscribeToHash(onChange: () => void): () => void {
  addEventListener("hashchange", onChange);
  return () => removeEventListener("hashchange", onChange);
}

/** The address is read again on subscribing, because a link may have been followed before. */
function useSection(sections: readonly SiteSection[]): SiteSection | undefined {
  const id = useSyncExternalStore(subscribeToHash, idFromHash);
  return sections.find((section) => section.id === id) ?? sections[0];
}

/** A whole site: its title, a menu, and one section at a time. */
export function Site({ site }: { site: SiteDocument }) {
  const section = useSection(site.sections);
  const heading = useRef<HTMLHeadingElement>(null);
  const shownId = section?.id;
  const lastShown = useRef(shownId);
  useEffect(() => {
    // The reader is already at the first section.
    if (lastShown.current !== shownId) heading.current?.focus();
    lastShown.current = shownId;
  }, [shownId]);
  return (
    <div className="lk-site" data-accent={site.theme.accent} data-font={site.theme.font}>
      <header className="lk-header">
        <div>
          <h1>{site.title}</h1>
          {site.subtitle !== "" && <p className="lk-subtitle">{site.subtitle}</p>}
        </div>
        <nav aria-label={kitText("menu")}>
          {site.sections.map(({ id, title }) => (
            <a key={id} href={`#/${encodeURIComponent(id)}`} aria-current={id === shownId ? "page" : undefined}>
              {title}
            </a>
          ))}
        </nav>
      </header>
      <main>
        {section ? (
          <section key={section.id}>
            <h2 ref={heading} tabIndex={-1}>
              {section.title}
            </h2>
            <SectionView section={section} />
          </section>
        ) : (
          <p className="lk-empty">{kitText("empty")}</p>
        )}
      </main>
    </div>
  );
}

/** Draws a site into the page. */
export function renderSite(site: SiteDocument): void {
  setKitLanguage(site.language);
  document.documentElement.lang = site.language;
  document.title = site.title;
  const root = document.querySelector("#root") ?? document.body.appendChild(document.createElement("div"));
  createRoot(root).render(<Site site={site} />);
}
