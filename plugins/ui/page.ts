import { FAVICON } from './logo/sign.ts'

export interface EntryPoints {
  script: string
  style: string
  licenses: string
  preloads: string[]
  font: string | undefined
}

/**
 * The page has no inline script or style, and loads none from other hosts. Images in texts may come from any host; the
 * interface loads each only on a click.
 */
export const PAGE_HEADERS = {
  'content-security-policy': [
    "default-src 'self'",
    "img-src 'self' data: https: http:",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'"
  ].join('; '),
  'referrer-policy': 'same-origin',
  'cross-origin-opener-policy': 'same-origin',
  'cache-control': 'no-cache'
}

const bars = (count: number) => '<i></i>'.repeat(count)
/** Displayed until it is known who is signed in: no page is ever empty. */
const WAITING =
  '<div class="waiting" role="status" aria-label="Loading">' +
  `<div class="waiting-side">${bars(7)}</div><div class="waiting-main">${bars(9)}</div></div>`

/** @param plugins the plugins whose parts are shown: a built interface may have more */
export function pageOf(
  { script, style, licenses, preloads, font }: EntryPoints,
  prefix: string,
  plugins: readonly string[]
): string {
  const at = (name: string) => `${escapeHtml(prefix)}/assets/${name}`
  return [
    '<!doctype html>',
    '<html lang="en">',
    '<head>',
    '<meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover">',
    '<meta name="color-scheme" content="light dark">',
    `<meta name="tracker-prefix" content="${escapeHtml(prefix)}">`,
    `<meta name="tracker-plugins" content="${plugins.join(' ')}">`,
    '<title>tracker</title>',
    `<link rel="icon" type="image/svg+xml" href="data:image/svg+xml,${encodeURIComponent(FAVICON)}">`,
    ...(font ? [`<link rel="preload" as="font" type="font/woff2" href="${at(font)}" crossorigin>`] : []),
    // Requested in parallel with the scripts, which then have the answer.
    `<link rel="preload" as="fetch" href="${escapeHtml(prefix)}/v1/session" crossorigin>`,
    `<link rel="license" href="${at(licenses)}">`,
    `<link rel="stylesheet" href="${at(style)}">`,
    ...preloads.map(name => `<link rel="modulepreload" href="${at(name)}">`),
    `<script type="module" src="${at(script)}"></script>`,
    '</head>',
    `<body><div id="root">${WAITING}</div></body>`,
    '</html>',
    ''
  ].join('\n')
}

const escapeHtml = (text: string) => text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;')
