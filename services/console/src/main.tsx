// Starts the console in the browser: design, data, session, then the pages. Without a session it goes to the sign-in, which comes back here.
import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode, useMemo } from 'react'
import { createRoot } from 'react-dom/client'
import { ProblemNote } from './components/problem-note.tsx'
import { DesignProvider } from './components/provider.tsx'
import { Skeleton } from './components/skeleton.tsx'
import { watchInput } from './polling.ts'
import { createQueryClient } from './queries.ts'
import { createConsoleRouter } from './router.tsx'
import { isSignedOut, type Session, SessionContext, signInHref, useSessionQuery } from './session.tsx'
import { texts } from './texts.ts'

function Console() {
  const { data, error, refetch } = useSessionQuery()
  if (data !== undefined) return <SignedIn session={data} />
  if (isSignedOut(error)) {
    location.replace(signInHref(location))
    return null
  }
  return (
    <main className="wds-content">
      {error === null ? (
        <Skeleton rows={4} />
      ) : (
        <ProblemNote error={error} onTryAgain={() => void refetch()}>
          {/* The one way out for who is a member of no workspace. */}
          <a href="/sign-in">{texts.account.account}</a>
        </ProblemNote>
      )}
    </main>
  )
}

function SignedIn({ session }: { session: Session }) {
  const { slug } = session.workspace
  const router = useMemo(() => createConsoleRouter(slug), [slug])
  return (
    <SessionContext value={session}>
      <RouterProvider router={router} />
    </SessionContext>
  )
}

const nonce = document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? ''
const place = document.getElementById('root')
if (place === null) throw new Error('the document has no place for the pages')
watchInput()
createRoot(place).render(
  <StrictMode>
    <DesignProvider nonce={nonce}>
      <QueryClientProvider client={createQueryClient()}>
        <Console />
      </QueryClientProvider>
    </DesignProvider>
  </StrictMode>,
)
