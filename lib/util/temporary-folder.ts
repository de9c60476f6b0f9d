import { mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join } from 'node:path'

/** Age after which another machine's unchanged folder counts as abandoned. */
const MAX_AGE_MS = 7 * 24 * 60 * 60_000
const host = hostname().replaceAll(/[^\w.-]/g, '')
/** The folders of this process: an earlier process may have had its id. */
const own = new Set<string>()

/**
 * Makes an empty folder that is removed on disposal, and removes abandoned ones of killed processes with the same
 * prefix. Its name has the machine and the process id.
 */
export async function makeTemporaryFolder(parent: string, prefix: string): Promise<AsyncDisposable & { path: string }> {
  await removeLeft(parent, prefix)
  const path = await mkdtemp(join(parent, `${prefix}${process.pid}@${host}-`))
  own.add(path)
  return {
    path,
    async [Symbol.asyncDispose]() {
      await rm(path, { recursive: true, force: true })
      own.delete(path)
    }
  }
}

async function removeLeft(parent: string, prefix: string): Promise<void> {
  for (const name of await readdir(parent)) {
    const [, pid, owner] = name.startsWith(prefix) ? (/^(\d+)@(.*)-\w{6}$/.exec(name.slice(prefix.length)) ?? []) : []
    const path = join(parent, name)
    if (pid === undefined || own.has(path)) continue
    const isLeft = owner === host ? !isOther(Number(pid)) : await isOld(path)
    // Folders of other users cannot be removed.
    if (isLeft) await rm(path, { recursive: true, force: true }).catch(() => {})
  }
}

/** True if another process of this machine has the id. */
function isOther(pid: number): boolean {
  if (pid === process.pid) return false
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH'
  }
}

const isOld = (path: string): Promise<boolean> =>
  stat(path).then(
    ({ mtimeMs }) => Date.now() - mtimeMs > MAX_AGE_MS,
    () => false
  )
