import type { Protection } from "./protection.ts";

const MODEL = "tests/research/model-session.test.ts";
const WEB = "tests/research/web-session.test.ts";
const RULES = "tests/research/rules.test.ts";
const LIMITS = "tests/research/limits.test.ts";
const LIBRARY = "tests/research/library-session.test.ts";
const ADAPTERS = "tests/research/search-adapters.test.ts";
const FOLLOWING = "tests/research/screen/following.test.ts";
const IN_LIBRARY = "tests/research/in-library.test.ts";
const PROTECTIONS = "tests/research/protections.test.ts";
const verify = "shared/research/evidence/verify.ts";
const modelResearch = "api/research/run/model-research.ts";
const politeFetch = "api/research/search/polite-fetch.ts";

/** Protections of a research session: what it quotes, requests, sends and counts. */
export const research: readonly Protection[] = [
  {
    id: "RS1",
    what: "a quote of a model must be in its source, by any of three checks",
    edits: [
      {
        file: modelResearch,
        from: "const found = findInSnapshot([snapshot], quote);",
        to: "const found = findInSnapshot([snapshot], quote) ?? { passageId: source.passageId, quote };",
      },
      {
        file: "api/research/run/write-section.ts",
        from: "const verified = passage && findInSnapshot([passage], quote);",
        to: "const verified = passage && { quote };",
      },
      {
        file: "api/research/run/write-section.ts",
        from: "if (!citation || !passage || !findInSnapshot([passage], citation.quote)) return false;",
        to: "if (!citation || !passage) return false;",
      },
    ],
    tests: MODEL,
    title: "written once more",
  },
  {
    id: "RS2",
    what: "a sentence of a model must be supported by its quote",
    edits: [
      {
        file: modelResearch,
        from: "if (!found || !isSupportedBy(text, found.quote)) return undefined;",
        to: "if (!found) return undefined;",
      },
    ],
    tests: PROTECTIONS,
    title: "its own quote does not support",
  },
  {
    id: "RS3",
    what: "the figures of a sentence are in its quote",
    edits: [
      {
        file: verify,
        from: "  if (figuresOf(withoutAmounts(sentence)).some((figure) => !figures.has(figure))) return false;\n",
        to: "  void [figures, withoutAmounts];\n",
      },
    ],
    tests: RULES,
    title: "” from “",
  },
  {
    id: "RS45",
    what: "the amounts of a sentence are those of its quote, with their scale and unit",
    edits: [
      { file: verify, from: "  if (!hasAmountsOf(sentence, quote)) return false;\n", to: "  void hasAmountsOf;\n" },
    ],
    tests: RULES,
    title: "” from “",
  },
  {
    id: "RS46",
    what: "a sentence does not say the opposite of its quote",
    edits: [{ file: verify, from: "  if (contradicts(sentence, quote)) return false;\n", to: "  void contradicts;\n" }],
    tests: RULES,
    title: "” from “",
  },
  {
    id: "RS4",
    what: "the names of a sentence are in its quote",
    edits: [
      { file: verify, from: "  if (!namesOf(sentence).every(hasName)) return false;\n", to: "  void hasName;\n" },
    ],
    tests: RULES,
    title: "” from “",
  },
  {
    id: "RS5",
    what: "a sentence does not deny what its quote says",
    edits: [{ file: verify, from: "  if (hasNegation(sentence) !== hasNegation(quote)) return false;\n", to: "" }],
    tests: RULES,
    title: "” from “",
  },
  {
    id: "RS6",
    what: "a sentence shares most of its words with its quote",
    edits: [{ file: verify, from: "const MIN_SHARED_TERMS = 0.5;", to: "const MIN_SHARED_TERMS = 0;" }],
    tests: RULES,
    title: "” from “",
  },
  {
    id: "RS7",
    what: "what is cited is in the stored snapshot",
    edits: [
      {
        file: "api/research/run/write-section.ts",
        from: "const verified = passage && findInSnapshot([passage], quote);",
        to: "const verified = passage && { quote };",
      },
    ],
    tests: PROTECTIONS,
    title: "is not cited",
  },
  {
    id: "RS8",
    what: "every sentence is checked again in the stored snapshot",
    edits: [
      {
        file: "api/research/run/write-section.ts",
        from: "if (!citation || !passage || !findInSnapshot([passage], citation.quote)) return false;",
        to: "if (!citation || !passage) return false;",
      },
    ],
    tests: PROTECTIONS,
    title: "left out at the end",
  },
  {
    id: "RS9",
    what: "the last check reads the snapshots from the store",
    edits: [{ file: "api/research/run/write-section.ts", from: "  gathered.reload();\n", to: "" }],
    tests: PROTECTIONS,
    title: "left out at the end",
  },
  {
    id: "RS10",
    what: "no link or markup in a sentence of a model",
    edits: [
      {
        file: modelResearch,
        from: "if (!source || LINK_OR_MARKUP.test(text)) return undefined;",
        to: "if (!source) return undefined;",
      },
    ],
    tests: PROTECTIONS,
    title: "with a link",
  },
  {
    id: "RS11",
    what: "no link or markup in a plan of a model",
    edits: [
      {
        file: modelResearch,
        from: '(LINK_OR_MARKUP.test(written) ? "a question holds markup" : undefined)',
        to: "(void written, undefined)",
      },
    ],
    tests: MODEL,
    title: "follows every injected instruction",
  },
  {
    id: "RS12",
    what: "sentences without support are shown outside of strict mode only",
    edits: [
      {
        file: "api/research/run/task-writer.ts",
        from: "unsupported: input.isStrict ? [] : unsupported",
        to: "unsupported: (void input, unsupported)",
      },
      { file: "api/research/run/write-section.ts", from: "return isStrict ? [] : [{", to: "return [{" },
    ],
    tests: MODEL,
    title: "made-up quotes",
  },
  {
    id: "RS13",
    what: "no word of the library goes to a service",
    edits: [
      {
        file: "api/research/run/gather.ts",
        from: "context.input.mayQuoteLibrary ? context.expansionTerms : context.outsideExpansionTerms",
        to: "context.expansionTerms",
      },
    ],
    tests: WEB,
    title: "no word of the student",
  },
  {
    id: "RS14",
    what: "pages in the server's own network are not opened",
    edits: [
      {
        file: "api/research/search/sources.ts",
        from: 'return name === "kiwix" ? this.#serviceHttp : this.#pageHttp;',
        to: "return (void name, this.#serviceHttp);",
      },
    ],
    tests: WEB,
    title: "own network",
  },
  {
    id: "RS15",
    what: "of kiwix, only pages of its own server are opened",
    edits: [
      {
        file: "api/research/search/web-adapters.ts",
        from: "if (!found || found.origin !== new URL(root).origin) return [];",
        to: "if (!found) return [];",
      },
    ],
    tests: ADAPTERS,
    title: "is asked in its own form",
  },
  {
    id: "RS16",
    what: "a retracted paper is not quoted",
    edits: [
      {
        file: "api/research/run/gathered-sources.ts",
        from: 'sha256 !== "" && !isRetracted;',
        to: 'sha256 !== "" && (void isRetracted, true);',
      },
    ],
    tests: WEB,
    title: "retracted paper",
  },
  {
    id: "RS17",
    what: "copies count once",
    edits: [
      {
        file: "api/research/run/gathered-sources.ts",
        from: "isCopy && (other < n || (!isQuoted && !isOriginal))",
        to: "isCopy && other < 0 && (isQuoted || !isOriginal)",
      },
    ],
    tests: LIBRARY,
    title: "copies of one text",
  },
  {
    id: "RS18",
    what: "no search after seventy per cent of the time",
    edits: [{ file: "shared/research/rules.ts", from: "const SEARCH_SHARE = 0.7;", to: "const SEARCH_SHARE = 1;" }],
    tests: RULES,
    title: "seventy per cent",
  },
  {
    id: "RS19",
    what: "a model is not asked when the tokens of a run are used",
    edits: [
      {
        file: "api/research/run/task-writer.ts",
        from: "|| run.tokens >= depthLimits[run.depth].tokens) return undefined;",
        to: "|| (void run.depth, depthLimits.quick.tokens < 0)) return undefined;",
      },
    ],
    tests: PROTECTIONS,
    title: "used up its tokens",
  },
  {
    id: "RS20",
    what: "pages are limited in size",
    edits: [
      {
        file: "api/research/search/read-page.ts",
        from: "const MAX_PAGE_BYTES = 10 * 1024 * 1024;",
        to: "const MAX_PAGE_BYTES = 1024 ** 3;",
      },
    ],
    tests: WEB,
    title: "endless",
  },
  {
    id: "RS21",
    what: "a service that says when to come back is not asked earlier",
    edits: [
      {
        file: politeFetch,
        from: '    if (retryAt > this.#options.clock.now()) throw new SearchError("limited", { retryAt });\n',
        to: "    void retryAt;\n",
      },
    ],
    tests: ADAPTERS,
    title: "is not asked again before",
  },
  {
    id: "RS22",
    what: "three requests at once per host",
    edits: [{ file: politeFetch, from: "const MAX_PER_HOST = 3;", to: "const MAX_PER_HOST = 30;" }],
    tests: PROTECTIONS,
    title: "three requests",
  },
  {
    id: "RS23",
    what: "requests name the product",
    edits: [{ file: politeFetch, from: '{ "user-agent": this.#options.userAgent, ...headers }', to: "{ ...headers }" }],
    tests: WEB,
    title: "quotes encyclopedia",
  },
  {
    id: "RS24",
    what: "a question is counted before its run starts",
    edits: [
      {
        file: "api/research/start-run.ts",
        from: 'countUsage(ctx, "researchMessages", 1, most)',
        to: 'countUsage(ctx, "researchMessages", 1, (void most, Number.POSITIVE_INFINITY))',
      },
    ],
    tests: LIMITS,
    title: "thirty questions",
  },
  {
    id: "RS25",
    what: "equal requests count once",
    edits: [
      {
        file: "api/research/start-run.ts",
        from: "  if (!isFirst) await refundUsage(own, chargedUsage);\n",
        to: "",
      },
    ],
    tests: LIMITS,
    title: "sent ten times",
  },
  {
    id: "RS26",
    what: "a run that verified nothing is not counted",
    edits: [
      {
        file: "api/research/finish-run.ts",
        from: "  if (ended && verified === 0) await refundUsage(own, input.chargedUsage);\n",
        to: "",
      },
    ],
    tests: LIBRARY,
    title: "does not count",
  },
  {
    id: "RS27",
    what: "an account has two runs at once",
    edits: [
      { file: "api/research/slots.ts", from: "const MAX_CONCURRENT_RUNS = 2;", to: "const MAX_CONCURRENT_RUNS = 20;" },
    ],
    tests: WEB,
    title: "two questions at once",
  },
  {
    id: "RS28",
    what: "others see no notes, and of the library only the quoted words",
    edits: [
      {
        file: "api/research/store.ts",
        from: '  return { ...content, citations, sources, notes: "", edits: {}, files: [], tool_instances: [] };\n',
        to: "  return { ...content, ...(citations.length + sources.length < 0 ? { citations } : {}) };\n",
      },
    ],
    tests: LIMITS,
    title: "shared session is read",
  },
  {
    id: "RS29",
    what: "others read no snapshot of the library",
    edits: [
      {
        file: "api/research/handlers.ts",
        from: '    if (!source || (shared && source.via === "library")) throw sessionNotFound();\n',
        to: "    if (!source) throw sessionNotFound();\n",
      },
    ],
    tests: LIMITS,
    title: "shared session is read",
  },
  {
    id: "RS30",
    what: "a question is asked back once",
    edits: [
      {
        file: "shared/research/plan/clarify.ts",
        from: "wasAsked ? undefined : clarificationOf(question, earlier, language)",
        to: "(void wasAsked, clarificationOf(question, earlier, language))",
      },
    ],
    tests: LIMITS,
    title: "asked back once",
  },
  {
    id: "RS39",
    what: "a session runs one question at a time, by either of two checks",
    edits: [
      {
        file: "api/research/start-run.ts",
        from: 'if (session.run.status === "running" && session.run.id !== runId)',
        to: 'if (session.run.status === "running" && session.run.id === "")',
      },
      {
        file: "api/research/store.ts",
        from: '"run.status": { in: ["idle", "done", "stopped", "failed"] } }',
        to: '"run.status": { in: ["idle", "done", "stopped", "failed", "running"] } }',
      },
    ],
    tests: WEB,
    title: "two questions at once",
  },
  {
    id: "RS40",
    what: "a notice outside of the tab comes only while that is not focused",
    edits: [{ file: "webapp/research/research-outcome.ts", from: "document.hasFocus() || ", to: "" }],
    tests: FOLLOWING,
    title: "notified outside",
  },
  {
    id: "RS41",
    what: "a notice outside of the tab comes only with permission",
    edits: [
      { file: "webapp/research/research-outcome.ts", from: ' || getNotificationPermission() !== "granted"', to: "" },
    ],
    tests: FOLLOWING,
    title: "notified outside",
  },
  {
    id: "RS42",
    what: "a screen follows a run for twelve minutes",
    edits: [
      {
        file: "webapp/research/open-session.ts",
        from: "AbortSignal.any([this.#abort.signal, AbortSignal.timeout(RESEARCH_ABORT_MS)])",
        to: "AbortSignal.any([this.#abort.signal, AbortSignal.timeout(RESEARCH_ABORT_MS * 100)])",
      },
    ],
    tests: FOLLOWING,
    title: "twelve minutes",
  },
  {
    id: "RS43",
    what: "only a section that is written can be rewritten",
    edits: [
      {
        file: "api/research/handlers.ts",
        from: 'if (!content?.sections.some(({ id, status }) => id === section && status === "written"))',
        to: 'if (!content?.sections.some(({ id }) => id !== "" || section === ""))',
      },
    ],
    tests: IN_LIBRARY,
    title: "only a section that is written",
  },
  {
    id: "RS44",
    what: "figures that disagree are not stated before they are shown side by side",
    edits: [
      {
        file: "shared/research/canvas-blocks.ts",
        from: "block.sentences.filter((sentence) => !isSide(sentence)),",
        to: "block.sentences,",
      },
      {
        file: "shared/research/canvas-blocks.ts",
        from: "replaceFirst(blocks, pair, isSide) ?? [...blocks, { pair }]",
        to: "[...blocks, { pair }]",
      },
    ],
    tests: "tests/research/side-by-side.test.ts",
    title: "only side by side",
  },
  {
    id: "RS47",
    what: "what a model wrote stays if it fails later",
    edits: [
      {
        file: "api/research/run/task-evidence.ts",
        from: "const byModel = new Set(state.writtenByModel);",
        to: "const byModel = new Set(state.writtenByModel?.slice(0, 0));",
      },
    ],
    tests: MODEL,
    title: "fails late",
  },
];
