import { defineCommand } from '../../core/api/command.ts'

/** A Node script, because agents' clients need Node anyway; it never prevents a commit. */
const SCRIPT = String.raw`#!/usr/bin/env node
// Adds the key of the issue in progress to a commit's message, as two hooks of git: prepare-commit-msg notes what the
// message begins with, and commit-msg adds the key once it is written, so that an empty one still ends the commit.
// Needs TRACKER_URL and TRACKER_TOKEN.
async function main() {
  // Works as a module of either kind: git's folder may be in that of a package.
  const { execFileSync } = await import('node:child_process')
  const { existsSync, readFileSync, rmSync, writeFileSync } = await import('node:fs')
  const { basename, dirname, join } = await import('node:path')
  const args = process.argv.slice(2)
  const hook = /^(prepare-)?commit-msg$/.test(args[0]) ? args.shift() : basename(process.argv[1])
  const [file, source] = args
  const { TRACKER_URL: url, TRACKER_TOKEN: token, GIT_EDITOR: editor } = process.env
  if (!url || !token) return
  const git = (options, input) => execFileSync('git', options, { input, encoding: 'utf8', stdio: 'pipe' })
  const config = pattern => {
    try {
      return git(['config', '--get-regexp', pattern]).trim().split('\n').pop().replace(/^\S+ ?/, '')
    } catch {
      return ''
    }
  }
  const noteFile = join(dirname(file), 'tracker-commit-message')
  const message = readFileSync(file, 'utf8')
  // So git says that there is no editor, and no comments.
  const isEdited = editor !== ':'

  // A merge, a squash, an amended or replayed commit has its message.
  const isOld = ['merge', 'squash', 'commit'].includes(source)
  if (hook === 'prepare-commit-msg') {
    rmSync(noteFile, { force: true })
    const isReplayed = ['rebase-merge', 'rebase-apply'].some(name => existsSync(join(dirname(file), name)))
    if (isOld || isReplayed) return
    const comment = commentOf(config('^core\\.comment(char|string)$'), message)
    const template = source === 'template' ? wordsOf(aboveDiff(message, comment), comment) : ''
    return writeFileSync(noteFile, JSON.stringify({ comment, template }))
  }
  if (!existsSync(noteFile)) return
  const { comment, template } = JSON.parse(readFileSync(noteFile, 'utf8'))
  rmSync(noteFile)
  const text = isEdited ? aboveDiff(message, comment) : message
  const cleanup = config('^commit\\.cleanup$')
  const words = wordsOf(text, isEdited || cleanup === 'strip' ? comment : undefined)
  // Git ends the commit.
  if (words === '' || words === template) return
  const key = await keyInProgress(url, token)
  if (key === undefined || new RegExp('\\b' + key.split('-')[0] + '-[1-9]', 'i').test(words)) return
  // Only the last paragraph has trailers, comments behind it left aside: git puts this one beside those that there are.
  const keepsComments = !isEdited || ['whitespace', 'verbatim', 'scissors'].includes(cleanup)
  const settings = ['-c', 'core.commentChar=' + (keepsComments ? '\x01' : comment)]
  const trailer = ['interpret-trailers', '--no-divider', '--trailer', 'Issue: ' + key]
  const written = keepsComments ? text.trimEnd() + '\n' : text
  writeFileSync(file, git([...settings, ...trailer], written) + message.slice(text.length))
}

/** The prefix of git's comments; with "auto" git has chosen one that no line of the message has. */
function commentOf(setting, message) {
  if (setting !== 'auto') return setting || '#'
  const above = /^(.) -{24} >8 -{24}$/m.exec(message)
  return above?.[1] ?? /^[#;@!$%^&|:]/.exec(message.trimEnd().split('\n').pop())?.[0] ?? '#'
}

/** Without the diff of "commit -v", which git cuts off. */
function aboveDiff(message, comment) {
  const at = message.search(new RegExp('^' + comment.replace(/\W/g, '\\$&') + ' -{24} >8 -{24}$', 'm'))
  return at < 0 ? message : message.slice(0, at)
}

/** The lines that count as a message: neither comments nor sign-offs. */
const wordsOf = (text, comment) =>
  text
    .split('\n')
    .filter(line => !(comment && line.startsWith(comment)) && !line.startsWith('Signed-off-by: '))
    .join('\n')
    .trim()

async function keyInProgress(url, token) {
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
  return issues.length === 1 ? issues[0].key : undefined
}
main().catch(() => {})
`

export const commitHookCommand = defineCommand({
  name: 'commit-hook',
  summary: 'Print a hook of git that adds the key of the issue in progress to messages',
  details: [
    'In the repository, for both of its hooks (docs/git.md says how beside hooks of your own):',
    '  npm run -s tracker -- commit-hook | tee .git/hooks/prepare-commit-msg > .git/hooks/commit-msg',
    '  chmod +x .git/hooks/prepare-commit-msg .git/hooks/commit-msg',
    'It asks the server at TRACKER_URL with TRACKER_TOKEN; where there is no answer, the message stays as it is.'
  ].join('\n'),
  database: false,
  async run() {
    process.stdout.write(SCRIPT)
  }
})
