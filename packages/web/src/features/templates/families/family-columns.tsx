import type { Channel } from '@carillon/contract/channels'
import { findLosses, findRichest, type Loss } from '@carillon/contract/message-losses'
import type { Rendition, TemplateFamily } from '@carillon/contract/template-families'
import { CircleCheck, CircleDashed } from 'lucide-react'
import { ChannelMark, channelLabel } from '../../../channels/channel-mark.tsx'
import { NameCell, TextLine } from '../../../channels/parts/templates/template-row.tsx'
import { TemplatePill } from '../../../channels/parts/templates/status-pill.tsx'
import { countOf, formatCount } from '../../../lib/format.ts'
import type { Column } from '../../../ui/data-screen/columns.ts'
import { Pill } from '../../../ui/pill.tsx'
import { Missing, When } from '../../../ui/text.tsx'
import { LossChips } from './loss-chips.tsx'
import { familyChannels } from './use-renditions.ts'

/** What a rendition lacks compared with the family's richest one. */
export function lossesOf({ renditions }: TemplateFamily, { traits }: Rendition): Loss[] {
  const richest = findRichest(renditions.map((each) => each.traits))
  return richest ? findLosses(richest, traits) : []
}

export function familyColumns(): Column<TemplateFamily>[] {
  return [
    {
      id: 'name',
      header: 'Family',
      cell: ({ name, text, renditions }) => (
        <NameCell name={name} className="max-w-75">
          <TextLine>{text || renditions[0]?.traits.text}</TextLine>
        </NameCell>
      ),
    },
    { id: 'ready', header: 'Status', width: 116, cell: (family) => <ReadyPill family={family} /> },
    ...familyChannels().map(({ channel }) => ({
      id: channel,
      header: channelLabel(channel),
      width: 236,
      cell: (family: TemplateFamily) => <RenditionCell family={family} channel={channel} />,
    })),
    { id: 'used', header: 'Used', width: 72, align: 'right', cell: ({ usedIn }) => formatCount(usedIn) },
    { id: 'updated', header: 'Updated', width: 112, cell: ({ updatedAt }) => <When at={updatedAt} /> },
  ]
}

export function ReadyPill({ family: { isReady } }: { family: Pick<TemplateFamily, 'isReady'> }) {
  return isReady ? (
    <Pill tone="good" icon={CircleCheck}>
      Ready
    </Pill>
  ) : (
    <Pill tone="neutral" icon={CircleDashed}>
      Not ready
    </Pill>
  )
}

function RenditionCell({ family, channel }: { family: TemplateFamily; channel: Channel }) {
  const rendition = family.renditions.find((each) => each.channel === channel)
  if (!rendition) return <Missing why="no template" />
  return (
    <div className="flex flex-wrap items-center gap-1 py-1">
      <RenditionStatus rendition={rendition} />
      <LossChips losses={lossesOf(family, rendition)} most={1} label={`Losses on ${channelLabel(channel)}`} />
    </div>
  )
}

/** The template's status in the channel's terms, with the reason it cannot be sent as tooltip. */
export function RenditionStatus({ rendition: { channel, status, reason } }: { rendition: Rendition }) {
  const look = familyChannels()
    .find((each) => each.channel === channel)
    ?.renditions.lookOf(status)
  return look ? (
    <span title={reason}>
      <TemplatePill look={look} />
    </span>
  ) : null
}

/** A family in the list on phones. */
export function FamilyCard({ family }: { family: TemplateFamily }) {
  const { name, renditions, usedIn } = family
  return (
    <div className="flex min-w-0 flex-col gap-1.5">
      <div className="flex items-center gap-2">
        <b className="min-w-0 flex-1 truncate">{name}</b>
        <ReadyPill family={family} />
      </div>
      {renditions.map((rendition) => (
        <div key={rendition.channel} className="flex flex-wrap items-center gap-1.5 text-dense">
          <ChannelMark channel={rendition.channel} />
          <RenditionStatus rendition={rendition} />
          <LossChips
            losses={lossesOf(family, rendition)}
            most={1}
            label={`Losses on ${channelLabel(rendition.channel)}`}
          />
        </div>
      ))}
      <p className="text-caption text-muted-foreground">Used in {countOf(usedIn, 'campaign')}</p>
    </div>
  )
}
