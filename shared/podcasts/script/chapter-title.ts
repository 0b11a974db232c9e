/** A heading without the number or letter of its section: "4.2 Datasets", "B. Proofs", "Chapter 3: Cells", "Stage 3: Growth". */
export function stripNumbering(heading: string): string {
  const plain = heading.trim();
  const stripped = plain
    .replace(
      /^(?:chapter|section|part|unit|lecture|appendix|stage|step|module|topic)\s+(?:\d+|[IVX]+|[A-H])\s*[.:–-]\s*/iu,
      "",
    )
    .replace(/^\d+(?:\.\d+)+\.?\s+(?=\p{Ll}{3})/u, "")
    .replace(/^(?:\d+(?:\.\d+)*|[IVX]+\.|[B-H]|[A-H]\.)[.)]?\s+(?=\p{Lu})/u, "")
    .trim();
  return /\p{L}{3}/u.test(stripped) ? stripped : plain;
}
