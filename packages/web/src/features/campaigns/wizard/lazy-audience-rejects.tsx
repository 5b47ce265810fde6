import { lazy, Suspense } from 'react'
import { loadCode } from '../../../lib/load-code.ts'
import { SkeletonLines } from '../../../ui/skeleton.tsx'
import type { AudienceRejectsProps } from './audience-rejects.tsx'

const Rejects = lazy(async () => ({
  default: (await loadCode(() => import('./audience-rejects.tsx'))).AudienceRejects,
}))

/** The rejected rows, if there are any. */
export function AudienceRejects(props: AudienceRejectsProps) {
  const { sampleErrors, corrections } = props.audience
  if (sampleErrors.length + corrections.rows.length === 0) return null
  return (
    <Suspense fallback={<SkeletonLines count={5} />}>
      <Rejects {...props} />
    </Suspense>
  )
}
