import { readFileSync } from 'node:fs'
import { registerHooks } from 'node:module'

/*
 * `NODE_OPTIONS=--import=…/bench/replaced-constants.ts` starts the server with other values of constants, which
 * measurements compare: `REPLACED_CONSTANTS={"file": …, "values": {"NAME": 1}}`.
 */
interface Replaced {
  /** The end of its path. */
  file: string
  values: Readonly<Record<string, number>>
}
const { file, values } = JSON.parse(process.env['REPLACED_CONSTANTS'] ?? '{"file": "none", "values": {}}') as Replaced

registerHooks({
  load(url, context, nextLoad) {
    if (!url.endsWith(file)) return nextLoad(url, context)
    let source = readFileSync(new URL(url), 'utf8')
    for (const [name, value] of Object.entries(values)) {
      const declaration = new RegExp(`^const ${name} = .*$`, 'm')
      if (!declaration.test(source)) throw new Error(`${file} has no constant ${name}.`)
      source = source.replace(declaration, `const ${name} = ${value}`)
    }
    return { format: 'module-typescript', source, shortCircuit: true }
  }
})
