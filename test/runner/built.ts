import { registerHooks } from 'node:module'

/*
 * With TEST_BUILT=dist tests import what `npm run build` has made of the sources. Tests themselves are not built.
 */
const ROOT = new URL('../..', import.meta.url).href
const BUILT = new URL(`${process.env['TEST_BUILT']}/`, ROOT).href
const SOURCE = /^(?:core|lib|plugins)\/(?!(?:.*\/)?test\/).*(?=\.tsx?$)/

registerHooks({
  resolve(specifier, context, next) {
    const resolved = next(specifier, context)
    const [path] = resolved.url.startsWith(ROOT) ? (SOURCE.exec(resolved.url.slice(ROOT.length)) ?? []) : []
    return path === undefined ? resolved : { ...resolved, url: `${BUILT}${path}.js`, format: 'module' }
  }
})
