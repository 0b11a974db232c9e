import type { Collection, CollectionSpec, Doc, DocumentStore } from "#api/store/port.ts";

type Method = "find" | "insert";

function override<T extends object>(target: T, methods: Partial<T>): T {
  return new Proxy(target, {
    get(_, name) {
      const value: unknown = Reflect.get(name in methods ? methods : target, name);
      return typeof value === "function" ? (value as () => unknown).bind(target) : value;
    },
  });
}

/** A store in which the first call of one method of one collection fails; `calls` counts the calls of this method. */
export function failOnce(store: DocumentStore, name: string, method: Method) {
  const calls = { count: 0 };
  const collection: DocumentStore["collection"] = <T extends Doc>(spec: CollectionSpec<T>): Collection<T> => {
    const inner = store.collection<T>(spec);
    if (spec.name !== name) return inner;
    const failing = (...args: unknown[]): unknown => {
      calls.count += 1;
      if (calls.count === 1) throw new Error("no answer");
      return (inner[method] as (...all: unknown[]) => unknown).apply(inner, args);
    };
    return override(inner, { [method]: failing });
  };
  return { store: override(store, { collection }), calls };
}
