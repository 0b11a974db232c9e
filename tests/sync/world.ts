import { seededRandom } from "#tests/kit/random.ts";
import type { DocumentStore } from "#api/store/port.ts";
import type { PageState } from "#shared/sync/overlay.ts";
import type { ResourceGroup } from "#shared/sync/batching.ts";
import type { SyncAnswer, SyncRequest } from "#shared/sync/schema.ts";
import { memoryStorage, type SyncStorage } from "#shared/sync/store.ts";
import type { Lock } from "#shared/sync/flusher.ts";
import { aCard, aChange, deckComponent, textComponent } from "#tests/store/changes.ts";
import { fakeTimers } from "./fake-timers.ts";
import { makeChannels, makeLock, SimulatedTab, type Shown } from "./simulated-client.ts";
import { ACCOUNT, requestsOf, simulatedServer, type Server, type WrapServe } from "./simulated-server.ts";

export const TABS_PER_BROWSER = 2;
export const PAGES = ["page-one-00", "page-two-00"] as const;
const HOUR_MS = 3_600_000;
const LATENCY_MS = 40;

/** How the network treats one call. */
export type CallOutcome =
  | { kind: "fine" | "lost request" | "lost answer" | "doubled" | "refused for now" }
  /** Arrives after its sender gave up, or a second time after it was answered. */
  | { kind: "late" | "again later"; delayMs: number }
  | { kind: "crash"; afterWrites: number };

export type Op =
  | { kind: "type" | "delete" | "restore" | "add card" | "change card" | "remove card"; tab: number; pick: number }
  | { kind: "create" | "sort" | "move" | "reload"; tab: number; pick: number }
  | { kind: "title"; tab: 0; pick: number }
  | { kind: "wait"; ms: number }
  | { kind: "kill"; browser: number }
  | { kind: "skew"; browser: number; hours: number }
  | { kind: "network"; browser: number; fates: CallOutcome[] };

/** Replaces parts of the protection; without a field the product's own part is used. */
export interface Mutation {
  serve?: WrapServe;
  storage?: (
    disk: SyncStorage,
    schedule: (work: () => void, delayMs: number) => () => void,
  ) => {
    storage: SyncStorage;
    crash: () => void;
  };
  lock?: Lock;
}

const networkDown = () => new TypeError("fetch failed");

interface Browser {
  clientId: string;
  disk: SyncStorage;
  storage: SyncStorage;
  crash: () => void;
  lock: Lock;
  channels: ReturnType<typeof makeChannels>;
  tabs: SimulatedTab[];
  calls: Map<SimulatedTab, number>;
  fates: CallOutcome[];
  skewMs: number;
  starts: number;
}

/** Two browsers of one student with two tabs each, one server, and an unreliable network. */
export class World {
  readonly timers = fakeTimers(1_700_000_000_000, () => this.server.isBusy());
  readonly server: Server;
  readonly browsers: Browser[];
  readonly broken: string[] = [];
  /** For each component, the ids of the requests that sent content for it. */
  readonly contentRequests = new Map<string, Set<string>>();
  readonly #serve: (requests: readonly SyncRequest[]) => Promise<SyncAnswer>;

  constructor(mutation: Mutation, documents: DocumentStore) {
    this.server = simulatedServer(this.timers.clock, documents);
    const { schedule } = this.timers;
    const serve = (requests: readonly SyncRequest[]) => this.server.apply(requests);
    this.#serve = mutation.serve?.(this.server, serve) ?? serve;
    this.browsers = ["laptop", "phone"].map((clientId) => {
      const disk = memoryStorage(clientId);
      const { storage, crash } = mutation.storage?.(disk, schedule) ?? { storage: disk, crash: () => undefined };
      const channels = makeChannels(schedule);
      const lock = mutation.lock ?? makeLock();
      const fresh = { tabs: [], calls: new Map(), fates: [], skewMs: 0, starts: 0 };
      return { clientId, disk, storage, crash, lock, channels, ...fresh };
    });
  }

  /** Creates two pages with two texts and a deck, and opens them in every tab. */
  async begin(): Promise<void> {
    const [first, second] = PAGES;
    const made = [
      ...PAGES.map((page) => aChange("page_create", page, { title: "start", createdAt: 1 })),
      aChange("component_create", "text-one-00", textComponent("text-one-00", first, "start-1")),
      aChange("component_create", "text-two-00", textComponent("text-two-00", second, "start-2")),
      aChange("component_create", "deck-one-00", deckComponent("deck-one-00", first, [aCard("card-0", "start-3")])),
    ];
    await this.server.apply(made.map((request) => ({ ...request, clientId: "desktop" })) as unknown as SyncRequest[]);
    for (const browser of this.browsers) await this.#openTabs(browser);
  }

  tab(index: number): { tab: SimulatedTab; browser: Browser } {
    const browser = this.browsers[Math.floor(index / TABS_PER_BROWSER)] as Browser;
    return { browser, tab: browser.tabs[index % TABS_PER_BROWSER] as SimulatedTab };
  }

  async #openTabs(browser: Browser): Promise<void> {
    browser.tabs = [0, 1].map((index) => {
      browser.starts += 1;
      const tab: SimulatedTab = new SimulatedTab({
        storage: browser.storage,
        lock: browser.lock,
        channel: browser.channels.open(),
        pageIds: PAGES,
        random: seededRandom(browser.starts * 7919 + index + browser.clientId.length * 104_729),
        clock: { now: () => this.timers.clock.now() + browser.skewMs },
        schedule: this.timers.schedule,
        send: (batches) => this.#send(browser, tab, batches),
      });
      return tab;
    });
    await Promise.all(browser.tabs.map((tab) => tab.queue.start()));
    for (const tab of browser.tabs) tab.show(await this.states());
  }

  /** Kills a whole browser, of which only the disk survives, and opens its tabs again. */
  async kill(browserIndex: number): Promise<void> {
    const browser = this.browsers[browserIndex] as Browser;
    for (const tab of browser.tabs) tab.kill();
    browser.channels.closeAll();
    browser.crash();
    await this.#openTabs(browser);
  }

  async states(): Promise<ReadonlyMap<string, PageState>> {
    const states = await Promise.all(PAGES.map(async (id) => [id, await this.server.readPage(id)] as const));
    return new Map(states);
  }

  skew(browserIndex: number, hours: number): void {
    (this.browsers[browserIndex] as Browser).skewMs = hours * HOUR_MS;
  }

  #later(delayMs: number, requests: readonly SyncRequest[]): void {
    this.timers.schedule(() => void this.#serve(requests).catch(() => undefined), delayMs);
  }

  #sleep(): Promise<void> {
    return new Promise((resolve) => void this.timers.schedule(resolve, LATENCY_MS));
  }

  async #send(browser: Browser, tab: SimulatedTab, batches: readonly ResourceGroup[]): Promise<SyncAnswer> {
    const requests = structuredClone(requestsOf(batches));
    await this.#checkSend(browser, requests);
    const busy = browser.tabs.filter((open) => open.isAlive && (browser.calls.get(open) ?? 0) > 0);
    if (busy.length > 0) this.broken.push("two calls of one browser were in flight at once");
    browser.calls.set(tab, 1);
    try {
      await this.#sleep();
      const answer = await this.#deliver(browser.fates.shift() ?? { kind: "fine" }, requests);
      await this.#sleep();
      return structuredClone(answer);
    } finally {
      browser.calls.delete(tab);
    }
  }

  async #checkSend(browser: Browser, requests: readonly SyncRequest[]): Promise<void> {
    const onDisk = new Map((await browser.disk.list(ACCOUNT)).map((item) => [item.request.id, item]));
    for (const { id, type, resourceId } of requests) {
      if (type !== "component_content_update" && type !== "component_create") continue;
      this.contentRequests.set(resourceId, (this.contentRequests.get(resourceId) ?? new Set()).add(id));
    }
    for (const { id } of requests)
      if ((onDisk.get(id)?.sentCount ?? 0) === 0)
        this.broken.push("a request was sent that the disk did not list as sent");
  }

  async #deliver(fate: CallOutcome, requests: readonly SyncRequest[]): Promise<SyncAnswer> {
    switch (fate.kind) {
      case "fine":
        return this.#serve(requests);
      case "lost request":
        throw networkDown();
      case "lost answer":
        await this.#serve(requests);
        throw networkDown();
      case "doubled":
        return (await Promise.all([this.#serve(requests), this.#serve(requests)]))[0];
      case "late":
        this.#later(fate.delayMs, requests);
        throw networkDown();
      case "again later":
        this.#later(fate.delayMs, requests);
        return this.#serve(requests);
      case "crash":
        await this.server.crashAfter(fate.afterWrites, () => this.#serve(requests));
        throw networkDown();
      case "refused for now":
        throw Object.assign(new Error("busy"), { status: 503, code: "shutting_down" });
      default:
        return fate satisfies never;
    }
  }

  /** Lets every call through from now on, and waits until nothing is left to send. */
  async heal(): Promise<void> {
    for (const browser of this.browsers) browser.fates = [];
    for (let rounds = 0; rounds < 12; rounds += 1) {
      await this.timers.advance(120_000);
      const isDone = this.browsers.every((browser) => browser.tabs.every((tab) => tab.queue.status().unsaved === 0));
      if (isDone && rounds > 0) return;
    }
  }
}

export const shownText = ({ content }: Shown): string =>
  (content["text"] as { content: string }[] | undefined)?.[0]?.content ?? "";
