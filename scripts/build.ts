/*
 * `node scripts/build.ts [FOLDER]`: makes a package of JavaScript in `dist/`, as it is published or put into an image;
 * `npm run build` adds the types of what its `exports` name. The folder has the layout of the sources:
 * `node --require ./dist/core/start/preload.cjs dist/core/main.js` starts the server.
 */
import { globSync } from 'node:fs'
import { cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { build } from 'esbuild'

const OUT = process.argv[2] ?? 'dist'
/** Code of the server and of the web interface, which it bundles by itself, and of `tracker/test`. */
const CODE = [
  '{core,lib,plugins}/**/*.{ts,tsx}',
  'scripts/{postinstall,bundle-libraries}.ts',
  'test/index.ts',
  'test/runner/{answers,call-tool,harness,log-secrets,rewinding-worker,templates}.ts'
]
const OTHER = ['{core,lib,plugins}/**/*.{cjs,css,md,txt}', 'config/*.json', 'LICENSE']
const exclude = ['{core,lib,plugins}/**/test/**', '**/*.d.ts', '**/README.md']

/** Paths of modules in imports and URLs: `'./worker.ts'` is `'./worker.js'`. */
const withBuiltPaths = (code: string): string => code.replace(/(["'])(\.{1,2}\/[^"'\n]+)\.tsx?\1/g, '$1$2.js$1')

async function write(path: string, text: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true })
  await writeFile(path, text)
}

async function buildCode(): Promise<void> {
  const { outputFiles } = await build({
    entryPoints: globSync(CODE, { exclude }),
    bundle: false,
    write: false,
    outdir: OUT,
    outbase: '.',
    format: 'esm',
    target: 'node24',
    jsx: 'automatic',
    // The options of running the sources: this may run without tsconfig.json.
    tsconfigRaw: { compilerOptions: { verbatimModuleSyntax: true } }
  })
  for (const { path, text } of outputFiles) await write(path, withBuiltPaths(text))
}

async function copyOthers(): Promise<void> {
  for (const path of globSync(OTHER, { exclude })) {
    if (path.endsWith('.cjs')) await write(join(OUT, path), withBuiltPaths(await readFile(path, 'utf8')))
    else await cp(path, join(OUT, path))
  }
}

interface Package {
  exports: Record<string, string>
  scripts: Record<string, string>
}

async function writePackage(): Promise<void> {
  const {
    exports,
    scripts,
    devDependencies: _,
    overrides: _overrides,
    ...others
  } = JSON.parse(await readFile('package.json', 'utf8')) as Package & Record<string, unknown>
  const built = (path: string) => path.replace(/\.tsx?$/, '.js')
  const exported = (path: string) =>
    path.endsWith('.json') ? path : { types: path.replace(/\.tsx?$/, '.d.ts'), default: built(path) }
  const text = JSON.stringify(
    {
      ...others,
      exports: Object.fromEntries(Object.entries(exports).map(([name, path]) => [name, exported(path)])),
      scripts: Object.fromEntries(
        ['postinstall', 'start', 'tracker'].map(name => [name, scripts[name]!.replaceAll(/\.ts\b/g, '.js')])
      )
    },
    null,
    2
  )
  await write(join(OUT, 'package.json'), text + '\n')
}

await rm(OUT, { recursive: true, force: true })
await buildCode()
await copyOthers()
await writePackage()
