import { Suspense } from 'react'
import { channelList } from '../../channels/index.ts'
import { Loading, SkeletonLines } from '../../ui/skeleton.tsx'

/** Channel settings for admins and resellers. */
export function ChannelsSection() {
  const loading = (
    <Loading label="Loading the settings">
      <SkeletonLines count={4} />
    </Loading>
  )
  return (
    <Suspense fallback={loading}>
      <div className="flex flex-col gap-8">
        {channelList.map(({ channel, Settings }) => (Settings ? <Settings key={channel} /> : null))}
      </div>
    </Suspense>
  )
}
