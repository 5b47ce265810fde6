import type { EndpointName } from '@carillon/contract'
import type { QueryKey } from '@tanstack/react-query'
import { call, type CallData, type CallInput } from './call.ts'

/** A call and the part of its response that is needed: for tables whose entries read different calls. */
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
    // The data was returned by this call's query.
    select: (data) => select(data as CallData<Name>),
  }
}

/**
 * Makes one read per id. Needed where `select` returns functions: a new `select` on each render would return new ones, which
 * count as changed data.
 */
export function readPerId<Value>(make: (id: string) => ApiRead<Value>): (id: string) => ApiRead<Value> {
  const reads = new Map<string, ApiRead<Value>>()
  return (id) => {
    const read = reads.get(id) ?? make(id)
    reads.set(id, read)
    return read
  }
}
