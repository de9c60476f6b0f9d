import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'

/* The values that docs/interface.md names. */

const root = join(import.meta.dirname, '../../..')
const TOKENS = 'plugins/ui/browser/tokens.css'
const sheets = globSync(['plugins/ui/browser/**/*.css', 'plugins/*/ui/**/*.css'], { cwd: root }).map(file => ({
  file,
  css: readFileSync(join(root, file), 'utf8')
}))
const SIZES = ['11px', '12px', '13px', '14px', '15px', '16px', '20px', '22px', '24px']
const MIN_CONTRAST = 4.5

t.test('sizes of type are those of the scale', async t => {
  t.ok(sheets.length > 50, 'style sheets are found')
  for (const { file, css } of sheets) {
    const sizes = [...css.matchAll(/font-size: (\d[^;]*)/g)].map(([, size]) => size!)
    t.strictSame(
      sizes.filter(size => size !== '0' && !SIZES.includes(size)),
      [],
      file
    )
  }
})

t.test('colours are tokens', async t => {
  for (const { file, css } of sheets.filter(({ file }) => file !== TOKENS)) {
    t.strictSame(css.match(/#[\da-f]{3,8}\b|\brgb\(/gi) ?? [], [], file)
  }
})

/** The values of a token in the light and the dark scheme. */
function valuesOf(css: string, name: string): [light: string, dark: string] {
  const [, light = '', dark = ''] = new RegExp(`--${name}: light-dark\\((#\\w+), (#\\w+)\\)`).exec(css) ?? []
  return [light, dark]
}
/** WCAG 2: the relative luminance. */
function luminanceOf(color: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map(at => {
    const share = parseInt(color.slice(at, at + 2), 16) / 255
    return share <= 0.03928 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}
function contrastOf(one: string, other: string): number {
  const [dark = 0, light = 0] = [luminanceOf(one), luminanceOf(other)].sort((a, b) => a - b)
  return (light + 0.05) / (dark + 0.05)
}

t.test('texts can be read on each background, in both schemes', async t => {
  const { css } = sheets.find(({ file }) => file === TOKENS)!
  for (const text of ['text', 'text-2', 'text-3', 'accent-text', 'danger']) {
    for (const background of ['bg', 'surface', 'sunken', 'card', 'raised', 'hover', 'selected']) {
      const [texts, backgrounds] = [valuesOf(css, text), valuesOf(css, background)]
      for (const scheme of [0, 1] as const) {
        const contrast = contrastOf(texts[scheme], backgrounds[scheme])
        t.ok(contrast >= MIN_CONTRAST, `--${text} on --${background}: ${contrast.toFixed(2)}`)
      }
    }
  }
  for (const accent of valuesOf(css, 'accent')) t.ok(contrastOf('#ffffff', accent) >= MIN_CONTRAST, accent)
})
