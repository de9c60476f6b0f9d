import { createHash } from 'node:crypto'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** The file into which `npm run screenshots` writes the hash of the sources of the pictures. */
export const INPUTS_FILE = 'docs/images/inputs.sha256'

/**
 * The sources of the pictures: the styles, the sample board, and the script with the pages that it opens. Not the
 * components: most changes of them cannot be seen in these pictures, and each would need new ones.
 */
const INPUTS = [
  'plugins/ui/browser/**/*.css',
  'plugins/*/ui/**/*.css',
  'plugins/demo/content.ts',
  'scripts/screenshot-inputs.ts',
  'scripts/screenshots.ts'
]

/** @param root of the project */
export function hashOfInputs(root: string): string {
  const hash = createHash('sha256')
  for (const file of globSync(INPUTS, { cwd: root }).sort()) {
    hash
      .update(`${file}\n`)
      .update(readFileSync(join(root, file)))
      .update('\n')
  }
  return hash.digest('hex')
}
