import { renderToString } from "react-dom/server";
import { planLimits } from "#shared/billing/rules.ts";
import { interpolate } from "#shared/messages/interpolate.ts";
import { tools as german } from "#shared/messages/de/public/tools.ts";
import { tools as english } from "#shared/messages/en/public/tools.ts";
import { screenPath, type ScreenName } from "#shared/screens.ts";
import { setToolWords, type ToolWords } from "../tools/words.ts";
import { CardsTool } from "../tools/cards-tool.tsx";
import type { CardsSource } from "../tools/use-cards.ts";
import { CitationTool } from "../citations/citation-tool.tsx";
import { ScheduleTool } from "../schedule/schedule-tool.tsx";
import type { PageContentProps, SiteLanguage } from "./pages.ts";
import { SiteBreadcrumb } from "./site-breadcrumb.tsx";
import { siteWords } from "./pages.ts";

type Tool = { entry: "cards-tool"; source: CardsSource } | { entry: "citation-tool" } | { entry: "schedule-tool" };

const cards = (source: CardsSource): Tool => ({ entry: "cards-tool", source });

const tools: Partial<Record<ScreenName, Tool>> = {
  toolAiFlashcards: cards("text"),
  toolFlashcardMaker: cards("hand"),
  toolPdfToFlashcards: cards("pdf"),
  toolImageToFlashcards: cards("image"),
  toolYoutubeToFlashcards: cards("youtube"),
  toolPowerpointToFlashcards: cards("office"),
  toolCitationGenerator: { entry: "citation-tool" },
  toolStudySchedule: { entry: "schedule-tool" },
};

/** The tool on a screen, if it has one. */
export const toolOf = (screen: ScreenName): Tool | undefined => tools[screen];

export const toolWordsOf = (language: SiteLanguage): ToolWords => (language === "de" ? german : english);

/** Renders the tool in its initial state. Its script hydrates this markup. */
function renderTool(tool: Tool, language: SiteLanguage): string {
  setToolWords(toolWordsOf(language), language);
  if (tool.entry === "citation-tool") return renderToString(<CitationTool />);
  if (tool.entry === "schedule-tool") return renderToString(<ScheduleTool />);
  return renderToString(<CardsTool source={tool.source} />);
}

/** Compares the limits of the tool and of a free account. The server removes this if new accounts get another plan. */
function ToolLimits({ page, source }: Pick<PageContentProps, "page"> & { source: CardsSource }) {
  const words = siteWords[page.language];
  const link = `<a href="${screenPath("pricing", {})}">${words.tool_plans}</a>`;
  const here = source === "hand" ? words.tool_counts_written : words.tool_counts_made;
  const account = interpolate(words.tool_counts_account, { count: planLimits.FREE.studyCards });
  const html = `<!--if NEW_FREE--><p>${here} ${account} ${link}</p><!--/if-->`;
  return <div className="tool-counts" dangerouslySetInnerHTML={{ __html: html }} />;
}

/** A page with a tool: the title, the tool, and a text about it. */
export function ToolBody({ page, pages }: PageContentProps) {
  const tool = toolOf(page.screen);
  if (!tool) throw new Error(`${page.path} has no tool`);
  const others = pages.filter(({ screen }) => toolOf(screen) && screen !== page.screen);
  return (
    <article className="site-tool">
      <SiteBreadcrumb page={page} pages={pages} />
      <h1>{page.title}</h1>
      <p className="site-lead">{page.description}</p>
      <div
        id="tool"
        data-source={"source" in tool ? tool.source : undefined}
        dangerouslySetInnerHTML={{ __html: renderTool(tool, page.language) }}
      />
      {tool.entry === "cards-tool" && <ToolLimits page={page} source={tool.source} />}
      <div className="site-text" dangerouslySetInnerHTML={{ __html: page.html }} />
      <nav className="site-related" aria-labelledby="related">
        <h2 id="related">{siteWords[page.language].tools}</h2>
        <ul role="list">
          {others.map(({ path, title }) => (
            <li key={path}>
              <a href={path}>{title}</a>
            </li>
          ))}
        </ul>
      </nav>
    </article>
  );
}
