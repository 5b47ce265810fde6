import { channelList } from '../../channels/index.ts'

/** What each channel lets those who run the installation set. */
export function ChannelsSection() {
  return (
    <div className="flex flex-col gap-8">
      {channelList.map(({ channel, Settings }) => (Settings ? <Settings key={channel} /> : null))}
    </div>
  )
}
