import type { Node as PmNode } from "@tiptap/pm/model";
import type { Component } from "#shared/pages/schema.ts";
import { baselineOf, deriveChanges, isUnchanged, type Baseline, type Changes } from "../editor/changes.ts";

const idsWrittenIn = (changes: Changes | undefined): string[] => [
  ...(changes?.created ?? []).map(({ block }) => block._id),
  ...(changes?.updated ?? []).map(({ _id }) => _id),
];

/** Edits that only the editor has: unsaved, or being written to the queue. */
interface Own {
  written: ReadonlySet<string>;
  deleted: ReadonlySet<string>;
  /** Deleted blocks whose deletion is not queued yet. */
  toDelete: readonly string[];
}

/** Tracks which blocks are saved, and the base version of each component's edits. */
export class KeptPage {
  readonly versions = new Map<string, number>();
  #baseline: Baseline = { order: [], nodes: new Map() };
  readonly #underway: () => Changes | undefined;

  constructor(underway: () => Changes | undefined) {
    this.#underway = underway;
  }

  open(doc: PmNode, ids: ReadonlySet<string>): void {
    this.#baseline = baselineOf(doc, ids);
  }

  holds(componentId: string): boolean {
    return this.#baseline.nodes.has(componentId);
  }

  /** Whether a block has edits that are not in the queue yet. */
  isOwn(componentId: string, node: PmNode): boolean {
    const kept = this.#baseline.nodes.get(componentId);
    if (kept !== node && kept?.eq(node) !== true) return true;
    return idsWrittenIn(this.#underway()).includes(componentId);
  }

  own(doc: PmNode): Own {
    const { changes } = deriveChanges(doc, this.#baseline);
    const underway = this.#underway();
    return {
      written: new Set([...idsWrittenIn(changes), ...idsWrittenIn(underway)]),
      deleted: new Set([...changes.deleted, ...(underway?.deleted ?? [])]),
      toDelete: changes.deleted,
    };
  }

  /** All changes that are not stored on this device yet, oldest first. */
  unkept(doc: PmNode): Changes[] {
    const { changes } = deriveChanges(doc, this.#baseline);
    const underway = this.#underway();
    return underway ? [underway, changes] : [changes];
  }

  learnVersions(components: readonly Component[], own?: Own): void {
    for (const { _id, version } of components) if (!own?.written.has(_id)) this.versions.set(_id, version);
  }

  learnVersion(componentId: string, version: number): void {
    this.versions.set(componentId, Math.max(version, this.versions.get(componentId) ?? 0));
  }

  keepNode(componentId: string, node: PmNode): void {
    this.#baseline.nodes.set(componentId, node);
  }

  /** The server adds a new component at the end; the next saved order moves it to its position here. */
  addStored(componentId: string, node: PmNode): void {
    const { order, nodes } = this.#baseline;
    this.#baseline = { order: [...order, componentId], nodes: new Map(nodes).set(componentId, node) };
  }

  /** Accepts the incoming page as saved, except for local edits that still have to be sent. */
  settle(doc: PmNode, ids: ReadonlySet<string>, { written, toDelete }: Own): void {
    const next = baselineOf(doc, ids);
    for (const id of written) {
      const kept = this.#baseline.nodes.get(id);
      if (kept) next.nodes.set(id, kept);
      else next.nodes.delete(id);
    }
    const order = next.order.filter((id) => next.nodes.has(id));
    for (const id of toDelete) if (ids.has(id)) order.push(id);
    this.#baseline = { order, nodes: next.nodes };
  }

  /** Marks all changes since the last call as saved; `putBack` reverts that. */
  take(doc: PmNode): { changes: Changes; putBack(): void } | undefined {
    const before = this.#baseline;
    const { changes, next } = deriveChanges(doc, before);
    if (isUnchanged(changes)) return undefined;
    this.#baseline = next;
    const putBack = () => {
      const { nodes } = this.#baseline;
      for (const { block } of changes.created) nodes.delete(block._id);
      for (const id of [...changes.updated.map((block) => block._id), ...changes.deleted]) {
        const node = before.nodes.get(id);
        if (node) nodes.set(id, node);
      }
      this.#baseline = { order: before.order, nodes };
    };
    return { changes, putBack };
  }
}
