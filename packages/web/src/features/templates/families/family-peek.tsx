import type { Rendition, TemplateFamily } from '@carillon/contract/template-families'
import { ChannelMark, channelLabel } from '../../../channels/channel-mark.tsx'
import type { ChannelRenditions } from '../../../channels/channel-renditions.ts'
import { editorView } from '../../../channels/parts/templates/editor-view.ts'
import { MiniPhone } from '../../../channels/phone/mini-phone.tsx'
import { countOf } from '../../../lib/format.ts'
import { writeView } from '../../../lib/url-state.ts'
import { useApiReads } from '../../../lib/use-api-reads.ts'
import { AreaLink } from '../../../ui/area-link.tsx'
import { Facts } from '../../../ui/facts.tsx'
import { Failure } from '../../../ui/failure.tsx'
import { When } from '../../../ui/text.tsx'
import { linkClass } from '../../../ui/link-class.ts'
import { lossesOf, RenditionStatus } from './family-columns.tsx'
import { LossChips } from './loss-chips.tsx'
import { PhonePlace } from './phone-place.tsx'
import { familyChannels } from './use-renditions.ts'

/** A family's phones side by side, each with its status and what it lacks. */
export function FamilyPeek({ family }: { family: TemplateFamily }) {
  const { renditions, usedIn, updatedAt } = family
  return (
    <div className="flex flex-col gap-5 p-5">
      <ul
        aria-label="Renditions"
        className="flex snap-x gap-4 overflow-x-auto rounded-lg bg-sunken p-4 [&>:first-child]:ml-auto [&>:last-child]:mr-auto"
      >
        {renditions.map((rendition) => (
          <li key={rendition.channel} className="flex w-51 shrink-0 snap-center flex-col gap-2">
            <PeekRendition family={family} rendition={rendition} />
          </li>
        ))}
        {renditions.length === 0 ? (
          <li className="text-muted-foreground">Its templates were deleted. Edit the family to choose others.</li>
        ) : null}
      </ul>
      <Facts
        facts={[
          ['Used in', countOf(usedIn, 'campaign')],
          ['Updated', <When key="updated" at={updatedAt} />],
        ]}
      />
    </div>
  )
}

function PeekRendition({ family, rendition }: { family: TemplateFamily; rendition: Rendition }) {
  const { channel, templateId, name, reason } = rendition
  const own = familyChannels().find((each) => each.channel === channel)
  return (
    <>
      <div className="flex items-center justify-between gap-2">
        <ChannelMark channel={channel} />
        <RenditionStatus rendition={rendition} />
      </div>
      {own ? (
        <AreaLink
          to={own.screens.editorPath}
          search={writeView(editorView, { templateId })}
          className={`${linkClass} truncate`}
        >
          {name}
        </AreaLink>
      ) : null}
      {own ? <PeekPhone renditions={own.renditions} templateId={templateId} /> : null}
      {reason ? <p className="text-caption text-muted-foreground">{reason}</p> : null}
      <LossChips losses={lossesOf(family, rendition)} label={`Losses on ${channelLabel(channel)}`} />
    </>
  )
}

const phoneScale = 0.55

function PeekPhone({ renditions, templateId }: { renditions: ChannelRenditions; templateId: string }) {
  const [read] = useApiReads([renditions.read(templateId)])
  const [senders] = useApiReads([renditions.senders])
  return (
    <>
      {read?.error ? <Failure error={read.error} onRetry={() => void read.refetch()} /> : null}
      <PhonePlace scale={phoneScale} isPending={read?.isPending ?? false}>
        {read?.data ? <MiniPhone scale={phoneScale} message={read.data.messageOf(senders?.data ?? [])} /> : null}
      </PhonePlace>
    </>
  )
}
