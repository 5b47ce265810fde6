import { keepPreviousData, useQueries, type UseQueryResult } from '@tanstack/react-query'
import type { ApiRead } from './api-read.ts'
import { mayCall, type CallError } from './call.ts'

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
