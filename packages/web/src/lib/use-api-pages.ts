import type { EndpointName } from '@carillon/contract'
import { useInfiniteQuery, type InfiniteData, type UseInfiniteQueryResult } from '@tanstack/react-query'
import { call, mayCall, type CallData, type CallError, type CallInput } from './call.ts'

type PagesOptions<Name extends EndpointName> = {
  /** Input of the call for a page; also the cache key. */
  inputOf: (page: number) => CallInput<Name>
  hasMore: (last: CallData<Name>, page: number) => boolean
  refetchInterval?: number
}

/** Reads page by page, for lists that grow at the end. */
export function useApiPages<Name extends EndpointName>(
  name: Name,
  { inputOf, hasMore, refetchInterval }: PagesOptions<Name>,
): UseInfiniteQueryResult<InfiniteData<CallData<Name>>, CallError> {
  return useInfiniteQuery<CallData<Name>, CallError, InfiniteData<CallData<Name>>, readonly unknown[], number>({
    queryKey: [name, 'pages', inputOf(1)],
    queryFn: ({ pageParam, signal }) => call(name, inputOf(pageParam), { signal }),
    initialPageParam: 1,
    getNextPageParam: (last, _all, page) => (hasMore(last, page) ? page + 1 : undefined),
    enabled: mayCall(name),
    ...(refetchInterval === undefined ? {} : { refetchInterval }),
  })
}
