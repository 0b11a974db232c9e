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
        file: "shared/website/chat-timing.ts",
        from: "export const BREAKER_FAILURES = 3;",
        to: "export const BREAKER_FAILURES = 300;",
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
  {
    id: "OAUTH-STATE",
    what: "the state of a sign-in works once",
    edits: [
      {
        file: "api/auth/oauth.ts",
        from: "(await signInsCollection.remove({ _id: hashToken(state) })) === 1",
        to: "found !== undefined",
      },
    ],
    tests: "tests/auth/oauth.test.ts",
    title: "a state works once",
  },
  {
    id: "OAUTH-NONCE",
    what: "a sign-in is tied to its identity token by a nonce",
    edits: [
      { file: "api/auth/sign-in-issuers.ts", from: "    state,\n    nonce,\n", to: "    state,\n" },
      { file: "api/auth/sign-in-issuers.ts", from: "      expectedNonce: callback.nonce,\n", to: "" },
    ],
    tests: "tests/auth/oauth.test.ts",
    title: "has a state, a nonce",
  },
  {
    id: "OAUTH-PKCE",
    what: "a code works only for the server that asked for it",
    edits: [
      { file: "api/auth/sign-in-issuers.ts", from: "      pkceCodeVerifier: callback.verifier,\n", to: "" },
      {
        file: "api/auth/sign-in-issuers.ts",
        from: '    code_challenge: await oidc.calculatePKCECodeChallenge(verifier),\n    code_challenge_method: "S256",\n',
        to: "",
      },
    ],
    tests: "tests/auth/oauth.test.ts",
    title: "has a state, a nonce",
  },
  {
    id: "OPERATORS",
    what: "inputs are parsed before a handler gets them",
    edits: [
      {
        file: "api/http/mount.ts",
        from: "const input = parse(row.input, { ...koa.query, ...payload, ...pathParams(koa) });",
        to: "const input: unknown = { ...koa.query, ...payload, ...pathParams(koa) };",
      },
    ],
    tests: "tests/long/attacks/operators.test.ts",
    title: "reach no query",
  },
  {
    id: "R-F7e",
    what: "health fails while writes fail",
    edits: [
      {
        file: "api/admin/handlers.ts",
        from: 'const status = storeState === "ok" && blobState === "ok" ? "ok" : "failing";',
        to: 'const status = "ok" as const;',
      },
    ],
    tests: "tests/store/faults/store-busy.test.ts",
    title: "return 503 within two seconds",
  },
  {
    id: "R-F12b",
    what: "every endpoint's documentation names a full disk",
    edits: [{ file: "api/http/openapi.ts", from: '"store_unavailable", "storage_full"]', to: '"store_unavailable"]' }],
    tests: "tests/admin/api.test.ts",
    title: "lists every endpoint",
  },
];
