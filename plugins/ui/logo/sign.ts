/** The sign in the logo, on a square of 32 by 32. */
export const LOGO_PATH = 'M9 16.800 13.800 21.500 23 11'

/** The icon of tabs and bookmarks; lighter where the browser is dark. */
export const FAVICON = [
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32">',
  '<style>.a{stop-color:#8b8eff}.b{stop-color:#4a4dc4}',
  '@media(prefers-color-scheme:dark){.a{stop-color:#b4b6ff}.b{stop-color:#6f72ee}}</style>',
  '<linearGradient id="g" x2="1" y2="1"><stop class="a"/><stop class="b" offset="1"/></linearGradient>',
  '<rect width="32" height="32" rx="9" fill="url(#g)"/>',
  `<path d="${LOGO_PATH}" fill="none" stroke="#fff" stroke-width="3.600" stroke-linecap="round" `,
  'stroke-linejoin="round"/></svg>'
].join('')
