const BEGIN = "\u0002";
const END = "\u0003";

/** JSON escapes control characters, so neither delimiter can occur inside a payload. */
export function frameEvent(event: unknown): string {
  return `${BEGIN}${JSON.stringify(event)}${END}`;
}

/** Parses framed payloads from a chunked text; text between frames is skipped. */
export function createUnframer(): (piece: string) => unknown[] {
  let rest = "";
  return (piece) => {
    rest += piece;
    const payloads: unknown[] = [];
    for (;;) {
      const begin = rest.indexOf(BEGIN);
      if (begin === -1) {
        rest = "";
        return payloads;
      }
      const end = rest.indexOf(END, begin);
      if (end === -1) {
        rest = rest.slice(begin);
        return payloads;
      }
      payloads.push(JSON.parse(rest.slice(begin + 1, end)));
      rest = rest.slice(end + 1);
    }
  };
}
