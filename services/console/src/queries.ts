// Reading and writing from pages: what is fetched, how often, and the idempotency key of a write that is retried.

import { QueryClient, useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { newIdempotencyKey } from '@wds/api-client/client'
import type { Answer, DataOf, OptionsOf, PathOf } from '@wds/api-client/operations'
import type { ListPath } from '@wds/api-client/pages'
import { isProblem, NoAnswer } from '@wds/api-client/problem'
import { withoutUndefined } from '@wds/contracts/without-undefined'
import { useRef } from 'react'
import { api } from './api.ts'
import { noteRateLimit, usePolling } from './polling.ts'
import type { Pace } from './view-models/polling.ts'

export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: 2_000,
        gcTime: 300_000,
        refetchOnWindowFocus: true,
        // An answer stands, whatever it says; only a call without an answer is retried, once.
        retry: (count, error) => error instanceof NoAnswer && count < 1,
        retryDelay: 500,
        networkMode: 'always',
      },
      mutations: { networkMode: 'always' },
    },
  })
}

type Read = (path: string, options: object) => Promise<Answer<unknown>>
const read = api.get as unknown as Read

async function ask(path: string, options: object, signal: AbortSignal): Promise<Answer<unknown>> {
  try {
    const answer = await read(path, { ...options, signal })
    noteRateLimit(answer.rateLimit)
    return answer
  } catch (error) {
    // Who is asked to wait is asked no sooner.
    if (isProblem(error) && error.retryAfterSeconds !== null)
      noteRateLimit({ remaining: 0, resetSeconds: error.retryAfterSeconds })
    throw error
  }
}

export interface ReadControl {
  /** Unset: fetched once, and after writes. */
  pace?: Pace
  /** False: not yet. */
  enabled?: boolean
}

export interface Reading<T> {
  data: T | undefined
  /** Of a single resource, for If-Match. */
  etag: string | null
  error: Error | null
  isPending: boolean
  /** Epoch milliseconds of the data; 0 without. */
  asOfMs: number
  refetch(): void
}

/** Older data stay for another question about the same resource; those of another resource never stand in for it. */
const isOfSame = (before: unknown, now: unknown) =>
  JSON.stringify((before as { path?: object } | undefined)?.path) === JSON.stringify((now as { path?: object }).path)

/** One resource, or the first page of a list. Older data stay while newer ones are fetched. */
export function useRead<P extends PathOf<'get'>>(
  path: P,
  options: Omit<OptionsOf<P, 'get'>, 'signal' | 'previous'>,
  control: ReadControl = {},
): Reading<DataOf<P, 'get'>> {
  const { enabled = true, pace } = control
  const { data, error, isPending, isFetching, dataUpdatedAt, errorUpdatedAt, refetch } = useQuery({
    queryKey: [path, options],
    queryFn: ({ signal }) => ask(path, options, signal),
    enabled,
    placeholderData: (before, query) => (isOfSame(query?.queryKey[1], options) ? before : undefined),
  })
  const again = () => void refetch()
  usePolling(enabled && !isFetching ? pace : undefined, Math.max(dataUpdatedAt, errorUpdatedAt), again)
  return {
    data: data?.data as DataOf<P, 'get'> | undefined,
    etag: data?.etag ?? null,
    error,
    isPending,
    asOfMs: dataUpdatedAt,
    refetch: again,
  }
}

export type ItemOf<P extends ListPath> = DataOf<P, 'get'> extends { data: (infer Item)[] } ? Item : never

export interface ListReading<T> {
  rows: readonly T[] | undefined
  error: Error | null
  isPending: boolean
  asOfMs: number
  hasMore: boolean
  isLoadingMore: boolean
  loadMore(): void
  refetch(): void
}

/** A list by its cursor, page behind page. */
export function useList<P extends ListPath>(
  path: P,
  options: Omit<OptionsOf<P, 'get'>, 'signal' | 'previous'>,
  control: ReadControl = {},
): ListReading<ItemOf<P>> {
  const given = options as { query?: Record<string, unknown> }
  const { enabled = true, pace } = control
  const query = useInfiniteQuery({
    queryKey: [path, options, 'list'],
    initialPageParam: null as string | null,
    queryFn: ({ pageParam, signal }) =>
      ask(
        path,
        {
          ...given,
          query: withoutUndefined<Record<string, unknown>>({ ...given.query, cursor: pageParam ?? undefined }),
        },
        signal,
      ),
    getNextPageParam: ({ data }) => (data as { next_cursor: string | null }).next_cursor,
    enabled,
  })
  const again = () => void query.refetch()
  usePolling(
    enabled && !query.isFetching ? pace : undefined,
    Math.max(query.dataUpdatedAt, query.errorUpdatedAt),
    again,
  )
  const pages = query.data?.pages as Answer<{ data: ItemOf<P>[] }>[] | undefined
  return {
    rows: pages?.flatMap((page) => page.data.data),
    error: query.error,
    isPending: query.isPending,
    asOfMs: query.dataUpdatedAt,
    hasMore: query.hasNextPage,
    isLoadingMore: query.isFetchingNextPage,
    loadMore: () => void query.fetchNextPage(),
    refetch: again,
  }
}

export interface Command<Input> {
  run(input: Input): void
  isRunning: boolean
  error: Error | null
  /** What the error is about. */
  sent: Input | undefined
  /** Forgets the error. */
  reset(): void
}

/** A write. A retry with the same input has the same idempotency key. `invalidates`: paths whose data are fetched again, also after a 412. */
export function useCommand<Input, Output>(
  send: (input: Input, o: { idempotencyKey: string }) => Promise<Output>,
  o: {
    invalidates?: readonly string[]
    /** True: what the page shows is gone, so it is not fetched again. */
    leavesPage?: boolean
    onDone?: (output: Output, input: Input) => void
  } = {},
): Command<Input> {
  const client = useQueryClient()
  const lastTry = useRef<{ input: string; key: string } | null>(null)
  const invalidate = (refetchType: 'active' | 'none') =>
    Promise.all(
      (o.invalidates ?? []).map((path) =>
        client.invalidateQueries({
          refetchType,
          predicate: ({ queryKey: [key] }) => typeof key === 'string' && key.startsWith(path),
        }),
      ),
    )
  const mutation = useMutation({
    mutationFn: (input: Input) => {
      const text = JSON.stringify(input) ?? ''
      if (lastTry.current?.input !== text) lastTry.current = { input: text, key: newIdempotencyKey() }
      return send(input, { idempotencyKey: lastTry.current.key })
    },
    // Secrets of an answer must not outlive the dialog that shows them.
    gcTime: 0,
    onSuccess: async (output, input) => {
      lastTry.current = null
      o.onDone?.(output, input)
      await invalidate(o.leavesPage ? 'none' : 'active')
    },
    // After a 412 the page shows the new version beside the refusal, and the next write is over that one.
    onError: (error) => (isProblem(error, 'precondition_failed') ? invalidate('active') : undefined),
  })
  return {
    run: (input) => mutation.mutate(input),
    isRunning: mutation.isPending,
    error: mutation.error,
    sent: mutation.variables,
    reset: mutation.reset,
  }
}
