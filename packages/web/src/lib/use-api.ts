import type { EndpointName } from '@carillon/contract'
import {
  keepPreviousData,
  useMutation,
  useQuery,
  useQueryClient,
  type QueryClient,
  type UseMutationResult,
  type UseQueryResult,
} from '@tanstack/react-query'
import { useState } from 'react'
import { call, mayCall, type CallData, type CallError, type CallInput } from './call.ts'
import { Presses } from './presses.ts'

type ReadOptions<Name extends EndpointName> = {
  enabled?: boolean
  /** Keeps showing the previous page while the next one loads. */
  keepPrevious?: boolean
  /** In milliseconds; by what was read last, if a function. */
  refetchInterval?: number | false | ((data: CallData<Name> | undefined) => number | false)
  staleTime?: number
}

/** Reads through the contract: `useApi('campaigns.list', { query: { page } })` */
export function useApi<Name extends EndpointName>(
  name: Name,
  input: CallInput<Name>,
  { enabled = true, keepPrevious, refetchInterval, staleTime }: ReadOptions<Name> = {},
): UseQueryResult<CallData<Name>, CallError> {
  return useQuery<CallData<Name>, CallError>({
    queryKey: [name, input],
    queryFn: ({ signal }) => call(name, input, { signal }),
    enabled: enabled && mayCall(name),
    ...(keepPrevious ? { placeholderData: keepPreviousData } : {}),
    ...(refetchInterval === undefined ? {} : { refetchInterval: intervalOf(refetchInterval) }),
    ...(staleTime === undefined ? {} : { staleTime }),
  })
}

function intervalOf<Data>(interval: number | false | ((data: Data | undefined) => number | false)) {
  return typeof interval === 'function'
    ? ({ state }: { state: { data: Data | undefined } }) => interval(state.data)
    : interval
}

type WriteOptions<Name extends EndpointName> = {
  /** Reads to invalidate afterwards. */
  refreshes?: readonly EndpointName[]
  onSuccess?: (data: CallData<Name>, input: CallInput<Name>) => void
  onError?: (error: CallError, input: CallInput<Name>) => void
}

/**
 * A mutation of one form or button: repeated presses are ignored, and every write has an idempotency key. Screens use
 * `useApiWrite`; this is for writes of more than one call.
 */
export function useWriteOnce<Data, Input>({
  write,
  onSuccess,
  onError,
}: {
  write: (input: Input, options: { key: string }) => Promise<Data>
  onSuccess?: (data: Data, input: Input) => void
  onError?: (error: CallError, input: Input) => void
}): UseMutationResult<Data, CallError, Input> {
  const [presses] = useState(() => new Presses())
  const mutation = useMutation<Data, CallError, Input>({
    mutationFn: (input) => presses.finish(input, (key) => write(input, { key })),
    ...(onSuccess ? { onSuccess } : {}),
    ...(onError ? { onError } : {}),
  })
  const mutate: typeof mutation.mutate = (...press) => {
    if (presses.begin(press[0])) mutation.mutate(...press)
  }
  return { ...mutation, mutate }
}

/** Writes through the contract. `const remove = useApiWrite('optOuts.remove', { refreshes: ['optOuts.list'] })` */
export function useApiWrite<Name extends EndpointName>(
  name: Name,
  { refreshes = [], onSuccess, onError }: WriteOptions<Name> = {},
): UseMutationResult<CallData<Name>, CallError, CallInput<Name>> {
  const queries = useQueryClient()
  return useWriteOnce<CallData<Name>, CallInput<Name>>({
    write: (input, options) => call(name, input, options),
    onSuccess: (data, input) => {
      void refresh(queries, refreshes)
      onSuccess?.(data, input)
    },
    ...(onError ? { onError } : {}),
  })
}

/** Invalidates all reads of these calls and refetches those on screen. */
export async function refresh(queries: QueryClient, changed: readonly EndpointName[]) {
  // The balance is read by two calls.
  const names = changed.includes('balance.get') ? [...changed, 'balance.resellerBalances' as const] : changed
  await Promise.all(names.map((name) => queries.invalidateQueries({ queryKey: [name] })))
}

export { fieldMessages, unplacedMessage } from './field-messages.ts'
