import "fake-indexeddb/auto";
import { createMemoryHistory, RouterProvider } from "@tanstack/react-router";
import { cleanup, render } from "@testing-library/react";
import { Provider } from "jotai/react";
import { onTestFinished } from "vitest";
import { NoResponseError, type Transport } from "#shared/client/client.ts";
import type { Endpoint, EventOf, Output } from "#shared/contract/endpoint.ts";
import { Failure, type FailureCode } from "#shared/contract/failure.ts";
import { frameEvent } from "#shared/contract/framing.ts";
import { v1 } from "#shared/contract/v1.ts";
import { announcements } from "#shared/marketing/announcements.ts";
import { Preferences, type User } from "#shared/user/schema.ts";
import { alertsAtom, dismissAlert } from "#webapp/app/alerts.ts";
import { setTransport } from "#webapp/app/client.ts";
import { startSession } from "#webapp/app/session/session.ts";
import { store } from "#webapp/app/store.ts";
import { clearToken, writeToken } from "#webapp/app/session/token.ts";
import { connectNavigation, createAppRouter } from "#webapp/routes/router.tsx";
import { replyWith } from "./reply.ts";

type Table = typeof v1;
type Sent = Readonly<Record<string, unknown>>;
/** The contract's output, or the events of a stream. */
type AnswerOf<E extends Endpoint> = Output<E> | EventOf<E>[];
/** The server's answers by call, computed from the input, or a thrown failure. A call that is left aborts `signal`. */
export type Answers = {
  [F in keyof Table]?: {
    [E in keyof Table[F]]?: (
      sent: Sent,
      signal?: AbortSignal,
    ) => MaybePromise<AnswerOf<Extract<Table[F][E], Endpoint>>>;
  };
};
type MaybePromise<T> = T | Promise<T>;

export const ada: User = {
  _id: "01JD0000000000000000000ADA",
  name: "Ada",
  email: "ada@example.org",
  timezone: "Europe/London",
  profilePictureUrl: null,
  // The announcements count as read: their dialog would cover every screen.
  seenFeatures: announcements.map(({ id }) => id),
  onboardingComplete: true,
  plan: { type: "FREE", endAt: null, paused: false, pausedUntil: null },
  authProvider: "EMAIL_PASSWORD",
  isAdmin: false,
  emailVerified: true,
  hasPassword: true,
  createdAt: 0,
};

/** Ada as an administrator. */
export const asAdmin: NonNullable<Answers["auth"]> = {
  getUser: () => ({ user: { ...ada, isAdmin: true }, organization: null, tempToken: "temp" }),
};

/** The answers for Ada's empty account. */
const usual: Answers = {
  auth: {
    getUser: () => ({ user: ada, organization: null, tempToken: "temp" }),
    logout: () => ({ success: true }),
    listSessions: () => ({ sessions: [] }),
    getEntry: () => ({ registration: "open", google: false, apple: false, mail: true }),
  },
  admin: { listAccesses: () => ({ accesses: [], next: null }) },
  user: {
    getReferral: () => ({ code: "FRIEND", link: "https://study.example/?ref=FRIEND", credited: 2 }),
    getPreferences: () => Preferences.parse({ sidebar: { minimized: false } }),
    savePreferences: (sent) => Preferences.parse(sent),
    getUsage: () => ({
      userId: ada._id,
      period: "2026-11-20",
      assistantMessages: 0,
      researchMessages: 0,
      totalCardsStudied: 0,
      fileUploads: 0,
      podcastCreations: 0,
      autocompleteWords: 0,
      createdAt: 0,
    }),
    getStreak: () => ({
      user: ada._id,
      currentStreak: 0,
      longestStreak: 0,
      lastStudied: null,
      createdAt: 0,
      updatedAt: 0,
    }),
  },
  pages: { getContent: () => ({ content: { pages: [], components: [], podcasts: [] } }) },
  study: { getDue: () => ({ decks: [] }) },
  library: { listFolders: () => ({ folders: [] }), getFavorites: () => ({ favorites: [] }) },
};

function nameOf(endpoint: Endpoint): [string, string] {
  for (const [feature, rows] of Object.entries(v1))
    for (const [name, row] of Object.entries(rows)) if (row === endpoint) return [feature, name];
  throw new Error(`${endpoint.path} is not in the contract`);
}

type Loose = Record<string, Record<string, ((sent: Sent, signal?: AbortSignal) => unknown) | undefined> | undefined>;

/** Answers calls through the contract's schemas, so that screens are tested only with possible answers. */
function transportOf(answers: Answers, calls: string[]): Transport {
  return async ({ endpoint, path, body, signal }) => {
    const [feature, name] = nameOf(endpoint);
    calls.push(`${feature}.${name}`);
    const answer = (answers as Loose)[feature]?.[name] ?? (usual as Loose)[feature]?.[name];
    if (!answer) throw new NoResponseError("network");
    const asked = Object.fromEntries(new URL(path, "http://here").searchParams);
    const sent = body.kind === "json" ? (JSON.parse(body.text) as Sent) : asked;
    const value = await answer(sent, signal);
    const isStream = "event" in endpoint && Array.isArray(value);
    const output = "output" in endpoint && !isStream ? endpoint.output.parse(value) : value;
    const text = isStream ? value.map(frameEvent).join("") : JSON.stringify(output);
    return replyWith(text);
  };
}

export const refuse = (code: FailureCode, message: string, data?: Record<string, unknown>): never => {
  throw new Failure(code, { message }, undefined, data);
};

export const noNetwork = (): never => {
  throw new NoResponseError("network");
};

interface OpenOptions {
  answers?: Answers;
  /** Whether this browser has Ada's token. */
  signedIn?: boolean;
}

/** The whole web app at an address, in a new browser. */
export async function openApp(path: string, { answers = {}, signedIn = false }: OpenOptions = {}) {
  const calls: string[] = [];
  setTransport(transportOf(answers, calls));
  if (signedIn) writeToken("session-token");
  const router = createAppRouter(createMemoryHistory({ initialEntries: [path] }));
  connectNavigation(router);
  await router.load();
  const view = render(
    <Provider store={store}>
      <RouterProvider router={router} />
    </Provider>,
  );
  onTestFinished(async () => {
    cleanup();
    clearToken();
    localStorage.clear();
    sessionStorage.clear();
    for (const { id } of store.get(alertsAtom)) dismissAlert(id);
    await startSession();
  });
  return { ...view, router, calls, address: () => router.state.location.href };
}
