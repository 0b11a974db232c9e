import { createHash } from "node:crypto";
import { isNearCopy, shinglesOf } from "#shared/research/evidence/copies.ts";
import type { EvidencePassage } from "#shared/research/evidence/select-sentences.ts";
import type { LedgerSource, SnapshotPassage } from "#shared/research/schema.ts";
import type { Own } from "#api/store/owned-store.ts";
import { findSnapshot, saveSnapshot } from "../store.ts";
import type { PooledPassage, ResearchDraft } from "./run-state.ts";

interface GatheredSource {
  key: string;
  ledger: Omit<LedgerSource, "n" | "sha256" | "copyOf">;
  passages: SnapshotPassage[];
}

/** A larger snapshot is cut: no canvas quotes that much of one source. */
const MAX_SNAPSHOT_CHARS = 400_000;

const hashOf = (passages: readonly SnapshotPassage[]) =>
  createHash("sha256")
    .update(passages.map(({ text }) => text).join("\n"))
    .digest("hex");

function limitSnapshot(passages: readonly SnapshotPassage[]): SnapshotPassage[] {
  let chars = 0;
  return passages.filter(({ text }) => (chars += text.length) <= MAX_SNAPSHOT_CHARS);
}

/** The ledger of a run with its snapshots, which are stored before anything is quoted from them. */
export class GatheredSources {
  readonly #own: Own;
  readonly #sessionId: string;
  readonly #draft: ResearchDraft;
  readonly #snapshots = new Map<number, SnapshotPassage[]>();

  constructor(own: Own, sessionId: string, draft: ResearchDraft) {
    this.#own = own;
    this.#sessionId = sessionId;
    this.#draft = draft;
  }

  /** The stored passages of a source. */
  async snapshot(n: number): Promise<readonly SnapshotPassage[]> {
    const cached = this.#snapshots.get(n);
    if (cached) return cached;
    const stored = (await findSnapshot(this.#own, this.#sessionId, n))?.passages ?? [];
    this.#snapshots.set(n, stored);
    return stored;
  }

  /** Forgets what is in memory, so that the next read comes from the store. */
  reload(): void {
    this.#snapshots.clear();
  }

  numberOf(key: string): number | undefined {
    return this.#draft.state.keys[key];
  }

  /** Adds a source, or passages to one that is there; returns its entry in the ledger. */
  async add({ key, ledger, passages }: GatheredSource): Promise<LedgerSource> {
    const { state } = this.#draft;
    const n = state.keys[key] ?? state.sources.length + 1;
    const before = state.sources.find((source) => source.n === n);
    const earlier = before ? await this.snapshot(n) : [];
    const knownIds = new Set(earlier.map(({ id }) => id));
    const all = limitSnapshot([...earlier, ...passages.filter(({ id }) => !knownIds.has(id))]);
    if (all.length > 0) await saveSnapshot(this.#own, { sessionId: this.#sessionId, n, key, passages: all });
    this.#snapshots.set(n, all);
    state.keys = { ...state.keys, [key]: n };
    const copyOf = await this.#findOriginal(n, all);
    const source: LedgerSource = {
      ...ledger,
      n,
      sha256: all.length === 0 ? "" : hashOf(all),
      copyOf,
      status: copyOf === null ? ledger.status : "copy",
      fetchedAt: before?.fetchedAt ?? ledger.fetchedAt,
    };
    this.#draft.putSource(source);
    if (!before && passages.length > 0) state.run = { ...state.run, pagesRead: state.run.pagesRead + 1 };
    return source;
  }

  /** The earlier source of which this one is a copy. */
  async #findOriginal(n: number, passages: readonly SnapshotPassage[]): Promise<number | null> {
    const shingles = shinglesOf(passages.map(({ text }) => text).join(" "));
    for (const other of this.#draft.state.sources) {
      if (other.n >= n || other.copyOf !== null || other.sha256 === "") continue;
      const text = (await this.snapshot(other.n)).map((passage) => passage.text).join(" ");
      if (isNearCopy(shingles, shinglesOf(text))) return other.n;
    }
    return null;
  }

  /** The pooled passages with their text; those of copies count only once. */
  async evidence(pool: readonly PooledPassage[]): Promise<EvidencePassage[]> {
    const evidence: EvidencePassage[] = [];
    for (const { source: n, passageId, score } of pool) {
      const source = this.#draft.state.sources.find((one) => one.n === n);
      if (!source || source.copyOf !== null || source.isRetracted) continue;
      const passage = (await this.snapshot(n)).find(({ id }) => id === passageId);
      if (!passage) continue;
      const context = `${source.title} ${passage.heading ?? ""}`;
      evidence.push({ source: n, passageId, text: passage.text, context, score });
    }
    return evidence;
  }
}
