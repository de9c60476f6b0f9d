import { defineCommand } from '../../core/command.ts'

/** A script for Node, which agents' clients need anyway; it never keeps a commit from being made. */
const SCRIPT = String.raw`#!/usr/bin/env node
// Adds the key of the issue in progress to a commit's message. Needs TRACKER_URL and TRACKER_TOKEN.
const { readFileSync, writeFileSync } = require('node:fs')
const [file, source] = process.argv.slice(2)
const { TRACKER_URL: url, TRACKER_TOKEN: token } = process.env

async function main() {
  // A merge, a squash or an amended commit has its message.
  if (!url || !token || ['merge', 'squash', 'commit'].includes(source)) return
  const answer = await fetch(new URL('v1/issues/filter', url.endsWith('/') ? url : url + '/'), {
    method: 'POST',
    headers: { authorization: 'Bearer ' + token, 'content-type': 'application/json' },
    body: JSON.stringify({
      filters: {
        assignee: { filterType: 'IS', value: ['me'] },
        stateCategory: { filterType: 'IS', value: ['STARTED'] }
      },
      view: 'list',
      perPage: 2,
      total: 'none'
    }),
    signal: AbortSignal.timeout(2000)
  })
  const { issues } = answer.ok ? await answer.json() : { issues: [] }
  // With several, it is unknown which one the commit is for.
  if (issues.length !== 1) return
  const { key } = issues[0]
  const message = readFileSync(file, 'utf8')
  // Git's comments below are no part of the message; with -m there are none.
  const end = source === 'message' ? -1 : message.search(/^#/m)
  const text = end < 0 ? message : message.slice(0, end)
  if (new RegExp('\\b' + key.split('-')[0] + '-[1-9]', 'i').test(text)) return
  writeFileSync(file, text.trimEnd() + '\n\nIssue: ' + key + '\n' + (end < 0 ? '' : '\n' + message.slice(end)))
}
main().catch(() => {})
`

export const commitHookCommand = defineCommand({
  name: 'commit-hook',
  summary: 'Print a prepare-commit-msg hook of git that adds the key of the issue in progress',
  details: [
    'npm run -s tracker -- commit-hook > .git/hooks/prepare-commit-msg && chmod +x .git/hooks/prepare-commit-msg',
    'It asks the server at TRACKER_URL with TRACKER_TOKEN; where there is no answer, the message stays as it is.'
  ].join('\n'),
  database: false,
  async run() {
    process.stdout.write(SCRIPT)
  }
})
