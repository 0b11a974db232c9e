import type { Protection } from "./protection.ts";

/** Protections of models, speech, payments and files. */
export const services: readonly Protection[] = [
  {
    id: "R-F11",
    what: "cards that came before the end of the connection are kept",
    edits: [
      {
        file: "api/ai/openai/server-call.ts",
        from: '  let waiting = "";\n',
        to: `  for await (const chunk of response.iterator({ destroyOnReturn: false })) {
    timer.refresh();
    yield chunk as string;
  }
  if (response.readableEnded) return;
  let waiting = "";
`,
      },
    ],
    tests: "tests/ai/ai-hosted.test.ts",
    title: "however slowly",
  },
  {
    id: "R-F12",
    what: "the documented status is the row's",
    edits: [
      {
        file: "api/http/openapi.ts",
        from: 'row.kind === "json" ? (row.status ?? 200) : 200',
        to: "(void row, 200)",
      },
    ],
    tests: "tests/admin/api.test.ts",
    title: "documented with 202",
  },
  {
    id: "R-F13",
    what: "captions are repaired before they are parsed",
    edits: [{ file: "shared/video/captions.ts", from: "parseText(repairCueTimes(lines),", to: "parseText(lines," }],
    tests: "tests/video/rules.test.ts",
    title: "as other players",
  },
  {
    id: "R-F13b",
    what: "an AVIF picture is named in its refusal",
    edits: [
      {
        file: "shared/uploads/rules.ts",
        from: '  if (isAvif(file.head)) return { reason: "file_type_avif" };\n',
        to: "",
      },
    ],
    tests: "tests/pdf/rules.test.ts",
    title: "AVIF",
  },
  {
    id: "R11",
    what: "a question without an answer is refunded",
    edits: [
      {
        file: "api/tutor/answer-job.ts",
        from: "    if (message && isEmpty) await refundUsage",
        to: "    if (message && !message && isEmpty) await refundUsage",
      },
    ],
    tests: "tests/tutor/bad-input.test.ts",
    title: "refunded|isn't counted",
  },
  {
    id: "R16",
    what: "after three failures the socket rests for 30 s",
    edits: [
      {
        file: "shared/website/chat-connection.ts",
        from: "const BREAKER_FAILURES = 3;",
        to: "const BREAKER_FAILURES = 300;",
      },
    ],
    tests: "tests/website/chat.test.ts",
    title: "breaker",
  },
  {
    id: "R17",
    what: "only the latest query of the payment provider sets the plan",
    edits: [
      {
        file: "api/billing/store.ts",
        from: '      { _id: own.ownerId, "billing.refreshCount": refreshCount },',
        to: "      { _id: own.ownerId },",
      },
    ],
    tests: "tests/billing/events.test.ts",
    title: "the one that began last",
  },
  {
    id: "ISSUER",
    what: "the signature of an identity token is checked",
    edits: [
      {
        file: "api/auth/sign-in-issuers.ts",
        from: "const execute = [oidc.enableNonRepudiationChecks, ",
        to: "const execute = [",
      },
    ],
    tests: "tests/auth/oauth.test.ts",
    title: "an identity token",
  },
  {
    id: "R12",
    what: "a card whose JSON is broken is repaired",
    edits: [
      {
        file: "api/ai/openai/object-reader.ts",
        from: "[JSON.parse, (broken: string) => JSON.parse(jsonrepair(broken)) as unknown]",
        to: "[JSON.parse]",
      },
      { file: "api/ai/openai/object-reader.ts", from: "return parseUnescapedFields(text);", to: "return undefined;" },
    ],
    tests: "tests/flashcards/bad-answers.test.ts",
  },
];
