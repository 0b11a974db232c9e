/** What the address names in a document: a page, and text quoted from it. */
export interface DocumentTarget {
  page: number | undefined;
  quote: string | undefined;
  /** Changes when the same citation is opened again. */
  arrival?: number | undefined;
}

export const targetKey = ({ page, quote, arrival }: DocumentTarget) => `${arrival ?? ""} ${page ?? ""} ${quote ?? ""}`;
