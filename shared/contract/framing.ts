const BEGIN = "\u0002";
const END = "\u0003";

/** JSON escapes control characters, so neither mark can stand inside a payload. */
export function frame(event: unknown): string {
  return `${BEGIN}${JSON.stringify(event)}${END}`;
}

/** Collects framed payloads from text that arrives in pieces; text between frames is passed over. */
export function unframer(): (piece: string) => unknown[] {
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
