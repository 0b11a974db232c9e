import { type Endpoint, rateClasses, type Table } from "#shared/contract/endpoint.ts";
import { failures } from "#shared/contract/failure.ts";
import { buildOpenApi } from "#api/http/openapi.ts";

const escapeHtml = (text: string) =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");

const style = `
:root{color-scheme:light dark;--ink:light-dark(#1c1b18,#f1efe9);--quiet:light-dark(#57544c,#b9b5aa);--paper:light-dark(#fbfaf7,#151412);--line:light-dark(#e4e1d9,#2e2c27)}
body{margin:0 auto;max-width:56rem;padding:32px 20px;background:var(--paper);color:var(--ink);font:16px/1.55 system-ui,sans-serif}
h2{margin-top:40px;border-bottom:1px solid var(--line);padding-bottom:4px}h3{font:600 15px/1.4 ui-monospace,monospace;margin:28px 0 4px;overflow-wrap:anywhere}
p{margin:4px 0}small,summary{color:var(--quiet)}pre{overflow:auto;border:1px solid var(--line);border-radius:6px;padding:12px;font-size:13px}a{color:inherit}`;

/** Renders the API reference as one HTML page that needs no JavaScript. */
export function renderDocsPage(table: Table, version: string): string {
  const { paths } = buildOpenApi(table, version) as { paths: Record<string, Record<string, unknown>> };
  const features = Object.entries(table).map(([feature, rows]) => {
    const calls = Object.values(rows).map((row) => renderEndpoint(row, paths));
    return `<h2 id="${feature}">${feature}</h2>${calls.join("")}`;
  });
  const links = Object.keys(table).map((feature) => `<a href="#${feature}">${feature}</a>`);
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Lamplight API ${escapeHtml(version)}</title>
<meta name="viewport" content="width=device-width, initial-scale=1"><style>${style}</style></head><body>
<h1>Lamplight API</h1><p>Calls carry <code>Authorization: Bearer …</code>. A failure is
<code>{status, error, code, message, data?}</code>. The same as <a href="/v1/openapi.json">OpenAPI 3.1</a>.</p>
<p>${links.join(" · ")}</p>${features.join("")}</body></html>`;
}

function renderEndpoint(row: Endpoint, paths: Record<string, Record<string, unknown>>): string {
  const operation = paths[row.path.replaceAll(/:(\w+)/g, "{$1}")]?.[row.method.toLowerCase()];
  const fails = row.fails.map((code) => `${failures[code].status} <code>${code}</code>`).join(", ");
  const { points, windowSeconds } = rateClasses[row.rate ?? "ordinary"];
  return `<section><h3>${row.method} ${escapeHtml(row.path)}</h3><p>${escapeHtml(row.summary)}</p>
<p><small>${row.access} · ${points} calls in ${windowSeconds} s${fails ? ` · fails with ${fails}` : ""}</small></p>
<details><summary>Schema</summary><pre>${escapeHtml(JSON.stringify(operation, null, 2))}</pre></details></section>`;
}
