/** A server's reply with this text, as a transport returns it. */
export const replyWith = (text: string) => ({
  text: () => Promise.resolve(text),
  blob: () => Promise.resolve(new Blob([text])),
  async *pieces() {
    yield text;
  },
});
