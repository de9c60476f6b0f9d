import { shellQuoted } from '../../../lib/util/shell-quoted.ts'
import { CLIENT_TEXTS, nextSteps, type ClientName } from './names.ts'

export interface NewFile {
  path: string
  isInHome: boolean
  content: string
}

const END = 'END_OF_THE_FILE'

export function scriptOf(client: ClientName, files: readonly NewFile[]): string {
  const { title } = CLIENT_TEXTS[client]
  const lines = files.length > 0 ? nextSteps(client) : [`This server has nothing to connect ${title} to.`]
  return [
    FUNCTION,
    ...files.map(({ path, isInHome, content }) => {
      const target = isInHome ? `"$HOME/${path}"` : `'${path}'`
      return `create ${target} <<'${END}'\n${content.replace(/\n?$/, '\n')}${END}`
    }),
    ...lines.map(line => `printf '%s\\n' ${shellQuoted(line)}`),
    ''
  ].join('\n')
}

const FUNCTION = `#!/bin/sh
set -eu
# create PATH: a new file from the standard input; prints it where there is another one already.
create() {
  content=$(mktemp)
  cat > "$content"
  if [ ! -e "$1" ]; then
    mkdir -p "$(dirname "$1")"
    cp "$content" "$1"
    echo "created $1"
  elif cmp -s "$content" "$1"; then
    echo "unchanged $1"
  else
    echo "$1 exists already. Add this to it:"
    cat "$content"
  fi
  rm "$content"
}`
