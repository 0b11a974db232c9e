/** Resolves in a task of its own: whatever waits in this thread comes first. A timer would come late in a hidden document. */
export const nextTask = (): Promise<void> =>
  new Promise((done) => {
    const { port1, port2 } = new MessageChannel();
    port1.addEventListener("message", () => {
      port1.close();
      done();
    });
    port1.start();
    port2.postMessage(0);
  });
