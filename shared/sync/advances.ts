import type { Outcome } from "./settle.ts";

/** Which version an acknowledged update of this tab turned which version into, component by component. */
export class Advances {
  readonly #steps = new Map<string, Map<number, number>>();

  /** `shown` names the requests of this tab; a merged content is not what it shows, so nothing is made from it yet. */
  record(outcomes: readonly Outcome[], shown: ReadonlySet<string>): void {
    for (const { request, version, content } of outcomes) {
      const isTaken = version !== undefined && content === undefined && shown.has(request.id);
      if (!isTaken || request.baseVersion === undefined) continue;
      const steps = this.#steps.get(request.resourceId) ?? new Map<number, number>();
      this.#steps.set(request.resourceId, steps.set(request.baseVersion, version));
    }
  }

  /** What `version` has become: an edit that was made just before the answer came names the version before it. */
  reach(componentId: string, version: number): number {
    const steps = this.#steps.get(componentId);
    let reached = version;
    for (let next = steps?.get(reached); next !== undefined && next > reached; next = steps?.get(reached))
      reached = next;
    return reached;
  }
}
