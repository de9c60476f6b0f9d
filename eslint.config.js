import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import reactHooks from 'eslint-plugin-react-hooks'
import regexp from 'eslint-plugin-regexp'
import neostandard, { plugins as standard } from 'neostandard'

const plugins = readdirSync('plugins', { withFileTypes: true })
  .filter(entry => entry.isDirectory())
  .map(entry => entry.name)

const at = path => join(import.meta.dirname, path)
const testCode = { name: at('test/**'), message: 'What runs in production does not import test code.' }
const insideOfCore = {
  name: [at('core/**'), `!${at('core/api/**')}`],
  message: 'A plugin imports of the core only core/api/.'
}
const product = { name: [at('core/**'), at('plugins/**')], message: 'A library imports nothing of the product.' }
const capabilities = { name: at('plugins/**'), message: 'The core knows no plugin.' }
const capabilitiesButTheMap = {
  name: [at('plugins/**'), `!${at('plugins/index.ts')}`],
  message: 'Of the plugins only plugins/index.ts may be imported.'
}
/** Browser halves may import these of other plugins. */
const browserContracts = [`!${at('plugins/ui/browser/contract.ts')}`, `!${at('plugins/*/ui/contract.ts')}`]
const othersThan = name => ({
  name: [at('plugins/**'), `!${at(`plugins/${name}/**`)}`, `!${at('plugins/*/contract.ts')}`, ...browserContracts],
  message: 'Of another plugin only its contract.ts may be imported; in the browser, its ui/contract.ts.'
})

/**
 * The files in `files` must not import what `restrictions` name, types included; a later boundary replaces an earlier
 * one.
 */
const boundary = (files, ...restrictions) => ({ files, rules: { 'n/no-restricted-import': ['error', restrictions] } })

/** A release has the browser halves only as the bundle of the interface. */
const browserHalves = {
  name: [at('plugins/*/ui/**'), at('plugins/ui/browser/**')],
  message: 'The server imports nothing of the browser: put what both need beside them.'
}

const tests = ['test/**', '**/test/**', '**/*.test.ts']

const ownErrors = {
  selector: "NewExpression[callee.name='ApiError']",
  message: 'Throw an error of core/api/errors.ts, or of a problem that the plugin contributes.'
}
const rawComposing = {
  selector: "MemberExpression[property.name='isComposing']",
  message: 'Call isComposing(event) of plugins/ui/browser: Safari shows the last key of a composition otherwise.'
}
const sqlElsewhere = [
  "TaggedTemplateExpression[tag.name='sql']",
  "TaggedTemplateExpression[tag.expression.name='sql']",
  'CallExpression[callee.property.name=/^(selectFrom|insertInto|updateTable|deleteFrom)$/]'
].map(selector => ({ selector, message: 'The SQL of a plugin is in its queries.ts, or in queries/.' }))

/** Names that tell nothing about the thing. */
const VAGUE_NAMES = new Set(['found', 'wanted', 'asked', 'told', 'made', 'given'])
const NOUN_CLAUSE = /^[\s*]*(What|That|Those|Whether|Of)\b/
const plainWords = {
  create: ({ report, sourceCode }) => ({
    Program() {
      const variables = sourceCode.scopeManager.scopes.flatMap(scope => scope.variables)
      for (const { name, identifiers } of variables) {
        if (!VAGUE_NAMES.has(name) || identifiers.length === 0) continue
        report({ node: identifiers[0], message: `Name the thing: “${name}” says only what happened to it.` })
      }
      for (const comment of sourceCode.getAllComments()) {
        if (!NOUN_CLAUSE.test(comment.value)) continue
        report({ loc: comment.loc, message: 'Write a sentence or a plain noun, not a noun clause; or no comment.' })
      }
    }
  })
}

export default [
  ...neostandard({ ts: true, noStyle: true, ignores: ['node_modules', '.tap', 'data', 'out', '**/dist'] }),
  {
    files: ['**/*.ts', '**/*.tsx'],
    plugins: { '@typescript-eslint': standard['typescript-eslint'].plugin },
    rules: {
      // An inline import('…') type would slip past the boundaries below.
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/no-explicit-any': 'error'
    }
  },
  { files: ['plugins/**/*.tsx', 'plugins/*/ui/**', 'plugins/ui/browser/**'], ...reactHooks.configs.flat.recommended },
  { files: ['test/contract/**'], rules: { '@typescript-eslint/no-unused-expressions': 'off' } },
  { files: ['plugins/**'], rules: { 'no-restricted-syntax': ['error', ownErrors, rawComposing] } },
  {
    files: ['plugins/**'],
    ignores: [...tests, '**/queries.ts', '**/queries/**', '**/migrations/**', 'plugins/search/ranking/**'],
    rules: { 'no-restricted-syntax': ['error', ownErrors, rawComposing, ...sqlElsewhere] }
  },
  // No text makes a search take the square of its length.
  {
    files: ['**/*.{js,ts,tsx}'],
    ignores: tests,
    plugins: { regexp },
    rules: { 'regexp/no-super-linear-backtracking': 'error', 'regexp/no-super-linear-move': 'error' }
  },
  {
    files: ['**/*.{js,ts,tsx}'],
    plugins: { language: { rules: { 'plain-words': plainWords } } },
    rules: { 'language/plain-words': 'error' }
  },
  // Short lines, functions and files. Tests may be long: a test is a story.
  {
    files: ['**/*.{js,ts,tsx}'],
    rules: { 'max-len': ['error', { code: 120, ignoreUrls: true }] }
  },
  {
    files: ['**/*.{js,ts,tsx}'],
    ignores: tests,
    rules: { 'max-lines-per-function': ['error', 60] }
  },
  { files: ['**/*.{js,ts,tsx}'], ignores: tests, rules: { 'max-lines': ['error', 350] } },
  boundary(['lib/**'], product, testCode),
  boundary(['lib/**/*.test.ts', 'lib/**/test/**'], product),
  // So that every plugin can be removed.
  boundary(['core/**'], capabilities, testCode),
  boundary(['core/**/*.test.ts', 'core/**/test/**'], capabilities),
  boundary(['core/main.ts', 'core/cli.ts'], capabilitiesButTheMap, testCode),
  ...plugins.flatMap(name => [
    boundary([`plugins/${name}/**`], othersThan(name), insideOfCore, testCode, browserHalves),
    boundary([`plugins/${name}/${name === 'ui' ? 'browser' : 'ui'}/**`], othersThan(name), insideOfCore, testCode),
    boundary([`plugins/${name}/test/**`, `plugins/${name}/**/*.test.ts`], othersThan(name))
  ])
]
