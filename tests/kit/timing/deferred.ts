/** A promise that a test resolves. */
export function createDeferred<T>(): { promise: Promise<T>; resolve: (value: T) => void } {
  const settlers: ((value: T) => void)[] = [];
  const promise = new Promise<T>((resolve) => {
    settlers.push(resolve);
  });
  return { promise, resolve: (value) => settlers[0]?.(value) };
}
