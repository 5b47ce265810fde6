import type { Channel } from '@carillon/contract/channels'
import type { TemplateFamily } from '@carillon/contract/template-families'
import { Layers, SearchX } from 'lucide-react'
import { useState } from 'react'
import { ChannelMark } from '../../../channels/channel-mark.tsx'
import { useApi } from '../../../lib/use-api.ts'
import { AreaLink } from '../../../ui/area-link.tsx'
import { Button } from '../../../ui/button.tsx'
import { PagedList } from '../../../ui/data-screen/paged-list.tsx'
import { SearchBox } from '../../../ui/data-screen/search-box.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { Empty } from '../../../ui/empty.tsx'
import { Region } from '../../../ui/region.tsx'

type FamilyDialogProps = {
  /** Channels of the campaign. */
  channels: readonly Channel[]
  onChoose: (family: TemplateFamily) => void
  onClose: () => void
}

const pageSize = 10

/** Template families: choose one. */
export function FamilyDialog({ channels, onChoose, onClose }: FamilyDialogProps) {
  const [search, setSearch] = useState('')
  const [page, setPage] = useState(1)
  const query = { page, limit: pageSize, ...(search ? { search } : {}) }
  const list = useApi('families.list', { query }, { keepPrevious: true })
  return (
    <Dialog open onOpenChange={onClose} width="large" title="Template families">
      <div className="mb-3 flex">
        <SearchBox
          label="Search families"
          value={search}
          onValueChange={(next) => {
            setSearch(next)
            setPage(1)
          }}
        />
      </div>
      <Region read={list} label="the template families" lines={6}>
        {({ families, pagination: { total, totalPages } }) =>
          families.length === 0 ? (
            <Nothing isNarrowed={search !== ''} />
          ) : (
            <PagedList
              label="Template families"
              pagerClass="-mx-5"
              paging={{ page, pageSize, onPage: setPage, total, totalPages }}
            >
              {families.map((family) => (
                <FamilyRow key={family._id} family={family} channels={channels} onChoose={() => onChoose(family)} />
              ))}
            </PagedList>
          )
        }
      </Region>
    </Dialog>
  )
}

function Nothing({ isNarrowed }: { isNarrowed: boolean }) {
  if (isNarrowed)
    return (
      <Empty icon={SearchX} title="No family matches">
        Search for another name.
      </Empty>
    )
  return (
    <Empty
      icon={Layers}
      title="No template families"
      actions={
        <Button size="sm" asChild>
          <AreaLink to="manage-templates/unified">Open template families</AreaLink>
        </Button>
      }
    >
      Link templates that say the same thing, then use them together.
    </Empty>
  )
}

type FamilyRowProps = { family: TemplateFamily; channels: readonly Channel[]; onChoose: () => void }

function FamilyRow({ family, channels, onChoose }: FamilyRowProps) {
  const fitting = family.renditions.filter(({ channel }) => channels.includes(channel))
  const unusable = fitting.find(({ isSendable }) => !isSendable)
  return (
    <li className="flex items-center gap-3 border-b border-line py-2.5">
      <div className="min-w-0 flex-1">
        <b className="block truncate font-medium">{family.name}</b>
        <span className="mt-1 flex flex-wrap gap-x-3 gap-y-1 text-caption">
          {family.renditions.map(({ channel }) => (
            <ChannelMark key={channel} channel={channel} />
          ))}
        </span>
        {unusable ? (
          <small className="block text-caption text-warning-text">
            {unusable.name}: {unusable.reason ?? 'cannot be sent'}
          </small>
        ) : null}
      </div>
      <Button
        size="sm"
        aria-label={`Use ${family.name}`}
        className="max-md:h-11"
        disabled={fitting.length === 0}
        onClick={onChoose}
      >
        Use
      </Button>
    </li>
  )
}
