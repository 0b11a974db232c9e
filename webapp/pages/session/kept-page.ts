import type { Node as PmNode } from "@tiptap/pm/model";
import type { Component } from "#shared/pages/schema.ts";
import { baselineOf, deriveChanges, isUnchanged, type Baseline, type Changes } from "../editor/changes.ts";

const idsWrittenIn = (changes: Changes | undefined): string[] => [
  ...(changes?.created ?? []).map(({ block }) => block._id),
  ...(changes?.updated ?? []).map(({ _id }) => _id),
];

/** What the editor alone knows: not kept yet, or on its way to the disk, where neither queue nor server knows of it. */
interface Own {
  written: ReadonlySet<string>;
  deleted: ReadonlySet<string>;
  /** Those of the deleted that nothing has been told of. */
  toDelete: readonly string[];
}

/** What of an open page is kept already, and which version each component was that its edits are made from. */
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

  /** Whether a block shows what nobody but the editor has. */
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

  /** All that is not on disk yet, the oldest first. */
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

  /** One that the server made stands at the end there; where it stands here is told by the order that is sent next. */
  addStored(componentId: string, node: PmNode): void {
    const { order, nodes } = this.#baseline;
    this.#baseline = { order: [...order, componentId], nodes: new Map(nodes).set(componentId, node) };
  }

  /** The document shows the page as it is elsewhere, but for what is the editor's own: that still has to be told. */
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

  /** What has changed since the last time counts as kept from now on; `putBack` makes it count as changed again. */
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
