import { type Layer, Router } from "@koa/router";
import type { Middleware, ParameterizedContext } from "koa";
import type { Method } from "#shared/contract/endpoint.ts";
import { Failure } from "#shared/contract/failure.ts";

const METHODS: readonly Method[] = ["GET", "POST", "PUT", "PATCH", "DELETE"];
type Serve = (koa: ParameterizedContext) => Promise<void>;

export type Routes = ReturnType<typeof createRoutes>;

/**
 * Routes every endpoint of the contract. A router tests its routes one by one, so each resource (`/v1/pages`) has a
 * router of its own. Its middleware, `routes()`, is not used, because pages were read 5 % slower with it.
 */
export function createRoutes() {
  const routers = new Map<string, Router>();
  const served = new Map<string | undefined, Serve>();

  return {
    add(method: Method, path: string, serve: Serve): void {
      const resource = resourceOf(path);
      const router = routers.get(resource) ?? new Router();
      routers.set(resource, router);
      const name = `${method} ${path}`;
      router.register(path, [method], () => undefined, { name });
      served.set(name, serve);
    },

    /** Answers known endpoints, refuses unknown paths below /v1, and passes all others to the next middleware. */
    dispatch: (async (koa, next) => {
      const { path, method } = koa;
      requireDecodable(path);
      const matched = routers.get(resourceOf(path))?.match(path, method);
      const layer = matched && mostSpecific(matched.pathAndMethod);
      const serve = layer && served.get(layer.name);
      if (serve) {
        Object.assign(koa.state, { route: layer.path, params: layer.params(path, layer.captures(path)) });
        return serve(koa);
      }
      if (!path.startsWith("/v1/")) return next();
      throw toRefusal(koa, matched?.path ?? []);
    }) satisfies Middleware,
  };
}

/** For example `/v1/pages` for `/v1/pages/:id`, and `/health` for `/health`. */
const resourceOf = (path: string) => (/^(?:\/v1)?\/[^/]*/i.exec(path)?.[0] ?? path).toLowerCase();

/** The route with the fewest parameters: `/v1/pages/:id` matches `/v1/pages/export` too. */
const mostSpecific = (layers: readonly Layer[]): Layer | undefined =>
  layers.reduce<Layer | undefined>(
    (best, layer) => (best && best.paramNames.length <= layer.paramNames.length ? best : layer),
    undefined,
  );

function toRefusal(koa: ParameterizedContext, matched: readonly Layer[]): Failure {
  const known = METHODS.filter((method) => matched.some(({ methods }) => methods.includes(method)));
  if (known.length === 0) return new Failure("not_found", "no_endpoint");
  koa.set("allow", known.join(", "));
  return new Failure("method_not_allowed", "wrong_method", { methods: known.join(" / ") });
}

function requireDecodable(path: string): void {
  if (!path.includes("%")) return;
  try {
    decodeURIComponent(path);
  } catch {
    throw new Failure("bad_input", "request_unreadable");
  }
}
