import clsx from 'clsx'
import { useEffect, useState, type ReactNode } from 'react'
import { stillWorkingMs } from '../lib/constants.ts'

/** A placeholder of the content's size. */
export function Skeleton({ className }: { className?: string }) {
  return (
    <span
      aria-hidden
      className={clsx(
        'inline-block h-3 animate-shimmer rounded-sm bg-[linear-gradient(90deg,var(--accent)_30%,color-mix(in_oklab,var(--accent)_55%,var(--background))_50%,var(--accent)_70%)] bg-[length:300%_100%]',
        className,
      )}
    />
  )
}

/** Shows its content only after a noticeable wait. */
export function AfterDelay({ ms = 200, children }: { ms?: number; children: ReactNode }) {
  return useHasPassed(ms) ? children : null
}

function useHasPassed(ms: number): boolean {
  const [passed, setPassed] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setPassed(true), ms)
    return () => clearTimeout(timer)
  }, [ms])
  return passed
}

/**
 * Loading state: nothing for 200 ms, then skeletons, after 10 s a message. Skeletons take up space from the start, so that
 * the layout does not shift.
 */
export function Loading({ label = 'Loading', children }: { label?: string; children: ReactNode }) {
  const isLong = useHasPassed(200)
  return (
    <div aria-busy="true" className="min-w-0">
      <span className="sr-only" role="status">
        {label}
      </span>
      <div className={isLong ? undefined : 'invisible'}>{children}</div>
      <StillWorking />
    </div>
  )
}

/** Replaces a loading state after ten seconds. */
export function StillWorking() {
  return (
    <AfterDelay ms={stillWorkingMs}>
      <p role="status" className="p-4 text-center text-dense text-muted-foreground">
        Still working…
      </p>
    </AfterDelay>
  )
}

export function SkeletonLines({ count = 4 }: { count?: number }) {
  return (
    <div className="flex flex-col gap-3 p-4">
      {Array.from({ length: count }, (_, index) => (
        <Skeleton key={index} className={index % 2 ? 'w-3/5' : 'w-4/5'} />
      ))}
    </div>
  )
}
