/** Names of citation styles with the position of the style; journals of a publisher share one. */
export type StyleIndex = readonly (readonly [name: string, position: number])[];

/** Similar styles are in one file, which makes each of them small. */
export const STYLES_PER_FILE = 24;
