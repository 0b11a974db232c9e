import type { Middleware, ParameterizedContext } from "koa";
import findMyWay from "find-my-way";
import type { Method } from "#shared/contract/endpoint.ts";
import { Failure } from "#shared/contract/failure.ts";

const METHODS: readonly Method[] = ["GET", "POST", "PUT", "PATCH", "DELETE"];
type Serve = (koa: ParameterizedContext) => Promise<void>;

interface Route {
  /** The path pattern from the endpoint table. */
  path: string;
  serve: Serve;
}

export type Routes = ReturnType<typeof createRoutes>;

/** Routes every endpoint of the contract with a radix tree, so that lookup time does not grow with their number. */
export function createRoutes() {
  // The longest URL that Node accepts, so that no path parameter is too long.
  const tree = findMyWay({ ignoreTrailingSlash: true, caseSensitive: false, maxParamLength: 16_384 });
  const find = (method: Method, path: string) => {
    const found = tree.find(method, path);
    return found?.store ? { ...(found.store as Route), params: found.params } : undefined;
  };

  return {
    add(method: Method, path: string, serve: Serve): void {
      tree.on(method, path, () => undefined, { path, serve } satisfies Route);
    },

    /** Answers known endpoints, refuses unknown paths below /v1, and passes all others to the next middleware. */
    dispatch: (async (koa, next) => {
      requireDecodable(koa.path);
      const method = koa.method === "HEAD" ? "GET" : koa.method;
      const route = isMethod(method) ? find(method, koa.path) : undefined;
      if (!route && !koa.path.startsWith("/v1/")) return next();
      if (!route) throw toRefusal(koa);
      Object.assign(koa.state, { route: route.path, params: route.params });
      return route.serve(koa);
    }) satisfies Middleware,
  };

  function toRefusal(koa: ParameterizedContext): Failure {
    const known = METHODS.filter((method) => find(method, koa.path));
    if (known.length === 0) return new Failure("not_found", "no_endpoint");
    koa.set("allow", known.join(", "));
    return new Failure("method_not_allowed", "wrong_method", { methods: known.join(" / ") });
  }
}

const isMethod = (method: string): method is Method => METHODS.some((known) => known === method);

function requireDecodable(path: string): void {
  if (!path.includes("%")) return;
  try {
    decodeURIComponent(path);
  } catch {
    throw new Failure("bad_input", "request_unreadable");
  }
}
