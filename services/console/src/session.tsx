// Who is signed in, for all pages; and whether this tab may still write (ui.md 1: workspace switch over tabs).

import { type UseQueryResult, useQuery } from '@tanstack/react-query'
import { isProblem } from '@wds/api-client/problem'
import { createContext, useContext } from 'react'
import { api, type Schemas } from './api.ts'

export type Session = Awaited<ReturnType<typeof readSession>>
export type Workspace = Schemas['OwnWorkspace']

async function readSession() {
  const { data } = await api.get('/v1/session')
  api.takeSession(data.csrf_token)
  return data
}

export function useSessionQuery(): UseQueryResult<Session> {
  return useQuery({
    queryKey: ['session'],
    queryFn: readSession,
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnWindowFocus: false,
  })
}

export const SessionContext = createContext<Session | null>(null)

/** The session of the page; only within the shell. */
export function useSession(): Session {
  const session = useContext(SessionContext)
  if (session === null) throw new Error('there is no session outside of the shell')
  return session
}

/** Is nobody signed in? */
export const isSignedOut = (error: unknown): boolean => isProblem(error) && error.status === 401

/** Where the sign-in comes back to: the path within the console. */
export function signInHref(location: { pathname: string; search: string }): string {
  const path = `${location.pathname}${location.search}`
  const way = path.startsWith('/w/') || path === '/' ? path : `/?to=${encodeURIComponent(path)}`
  return `/sign-in?return_to=${encodeURIComponent(way)}`
}

const channelName = 'wds-workspace'

/** A switch that failed, with the way to try it again; null when it is tried. */
export type FailedSwitch = { error: Error; again: () => void } | null
const failures = new Set<(failed: FailedSwitch) => void>()

/** Calls back when a switch of this tab has failed; returns how to stop. */
export function onFailedSwitch(listener: (failed: FailedSwitch) => void): () => void {
  failures.add(listener)
  return () => failures.delete(listener)
}

/** Makes another workspace the current one, tells the other tabs, and opens it in this one. Where that fails the shell says so. */
export async function switchWorkspace(workspace: Workspace, path = ''): Promise<void> {
  const tell = (failed: FailedSwitch) => failures.forEach((listener) => void listener(failed))
  tell(null)
  try {
    await api.post('/v1/session/switch', { body: { workspace_id: workspace.id } })
  } catch (error) {
    return tell({ error: error as Error, again: () => void switchWorkspace(workspace, path) })
  }
  const channel = new BroadcastChannel(channelName)
  channel.postMessage({ workspaceId: workspace.id })
  channel.close()
  location.assign(`/w/${workspace.slug}/${path}`)
}

/** Calls back when another tab switches to another workspace; returns how to stop. */
export function onWorkspaceSwitch(current: string, listener: () => void): () => void {
  const channel = new BroadcastChannel(channelName)
  channel.onmessage = ({ data }: MessageEvent<{ workspaceId?: string }>) => {
    if (data.workspaceId !== undefined && data.workspaceId !== current) listener()
  }
  return () => channel.close()
}
