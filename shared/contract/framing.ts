const BEGIN = "\u0002";
const END = "\u0003";

/** JSON escapes control characters, so neither delimiter can occur inside a payload. */
export function frameEvent(event: unknown): string {
  return `${BEGIN}${JSON.stringify(event)}${END}`;
}

/** Parses framed payloads from a chunked text; text between frames is skipped. */
export function createFrameReader(): (piece: string) => unknown[] {
  let buffer = "";
  return (piece) => {
    buffer += piece;
    const payloads: unknown[] = [];
    for (;;) {
      const begin = buffer.indexOf(BEGIN);
      if (begin === -1) {
        buffer = "";
        return payloads;
      }
      const end = buffer.indexOf(END, begin);
      if (end === -1) {
        buffer = buffer.slice(begin);
        return payloads;
      }
      payloads.push(JSON.parse(buffer.slice(begin + 1, end)));
      buffer = buffer.slice(end + 1);
    }
  };
}
