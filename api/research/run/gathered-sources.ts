import { createHash } from "node:crypto";
import { CopyIndex, type TextRelation } from "#shared/research/evidence/copies.ts";
import type { EvidencePassage, EvidenceSection } from "#shared/research/evidence/candidates.ts";
import { isBibliography } from "#shared/research/evidence/bibliographies.ts";
import { includesForm } from "#shared/research/evidence/terms/same-root.ts";
import type { LedgerSource, SnapshotPassage } from "#shared/research/schema.ts";
import { searchTerms } from "#shared/text/search-terms.ts";
import { splitSentences } from "#shared/text/sentences.ts";
import type { Own } from "#api/store/owned-store.ts";
import { findSnapshot, saveSnapshot } from "../store.ts";
import type { PooledPassage, ResearchDraft } from "./run-state.ts";

interface GatheredSource {
  key: string;
  ledger: Omit<LedgerSource, "n" | "sha256" | "copyOf">;
  passages: SnapshotPassage[];
}

/** A larger snapshot is cut, because no canvas quotes that much of one source. */
const MAX_SNAPSHOT_CHARS = 400_000;
/** Passages considered for one question. */
const MAX_EVIDENCE = 400;

const hashOf = (passages: readonly SnapshotPassage[]) =>
  createHash("sha256")
    .update(passages.map(({ text }) => text).join("\n"))
    .digest("hex");

function limitSnapshot(passages: readonly SnapshotPassage[]): SnapshotPassage[] {
  let chars = 0;
  return passages.filter(({ text }) => {
    chars += text.length;
    return chars <= MAX_SNAPSHOT_CHARS;
  });
}

/**
 * The section of each passage: the heading above it, or the section of the passage before it if that is its neighbour. A
 * text without headings has no sections.
 */
function sectionsOf(passages: readonly SnapshotPassage[]): ReadonlyMap<string, EvidenceSection> {
  const sections = new Map<string, EvidenceSection>();
  const placed = passages
    .map((passage, at) => ({ passage, position: passage.position ?? at }))
    .toSorted((a, b) => a.position - b.position);
  let current: { heading: string; start: number } | undefined;
  let last = -1;
  for (const { passage, position } of placed) {
    const { heading } = passage;
    if (heading === null && position !== last + 1) current = undefined;
    if (heading !== null && heading !== current?.heading) current = { heading, start: position };
    if (current) sections.set(passage.id, { ...current, at: position - current.start });
    last = position;
  }
  return sections;
}

/** Whether a source may be quoted: no copy of another, read, and not retracted. */
function isQuotable({ copyOf, sha256, isRetracted }: LedgerSource): boolean {
  return copyOf === null && sha256 !== "" && !isRetracted;
}

/** The ledger of a run with its snapshots, which are stored before anything is quoted from them. */
export class GatheredSources {
  readonly #own: Own;
  readonly #sessionId: string;
  readonly #draft: ResearchDraft;
  readonly #snapshots = new Map<number, SnapshotPassage[]>();
  readonly #terms = new Map<string, ReadonlySet<string>>();
  readonly #copies = new CopyIndex();

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

  /** Clears the cached snapshots, so that the next read comes from the store. */
  reload(): void {
    this.#snapshots.clear();
  }

  numberOf(key: string): number | undefined {
    return this.#draft.state.keys[key];
  }

  /** Adds a source, or adds passages to an existing source; returns its entry in the ledger. */
  async add({ key, ledger, passages }: GatheredSource): Promise<LedgerSource> {
    const { state } = this.#draft;
    // A copy of a shared session lacks some numbers.
    const n = state.keys[key] ?? Math.max(0, ...state.sources.map((source) => source.n)) + 1;
    const before = state.sources.find((source) => source.n === n);
    const earlier = before ? await this.snapshot(n) : [];
    const knownIds = new Set(earlier.map(({ id }) => id));
    const all = limitSnapshot([...earlier, ...passages.filter(({ id }) => !knownIds.has(id))]);
    if (all.length > 0) await saveSnapshot(this.#own, { sessionId: this.#sessionId, n, key, passages: all });
    this.#snapshots.set(n, all);
    state.keys = { ...state.keys, [key]: n };
    const related = await this.#listRelated(n);
    const copyOf = this.#findOriginal(n, related);
    const source: LedgerSource = {
      ...ledger,
      n,
      sha256: all.length === 0 ? "" : hashOf(all),
      copyOf,
      status: copyOf === null ? ledger.status : "copy",
      fetchedAt: before?.fetchedAt ?? ledger.fetchedAt,
    };
    this.#draft.putSource(source);
    if (copyOf === null) this.#markCopies(n, related);
    // The library is always searched, so its sources do not use up the limit.
    if (!before && passages.length > 0 && ledger.via !== "library")
      state.run = { ...state.run, pagesRead: state.run.pagesRead + 1 };
    return source;
  }

  /** The other sources that contain this one or are contained in it, and are no copies, in the order of their numbers. */
  async #listRelated(n: number): Promise<[number, TextRelation][]> {
    const { sources } = this.#draft.state;
    const indexText = async (source: number) =>
      this.#copies.put(source, (await this.snapshot(source)).map(({ text }) => text).join(" "));
    for (const other of sources) if (other.sha256 !== "" && !this.#copies.has(other.n)) await indexText(other.n);
    await indexText(n);
    const isOriginal = (other: number) => sources.some((source) => source.n === other && source.copyOf === null);
    return [...this.#copies.compare(n)].filter(([other]) => isOriginal(other)).toSorted(([a], [b]) => a - b);
  }

  #isQuoted(n: number): boolean {
    return this.#draft.state.citations.some(({ source }) => source === n);
  }

  /**
   * The source that this one is a copy of: one that contains it, or the earlier of two equal ones. A source that is
   * quoted never counts as a copy of a later one.
   */
  #findOriginal(n: number, related: readonly [number, TextRelation][]): number | null {
    const isQuoted = this.#isQuoted(n);
    const found = related.find(
      ([other, { isCopy, isOriginal }]) => isCopy && (other < n || (!isQuoted && !isOriginal)),
    );
    return found?.[0] ?? null;
  }

  /** Marks earlier sources that this longer one contains as its copies, unless they are quoted. */
  #markCopies(n: number, related: readonly [number, TextRelation][]): void {
    const { sources } = this.#draft.state;
    for (const [other, { isCopy, isOriginal }] of related) {
      if (this.#isQuoted(other) || isCopy || !isOriginal) continue;
      for (const copy of sources.filter((one) => one.n === other || one.copyOf === other))
        this.#draft.putSource({ ...copy, copyOf: n, status: "copy" });
    }
  }

  /**
   * The passages read so far that share the most words with a question, without those of copies. A passage that is not
   * in `pool` has score 0.
   */
  async findEvidence(question: string, pool: readonly PooledPassage[] = []): Promise<EvidencePassage[]> {
    const scores = new Map(pool.map(({ source, passageId, score }) => [`${source} ${passageId}`, score]));
    const wanted = [...new Set(searchTerms(question))];
    const found: (EvidencePassage & { share: number })[] = [];
    for (const { n, title } of this.#draft.state.sources.filter(isQuotable)) {
      const snapshot = await this.snapshot(n);
      const sectionOf = sectionsOf(snapshot);
      for (const { id, text, heading } of snapshot) {
        const section = sectionOf.get(id);
        const context = `${title} ${heading ?? ""}`;
        const terms = this.#termsOf(`${n} ${id}`, { context, heading: section?.heading ?? null, text });
        const share = wanted.filter((term) => includesForm(terms, term)).length;
        // A passage without a word of the question may belong to a section that is about it.
        if (share === 0 && (!section || terms.size === 0)) continue;
        const score = scores.get(`${n} ${id}`) ?? 0;
        const passage = { source: n, passageId: id, title, text, context, score, share: share + score };
        found.push({ ...passage, ...(section && { section }) });
      }
    }
    return found
      .toSorted((a, b) => b.share - a.share)
      .slice(0, MAX_EVIDENCE)
      .map(({ share: _share, ...passage }) => passage);
  }

  /** The terms of a passage; none of a list of other works, which answers nothing. */
  #termsOf(
    key: string,
    { context, heading, text }: { context: string; heading: string | null; text: string },
  ): ReadonlySet<string> {
    const known = this.#terms.get(key);
    if (known) return known;
    const sentences = () => splitSentences(text, this.#draft.language).map((sentence) => sentence.text);
    const terms = new Set(isBibliography(heading, sentences) ? [] : searchTerms(`${context} ${text}`));
    this.#terms.set(key, terms);
    return terms;
  }
}
