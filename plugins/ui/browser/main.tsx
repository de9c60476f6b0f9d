import { QueryClientProvider } from '@tanstack/react-query'
import { StrictMode, useEffect, useState } from 'react'
import { createRoot } from 'react-dom/client'
import { matchRoute, useRouter } from 'wouter'
import { WithPictures } from './avatar/pictures.tsx'
import { ApiProblem, SIGNED_OUT } from './data/api.ts'
import { FreshQueryClient } from './data/fresh-queries.ts'
import { removeOldDrafts } from './editor/drafts.ts'
import { keepPage } from './editor/files/uploads.ts'
import { plugins, prefix } from './go.ts'
import { keepComposition } from './keys.ts'
import { contributions, install, pages, type Part } from './registry.ts'
import { SESSION_KEY, useSessionState, type Session } from './session/session.ts'
import { shellPart } from './shell/shell-part.ts'
import { Shell } from './shell/shell.tsx'
import { SignIn } from './session/sign-in.tsx'
import { keepWaiting, Waiting } from './session/waiting.tsx'
import { applyDensity } from './sizes/density.ts'
import { applyTheme } from './theme.ts'
import './tokens.css'

const RETRIES = 2
const client = new FreshQueryClient({
  defaultOptions: {
    // The server may be on this machine, or in a network without internet: only a request shows whether it answers.
    mutations: { networkMode: 'always' },
    queries: {
      networkMode: 'always',
      refetchOnReconnect: true,
      staleTime: 10_000,
      // A refused request would be refused again.
      retry: (count, error) =>
        count < RETRIES && !(error instanceof ApiProblem && error.status >= 400 && error.status < 500)
    }
  }
})

function App() {
  const { session, error } = useSessionState()
  usePreparedPage(session?.account != null)
  useEffect(() => {
    const signedOut = () =>
      client.setQueryData<Session>(SESSION_KEY, { account: null, workspace: null, eventCursor: null })
    window.addEventListener(SIGNED_OUT, signedOut)
    return () => window.removeEventListener(SIGNED_OUT, signedOut)
  }, [])
  if (session === undefined) return <Waiting error={error} />
  if (session.account === null || session.workspace === null) return <SignIn />
  return (
    <WithPictures>
      <Shell account={session.account} workspace={session.workspace} eventCursor={session.eventCursor} />
    </WithPictures>
  )
}

function usePreparedPage(isSignedIn: boolean): void {
  const { parser } = useRouter()
  const [page] = useState(() => {
    const path = location.pathname.slice(prefix.length)
    return contributions(pages).find(page => matchRoute(parser, page.path, path)[0])
  })
  useEffect(() => {
    page?.load().catch(() => undefined)
  }, [page])
  useEffect(() => {
    if (isSignedIn) page?.prepare?.(client).catch(() => undefined)
  }, [page, isSignedIn])
}

export function start(parts: ReadonlyArray<readonly [plugin: string, part: Part]>): void {
  install([...parts.filter(([plugin]) => plugins.includes(plugin)).map(([, part]) => part), shellPart])
  applyTheme()
  applyDensity()
  keepComposition()
  keepPage()
  removeOldDrafts()
  const root = document.getElementById('root')!
  keepWaiting(root)
  createRoot(root).render(
    <StrictMode>
      <QueryClientProvider client={client}>
        <App />
      </QueryClientProvider>
    </StrictMode>
  )
}
