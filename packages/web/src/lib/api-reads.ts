import type { EndpointName } from '@carillon/contract'
import { keepPreviousData, useQueries, type QueryKey, type UseQueryResult } from '@tanstack/react-query'
import { call, mayCall, type CallData, type CallError, type CallInput } from './call.ts'

/** What one call reads, and what of it is needed: for tables whose entries read different calls. */
export type ApiRead<Value> = {
  name: EndpointName
  queryKey: QueryKey
  queryFn: (context: { signal: AbortSignal }) => Promise<unknown>
  select: (data: unknown) => Value
}

export function apiRead<Name extends EndpointName, Value>(
  name: Name,
  input: CallInput<Name>,
  select: (data: CallData<Name>) => Value,
): ApiRead<Value> {
  return {
    name,
    queryKey: [name, input],
    queryFn: ({ signal }) => call(name, input, { signal }),
    // The data is what this call's query returned.
    select: (data) => select(data as CallData<Name>),
  }
}

type ReadsOptions = { enabled?: boolean; keepPrevious?: boolean; refetchInterval?: number }

/** Reads several calls at once; those that the role may not make stay without data. */
export function useApiReads<Value>(
  reads: readonly ApiRead<Value>[],
  { enabled = true, keepPrevious, refetchInterval }: ReadsOptions = {},
): UseQueryResult<Value, CallError>[] {
  return useQueries({
    queries: reads.map(({ name, ...read }) => ({
      ...read,
      enabled: enabled && mayCall(name),
      ...(keepPrevious ? { placeholderData: keepPreviousData } : {}),
      ...(refetchInterval === undefined ? {} : { refetchInterval }),
    })),
  })
}
