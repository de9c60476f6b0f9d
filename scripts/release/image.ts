import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** The files that `docker build` takes: Dockerfile and what .dockerignore lets in, as paths from the project. */
export function imageFiles(project: string): string[] {
  const entries = readFileSync(join(project, '.dockerignore'), 'utf8').split('\n')
  const paths = entries.filter(line => line.startsWith('!')).map(line => line.slice(1))
  const excluded = entries
    .filter(line => line.startsWith('**/'))
    .flatMap(line => [`:(exclude,glob)${line}`, `:(exclude,glob)${line}/**`])
  const options = ['-z', '--cached', '--others', '--exclude-standard', '--']
  const args = ['ls-files', ...options, 'Dockerfile', '.dockerignore', ...paths, ...excluded]
  const files = execFileSync('git', args, { cwd: project, encoding: 'utf8', maxBuffer: 1 << 26 }).split('\0')
  // One that is removed and not committed is named, too.
  return files.filter(file => file && existsSync(join(project, file))).sort()
}
