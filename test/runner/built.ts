import { registerHooks } from 'node:module'

/*
 * With TEST_BUILT=dist tests import what `npm run build` has made of the sources. Tests themselves are not built.
 */
const ROOT = new URL('../..', import.meta.url).href
const BUILT = new URL(`${process.env['TEST_BUILT']}/`, ROOT).href
const SOURCE = /^(?:core|lib|plugins)\/(?!(?:.*\/)?test\/).*(?=\.tsx?$)/

registerHooks({
  resolve(specifier, context, next) {
    const found = next(specifier, context)
    const [path] = found.url.startsWith(ROOT) ? (SOURCE.exec(found.url.slice(ROOT.length)) ?? []) : []
    return path === undefined ? found : { ...found, url: `${BUILT}${path}.js`, format: 'module' }
  }
})
