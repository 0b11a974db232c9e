import type { Node as PmNode } from "@tiptap/pm/model";
import type { Component } from "#shared/pages/schema.ts";
import {
  advanceBaseline,
  createBaseline,
  deriveChanges,
  isUnchanged,
  type Baseline,
  type Changes,
} from "../editor/changes.ts";

const listWrittenIds = (changes: Changes | undefined): string[] => [
  ...(changes?.created ?? []).map(({ block }) => block._id),
  ...(changes?.updated ?? []).map(({ _id }) => _id),
];

/** Edits that only the editor has: unsaved, or being written to the queue. */
interface LocalEdits {
  written: ReadonlySet<string>;
  deleted: ReadonlySet<string>;
  /** Deleted blocks whose deletion is not queued yet. */
  unsentDeletions: readonly string[];
}

/** Tracks which blocks are saved, and the base version of each component's edits. */
export class DirtyTracking {
  readonly versions = new Map<string, number>();
  #baseline: Baseline = { order: [], nodes: new Map() };
  readonly #inFlight: () => Changes | undefined;

  constructor(inFlight: () => Changes | undefined) {
    this.#inFlight = inFlight;
  }

  open(doc: PmNode, ids: ReadonlySet<string>): void {
    this.#baseline = createBaseline(doc, ids);
  }

  hasBlock(componentId: string): boolean {
    return this.#baseline.nodes.has(componentId);
  }

  /** Whether a block has edits that are not in the queue yet. */
  hasLocalEdits(componentId: string, node: PmNode): boolean {
    const savedNode = this.#baseline.nodes.get(componentId);
    if (savedNode !== node && savedNode?.eq(node) !== true) return true;
    return listWrittenIds(this.#inFlight()).includes(componentId);
  }

  localEdits(doc: PmNode): LocalEdits {
    const changes = deriveChanges(doc, this.#baseline);
    const inFlight = this.#inFlight();
    return {
      written: new Set([...listWrittenIds(changes), ...listWrittenIds(inFlight)]),
      deleted: new Set([...changes.deleted, ...(inFlight?.deleted ?? [])]),
      unsentDeletions: changes.deleted,
    };
  }

  /** All changes that are not stored on this device yet, oldest first. */
  listPendingChanges(doc: PmNode): Changes[] {
    const changes = deriveChanges(doc, this.#baseline);
    const inFlight = this.#inFlight();
    return inFlight ? [inFlight, changes] : [changes];
  }

  learnVersions(components: readonly Component[], localEdits?: LocalEdits): void {
    for (const { _id, version } of components) if (!localEdits?.written.has(_id)) this.versions.set(_id, version);
  }

  learnVersion(componentId: string, version: number): void {
    this.versions.set(componentId, Math.max(version, this.versions.get(componentId) ?? 0));
  }

  setSavedNode(componentId: string, node: PmNode): void {
    this.#baseline.nodes.set(componentId, node);
  }

  /** The server adds a new component at the end; the next saved order moves it to its position here. */
  addStored(componentId: string, node: PmNode): void {
    const { order, nodes } = this.#baseline;
    this.#baseline = { order: [...order, componentId], nodes: new Map(nodes).set(componentId, node) };
  }

  /** Accepts the incoming page as saved, except for local edits that still have to be sent. */
  acceptPage(doc: PmNode, ids: ReadonlySet<string>, { written, unsentDeletions }: LocalEdits): void {
    const next = createBaseline(doc, ids);
    for (const id of written) {
      const savedNode = this.#baseline.nodes.get(id);
      if (savedNode) next.nodes.set(id, savedNode);
      else next.nodes.delete(id);
    }
    const order = next.order.filter((id) => next.nodes.has(id));
    for (const id of unsentDeletions) if (ids.has(id)) order.push(id);
    this.#baseline = { order, nodes: next.nodes };
  }

  /** Marks all changes since the last call as saved; `putBack` reverts that. */
  take(doc: PmNode): { changes: Changes; putBack(): void } | undefined {
    const before = this.#baseline;
    const changes = deriveChanges(doc, before);
    if (isUnchanged(changes)) return undefined;
    this.#baseline = advanceBaseline(doc, before);
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
