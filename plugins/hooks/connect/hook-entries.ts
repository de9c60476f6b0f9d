import { type Harness } from '../contract.ts'
import { FORMATS } from '../harnesses.ts'
import { isObject, type JsonFile } from './json-file.ts'
import { TOKEN_VARIABLE } from './options.ts'

/** Seconds to wait for the server, and the slightly longer timeout of the client. */
const ANSWER_TIMEOUT_SECONDS = 10
const HOOK_TIMEOUT_SECONDS = 15

type GroupedHarness = Exclude<Harness, 'cursor'>
/** The clients' names of the start of a session, of a prompt, and of the end of a turn. */
const EVENT_NAMES: Record<GroupedHarness, readonly [string, string, string]> = {
  'claude-code': ['SessionStart', 'UserPromptSubmit', 'Stop'],
  codex: ['SessionStart', 'UserPromptSubmit', 'Stop'],
  gemini: ['SessionStart', 'BeforeAgent', 'AfterAgent']
}
/** Gemini CLI counts milliseconds. */
const timeoutOf = (harness: Harness): number => HOOK_TIMEOUT_SECONDS * (harness === 'gemini' ? 1000 : 1)

export function addGroupedHooks(file: JsonFile, harness: GroupedHarness, url: string): void {
  const [start, prompt, stop] = EVENT_NAMES[harness]
  for (const [name, event] of [
    [start, 'session-start'],
    [prompt, 'prompt'],
    [stop, 'stop']
  ] as const) {
    addHook(file, name, commandFor(url, event, harness), command => ({
      hooks: [{ type: 'command', command, timeout: timeoutOf(harness) }]
    }))
  }
}

/** Cursor has lists of handlers, and no hook for a prompt that can add to it. */
export function addCursorHooks(file: JsonFile, url: string): void {
  if (file.at(['version']) === undefined) file.set(['version'], 1)
  for (const [name, event] of [
    ['sessionStart', 'session-start'],
    ['stop', 'stop']
  ] as const) {
    addHook(file, name, commandFor(url, event, 'cursor'), command => ({ command, timeout: HOOK_TIMEOUT_SECONDS }))
  }
}

/**
 * An existing hook that calls the endpoint gets only a new address, unless it has the command of an earlier version.
 */
function addHook(
  file: JsonFile,
  event: string,
  { address, command }: HookCommand,
  entry: (command: string) => object
): void {
  const hooks = file.at(['hooks'])
  if (hooks !== undefined && !isObject(hooks)) throw new Error("has 'hooks' that are not an object")
  const entries = hooks?.[event] ?? []
  if (!Array.isArray(entries)) throw new Error(`has hooks for '${event}' that are not a list`)
  const known = stringsIn(entries, ['hooks', event]).find(({ text }) => text.includes(pathOf(address)))
  if (known === undefined) file.set(['hooks', event, entries.length], entry(command))
  else if (COMMAND_OF_0_1.test(known.text)) file.set(known.path, command)
  else {
    file.set(
      known.path,
      known.text.replace(new RegExp(`https?://[^\\s"']*?${RegExp.escape(pathOf(address))}`), address)
    )
  }
}
/** The complete command of version 0.1, which does not report a refused token. */
const COMMAND_OF_0_1 = new RegExp(
  [
    String.raw`^\{ \{ printf 'header = "Authorization: Bearer %s"' "\$${TOKEN_VARIABLE}" \| `,
    String.raw`curl -sf --max-time \d+ -K /dev/fd/3 -H 'Content-Type: application/json' --data-binary @- '[^']*' `,
    String.raw`3<&0 0<&4; \} 4<&0 \|\| echo '\{\}'; \}$`
  ].join('')
)
const pathOf = (address: string) => address.slice(address.indexOf('/v1/'))

function stringsIn(
  value: unknown,
  path: Array<string | number>
): Array<{ path: Array<string | number>; text: string }> {
  if (typeof value === 'string') return [{ path, text: value }]
  if (Array.isArray(value)) return value.flatMap((item, n) => stringsIn(item, [...path, n]))
  return isObject(value) ? Object.entries(value).flatMap(([key, item]) => stringsIn(item, [...path, key])) : []
}

interface HookCommand {
  address: string
  command: string
}

/**
 * All in one group, so that a client may append the input as a here-document. curl reads the token from a pipe, because
 * everybody on the machine can see its arguments. Without an answer the command prints `{}`, so that the agent goes on;
 * a refused token is reported once, when a session starts.
 */
function commandFor(url: string, event: string, harness: Harness): HookCommand {
  const address = `${url}/v1/agent-hooks/${event}?harness=${harness}`
  const header = `printf 'header = "Authorization: Bearer %s"' "${tokenIn(harness)}"`
  const transfer = `-sf --max-time ${ANSWER_TIMEOUT_SECONDS} -K /dev/fd/3`
  const options = `${transfer} -H 'Content-Type: application/json' --data-binary @-`
  const answer = `answer=$(${header} | curl ${options} -w '%{http_code}' '${address}' 3<&0 0<&4)`
  const refused = JSON.stringify(FORMATS[harness].addContext('SessionStart', REFUSED_TOKEN))
  const cases = [
    `'{'*200) printf '%s\\n' "\${answer%200}" ;;`,
    ...(event === 'session-start' ? [`401) printf '%s\\n' '${refused}' ;;`] : []),
    `*) echo '{}' ;;`
  ]
  return { address, command: `{ { ${answer}; case "$answer" in ${cases.join(' ')} esac; } 4<&0; }` }
}

/** Gemini CLI puts the values of variables into the commands of its settings, where everybody could see them. */
const tokenIn = (harness: Harness): string =>
  harness === 'gemini' ? `$(printenv ${TOKEN_VARIABLE})` : `$${TOKEN_VARIABLE}`

/** The text for the agent, in a shell's single quotes. */
const REFUSED_TOKEN =
  `The tracker refuses the token in ${TOKEN_VARIABLE}, or there is none: tell the user to start this client with a ` +
  'valid one. Until then the tools and reminders of the tracker do not work.'
