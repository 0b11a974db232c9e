import { CircleCheck, CircleDashed, CircleDotDashed, CircleSlash } from "lucide-react";
import { t } from "#shared/messages/translate.ts";
import { formatTime } from "#webapp/app/format/format-date.ts";
import { depthLimits, searchesUntil } from "#shared/research/rules.ts";
import { sentencesOf } from "#shared/research/canvas.ts";
import type { CanvasSection, ResearchSession, ResearchTool } from "#shared/research/schema.ts";
import { useMediaQuery } from "#webapp/app/hooks/use-media-query.ts";
import { hasNoAnswer } from "../silent-services.ts";
import { headingOf } from "./source-name.ts";

type StepState = "done" | "now" | "waiting" | "none";

function StepIcon({ state }: { state: StepState }) {
  if (state === "done") return <CircleCheck aria-hidden className="research-good" />;
  if (state === "now") return <CircleDotDashed aria-hidden className="research-now" />;
  return state === "none" ? <CircleSlash aria-hidden /> : <CircleDashed aria-hidden />;
}

/** Names the engines of a search service that gave no answer, because their results are missing. */
const describeSilent = ({ silentEngines = [] }: ResearchTool): string =>
  silentEngines.length === 0 ? "" : ` ${t("research.silent_engines", { engines: silentEngines.join(", ") })}`;

function describeTool(tool: ResearchTool): string {
  const { name, args, status, found, problem, notAsked } = tool;
  const { query = "", title = "", source = "library" } = args;
  const cause = problem === null ? "" : t(`research.problem_${problem}`);
  if (name === "read_library") return t("research.tool_library", { count: found, query });
  if (notAsked) return `${t("research.tool_not_asked")} ${t(`research.not_asked_${notAsked}`)}`;
  if (name === "search") {
    const values = { source: t(`research.source_${source}`), query, count: found, problem: cause };
    if (status === "running") return t("research.tool_search_running", values);
    if (status === "failed") return t("research.tool_search_failed", values);
    return `${t("research.tool_search", values)}${describeSilent(tool)}`;
  }
  if (status === "running") return t("research.tool_open_running", { title });
  return status === "failed"
    ? t("research.tool_open_failed", { title, problem: cause })
    : t("research.tool_open", { title });
}

function taskState({ status }: CanvasSection, isRunning: boolean): StepState {
  if (status === "written") return "done";
  if (status === "not_found") return "none";
  return status === "searching" && isRunning ? "now" : "waiting";
}

function describeTask(section: CanvasSection, { run, citations }: ResearchSession): string {
  const isRunning = run.status === "running";
  if (section.status === "written") {
    const cites = new Set(sentencesOf([section]).flatMap((sentence) => sentence.cites));
    const sources = new Set(citations.filter(({ n }) => cites.has(n)).map(({ source }) => source));
    const written = t("research.task_written", { count: sentencesOf([section]).length });
    return sources.size === 0 ? written : `${written} · ${t("research.sources_count", { count: sources.size })}`;
  }
  // A section with a topic adds to the answer, so its content may already be in the answer itself.
  if (section.status === "not_found" && section.notAsked) return t("research.task_not_looked_up");
  if (section.status === "not_found")
    return t(section.topic === null ? "research.task_not_found" : "research.task_nothing_more");
  if (!isRunning) return t("research.task_skipped");
  return t(section.status === "searching" ? "research.task_searching" : "research.task_waiting");
}

function ToolLines({ tools }: { tools: readonly ResearchTool[] }) {
  return tools.map((tool) => (
    <small key={tool.id} data-status={tool.status} className="research-tool" dir="auto">
      {describeTool(tool)}
    </small>
  ));
}

/** The lookups for a section: one line each while the run works on the section, collapsed afterwards. */
function Lookups({ tools, isOpen }: { tools: readonly ResearchTool[]; isOpen: boolean }) {
  if (isOpen || tools.length === 0) return <ToolLines tools={tools} />;
  const failed = tools.filter(hasNoAnswer).length;
  const failedText = failed > 0 ? ` · ${t("research.lookups_failed", { count: failed })}` : "";
  return (
    <details className="research-lookups">
      <summary>
        {t("research.lookups", { count: tools.length })}
        {failedText}
      </summary>
      <ToolLines tools={tools} />
    </details>
  );
}

function Task({ section, session }: { section: CanvasSection; session: ResearchSession }) {
  const isRunning = session.run.status === "running";
  const state = taskState(section, isRunning);
  const tools = session.tool_instances.filter(({ task_id }) => task_id === section.id);
  return (
    <li className="research-step" data-state={state} aria-current={state === "now" ? "step" : undefined}>
      <StepIcon state={state} />
      <div>
        <strong dir="auto">{headingOf(section)}</strong>
        <small>{describeTask(section, session)}</small>
        <Lookups tools={tools} isOpen={state === "now"} />
      </div>
    </li>
  );
}

/** Further aspects of the question about which nothing more was found, in one line after the run. */
function EmptyAspects({ sections, session }: { sections: readonly CanvasSection[]; session: ResearchSession }) {
  if (sections.length === 0) return null;
  return (
    <li className="research-step" data-state="none">
      <StepIcon state="none" />
      <details className="research-aspects">
        <summary>
          <strong>{t("research.step_aspects", { count: sections.length })}</strong>
          <small>{t("research.task_nothing_more")}</small>
        </summary>
        <ol role="list">
          {sections.map((section) => (
            <Task key={section.id} section={section} session={session} />
          ))}
        </ol>
      </details>
    </li>
  );
}

function LastStep({ title, done }: { title: string; done: string | undefined }) {
  const state = done === undefined ? "waiting" : "done";
  return (
    <li className="research-step" data-state={state}>
      <StepIcon state={state} />
      <div>
        <strong>{title}</strong>
        <small>{done ?? t("research.task_waiting")}</small>
      </div>
    </li>
  );
}

function LastSteps({ session }: { session: ResearchSession }) {
  const { run, tool_instances: tools, sections } = session;
  const countOf = (name: "compare" | "verify", atEnd: number) =>
    // Only the owner receives the run's tool calls; all others receive only its result.
    tools.find(({ id }) => id === `${run.id}.${name}`)?.found ?? (run.status === "done" ? atEnd : undefined);
  const compared = countOf("compare", sections.flatMap(({ disagreements }) => disagreements).length);
  const verified = countOf("verify", run.verified);
  // Without any sentence there was nothing to compare or to check.
  if (run.status === "done" && !compared && !verified && run.leftOut === 0) return null;
  const leftOut = run.leftOut > 0 ? ` · ${t("research.step_verify_left_out", { count: run.leftOut })}` : "";
  return (
    <>
      <LastStep
        title={t("research.step_compare")}
        done={compared === undefined ? undefined : t("research.step_compare_done", { count: compared })}
      />
      <LastStep
        title={t("research.step_verify")}
        done={verified === undefined ? undefined : `${t("research.step_verify_done", { count: verified })}${leftOut}`}
      />
    </>
  );
}

const isEmptyAspect = ({ topic, status, notAsked }: CanvasSection) =>
  topic !== null && status === "not_found" && !notAsked;

/** In narrower windows the plan is folded. */
const NARROW = "(max-width: 1180px)";

/** The plan: each sub-question with its lookups. */
export function PlanView({ session }: { session: ResearchSession }) {
  const isNarrow = useMediaQuery(NARROW);
  if (session.run.id === "") return null;
  if (isNarrow)
    return (
      <details className="research-plan research-plan-folded">
        <summary>
          <h2>{t("research.plan")}</h2>
          <span>{describePlan(session)}</span>
        </summary>
        <Steps session={session} />
      </details>
    );
  return (
    // Focusable, so that it can be scrolled by keyboard, because nothing inside takes the focus.
    <section className="research-plan" aria-label={t("research.plan")} tabIndex={0}>
      <h2>{t("research.plan")}</h2>
      <Steps session={session} />
    </section>
  );
}

/** The section for further findings is not a question of the plan. */
const countQuestions = (sections: readonly CanvasSection[]) => sections.filter(({ topic }) => topic !== "more").length;

/** What the run works on now; afterwards the number of its questions. */
function describePlan({ run, sections }: ResearchSession): string {
  const current = run.status === "running" ? sections.find(({ status }) => status === "searching") : undefined;
  if (current) return headingOf(current);
  return sections.length > 0
    ? t("research.step_plan", { count: countQuestions(sections) })
    : t("research.step_planning");
}

function Steps({ session }: { session: ResearchSession }) {
  const { run } = session;
  const isRunning = run.status === "running";
  const sections = session.sections.filter(({ topic, status }) => topic !== "more" || status === "written");
  const count = countQuestions(sections);
  const empty = isRunning ? [] : sections.filter(isEmptyAspect);
  return (
    <>
      <ol role="list">
        <li className="research-step" data-state={sections.length > 0 ? "done" : "now"}>
          <StepIcon state={sections.length > 0 ? "done" : "now"} />
          <div>
            <strong>{sections.length > 0 ? t("research.step_plan", { count }) : t("research.step_planning")}</strong>
          </div>
        </li>
        {sections
          .filter((section) => !empty.includes(section))
          .map((section) => (
            <Task key={section.id} section={section} session={session} />
          ))}
        <EmptyAspects sections={empty} session={session} />
        {(isRunning || run.status === "done") && <LastSteps session={session} />}
      </ol>
      {/* After the run, the list of sources shows the count. */}
      {isRunning && (
        <p className="research-plan-foot">
          <strong>{t("research.pages_read", { count: run.pagesRead, most: depthLimits[run.depth].pages })}</strong>{" "}
          {t("research.search_until", { time: formatTime(searchesUntil(run)) })}
        </p>
      )}
    </>
  );
}
