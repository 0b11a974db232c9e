/** An object with some of its methods replaced; the others still work on the object itself. */
export function override<T extends object>(target: T, methods: Partial<T>): T {
  return new Proxy(target, {
    get(_, name) {
      const value: unknown = Reflect.get(name in methods ? methods : target, name);
      return typeof value === "function" ? (value as () => unknown).bind(target) : value;
    },
  });
}
