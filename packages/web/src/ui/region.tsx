import type { ReactNode } from 'react'
import { Failure } from './failure.tsx'
import { Loaded } from './loaded.tsx'
import { Loading, SkeletonLines } from './skeleton.tsx'

type Read<T> = {
  data: T | undefined
  error: Error | null
  isPending: boolean
  refetch: () => unknown
  dataUpdatedAt: number
}

type RegionProps<T> = { read: Read<T>; label: string; lines?: number; children: (data: T) => ReactNode }

/** A dashboard query with its own loading, error and content state. */
export function Region<T>({ read, label, lines = 4, children }: RegionProps<T>) {
  if (read.data !== undefined) {
    return (
      <>
        {read.error ? (
          <Failure error={read.error} onRetry={() => void read.refetch()} staleSince={read.dataUpdatedAt} />
        ) : null}
        <Loaded at={read.dataUpdatedAt} isStale={read.error !== null}>
          {children(read.data)}
        </Loaded>
      </>
    )
  }
  if (read.error) return <Failure error={read.error} onRetry={() => void read.refetch()} />
  return (
    <Loading label={`Loading ${label}`}>
      <SkeletonLines count={lines} />
    </Loading>
  )
}
