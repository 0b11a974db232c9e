import type { Outcome } from "./apply-answer.ts";

/** For each component, maps the base version of this tab's updates to the version that the update became. */
export class VersionChain {
  readonly #versions = new Map<string, Map<number, number>>();

  /** `shown`: the ids of this tab's requests. Merged content is not on screen yet, so no edit can be based on it. */
  record(outcomes: readonly Outcome[], shown: ReadonlySet<string>): void {
    for (const { request, version, content } of outcomes) {
      const isTaken = version !== undefined && content === undefined && shown.has(request.id);
      if (!isTaken || request.baseVersion === undefined) continue;
      const versions = this.#versions.get(request.resourceId) ?? new Map<number, number>();
      this.#versions.set(request.resourceId, versions.set(request.baseVersion, version));
    }
  }

  /**
   * The latest version that `version` leads to. It is needed because an edit made just before an acknowledgement names
   * the older version.
   */
  resolve(componentId: string, version: number): number {
    const versions = this.#versions.get(componentId);
    let reached = version;
    for (let next = versions?.get(reached); next !== undefined && next > reached; next = versions?.get(reached))
      reached = next;
    return reached;
  }
}
