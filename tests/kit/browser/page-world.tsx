import { render, waitFor } from "@testing-library/react";
import { Provider } from "jotai/react";
import type { BodyContent, Call, Transport } from "#shared/client/client.ts";
import { NoResponseError } from "#shared/client/client.ts";
import { Failure } from "#shared/contract/failure.ts";
import { frameEvent } from "#shared/contract/framing.ts";
import { buildPage } from "#shared/pages/present.ts";
import { Component, type Page } from "#shared/pages/schema.ts";
import { SyncRequest, type SyncRequestOf } from "#shared/sync/schema.ts";
import { DeckBlock } from "#webapp/flashcards/deck/deck-block.tsx";
import { CardMakerDialog } from "#webapp/flashcards/parts/card-maker/card-maker-dialog.tsx";
import { setTransport } from "#webapp/app/client.ts";
import { setUser } from "#webapp/app/session/session.ts";
import { store } from "#webapp/app/store.ts";
import { PageScreen, type MakerRequest } from "#webapp/pages/page-screen.tsx";
import { FileBlock } from "#webapp/pages/parts/blocks/file-block.tsx";
import { openPageAtom } from "#webapp/pages/session/open-page.ts";

// The test environment's version never reports anything, so no block would count as visible.
Reflect.deleteProperty(globalThis, "IntersectionObserver");

const NOW = Date.UTC(2026, 8, 1, 12);
let accounts = 0;

type Answer = (call: Call) => unknown;

/** A minimal server for one page: it applies synced changes and logs its calls. */
export class PageWorld {
  readonly requests: SyncRequest[] = [];
  readonly calls: { path: string; form: Record<string, string> }[] = [];
  /** The paths of all calls in order; for syncs, their request types. */
  readonly log: string[] = [];
  isReachable = true;
  page: Page;
  components: Component[];
  /** Answers by path prefix; an array is a stream of events. */
  readonly answers = new Map<string, Answer>();

  constructor(components: Pick<Component, "_id" | "type" | "content">[] = []) {
    accounts += 1;
    const asked = { type: "page_create", resourceId: "page-1", data: { title: "Biology", createdAt: NOW } } as const;
    const request = { id: "0123456789", clientId: "a", seq: 1, createdAt: NOW, ...asked };
    const base = { pageId: "page-1", createdAt: NOW, modifiedAt: NOW, createdBy: "ada", version: 1 };
    this.components = components.map((each) => Component.parse({ ...base, ...each }));
    this.page = {
      ...buildPage(SyncRequest.parse(request) as SyncRequestOf<"page_create">, "ada"),
      components: components.map(({ _id }) => _id),
    };
    setTransport(async (call) => this.#carry(call));
    const more = { timezone: "UTC", profilePictureUrl: null, seenFeatures: [], onboardingComplete: true };
    const plan = { type: "FREE", endAt: null, paused: false, pausedUntil: null } as const;
    const name = { _id: `writer-${accounts}`, name: "Ada", email: "ada@example.org", isAdmin: false, createdAt: NOW };
    const address = { emailVerified: true, hasPassword: true };
    setUser({ ...name, ...address, ...more, plan, authProvider: "EMAIL_PASSWORD" });
  }

  #carry(call: Call) {
    if (!this.isReachable) throw new NoResponseError("network");
    const answer = this.#answer(call);
    const events = Array.isArray(answer) ? answer : [];
    return {
      text: async () => JSON.stringify(answer),
      blob: async () => new Blob(),
      async *pieces() {
        for (const event of events) {
          if (event instanceof Error) throw event;
          yield frameEvent(event);
        }
      },
    };
  }

  /** Answers calls as usual, but delays those for which `selectDelayed` returns a list until their entry is called. */
  transportAfter(selectDelayed: (call: Call) => (() => void)[] | false): Transport {
    return async (call) => {
      const delayedList = selectDelayed(call);
      if (delayedList) await new Promise<void>((release) => delayedList.push(release));
      return this.#carry(call);
    };
  }

  #answer(call: Call): unknown {
    const { path, body } = call;
    this.calls.push({ path, form: fieldsOf(body) });
    if (path.startsWith("/v1/sync/digest")) return { pages: [] };
    if (path.startsWith("/v1/sync")) return this.#take(body);
    this.log.push(path);
    const known = [...this.answers].find(([start]) => path.startsWith(start))?.[1];
    if (known) return known(call);
    if (path === "/v1/pages/page-1") return { page: this.page, components: this.components };
    if (path.startsWith("/v1/flashcards/generation")) return { generations: [] };
    if (path.startsWith("/v1/user/usage")) return {};
    throw new Failure("not_found", "no_item");
  }

  #take(body: BodyContent) {
    const { batches } = JSON.parse(body.kind === "json" ? body.text : "{}") as { batches: { requests: unknown[] }[] };
    const requests = batches.flatMap((batch) => batch.requests.map((request) => SyncRequest.parse(request)));
    this.requests.push(...requests);
    this.log.push(...requests.map(({ type }) => type));
    return { success: requests.map(({ id }) => id), num_failed: 0, failed: [], parcels: [], versions: [] };
  }

  sent<T extends SyncRequest["type"]>(type: T): SyncRequestOf<T>[] {
    return this.requests.filter((request): request is SyncRequestOf<T> => request.type === type);
  }
}

function fieldsOf(body: BodyContent): Record<string, string> {
  if (body.kind !== "form") return {};
  return Object.fromEntries(
    [...body.form].map(([key, value]) => [key, typeof value === "string" ? value : value.name]),
  );
}

export const paragraph = (id: string, text: string) => ({
  _id: id,
  type: "text" as const,
  content: {
    text: [{ content: text }],
    subType: "normal" as const,
    metadata: { indents: 0, highlightColor: null },
  },
});

/** Renders the screen as its route does. */
export function showPage(pageId = "page-1", makerRequest?: MakerRequest) {
  return render(
    <Provider store={store}>
      <PageScreen
        pageId={pageId}
        kinds={{ flash_cards: DeckBlock, image: FileBlock }}
        Maker={CardMakerDialog}
        makerRequest={makerRequest}
      />
    </Provider>,
  );
}

export async function openSession() {
  return waitFor(() => {
    const open = store.get(openPageAtom);
    if (open?.state !== "ready" || !open.session.editor) throw new Error("the page is not open yet");
    return { session: open.session, editor: open.session.editor };
  });
}
