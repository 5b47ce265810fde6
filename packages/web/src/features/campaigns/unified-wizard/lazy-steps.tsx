import { lazyPart } from '../../../lib/lazy-part.tsx'
import { Loading, SkeletonLines } from '../../../ui/skeleton.tsx'

const loading = (
  <Loading>
    <SkeletonLines count={8} />
  </Loading>
)

// The steps of campaigns over several channels, which the wizard of a single channel does not load.
export const ChannelsStep = lazyPart(() => import('./channels-step.tsx').then((code) => code.ChannelsStep), loading)
export const TemplatesStep = lazyPart(() => import('./templates-step.tsx').then((code) => code.TemplatesStep), loading)
export const ConditionsStep = lazyPart(
  () => import('./conditions-step.tsx').then((code) => code.ConditionsStep),
  loading,
)
