import type { SavedAudience } from '@carillon/contract/audience'
import type { Channel } from '@carillon/contract/channels'
import { Pencil, SearchX, Trash2, Users } from 'lucide-react'
import { useState } from 'react'
import { countOf, formatRelative } from '../../../lib/format.ts'
import { useApi, useApiWrite } from '../../../lib/use-api.ts'
import { Button } from '../../../ui/button.tsx'
import { PagedList } from '../../../ui/data-screen/paged-list.tsx'
import { RowMenu } from '../../../ui/data-screen/row-menu.tsx'
import { SearchBox } from '../../../ui/data-screen/search-box.tsx'
import { DeleteDialog } from '../../../ui/delete-dialog.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { Empty } from '../../../ui/empty.tsx'
import { Region } from '../../../ui/region.tsx'
import { toast } from '../../../ui/toast.tsx'
import { SaveAudienceDialog } from './save-audience-dialog.tsx'

type SavedAudiencesDialogProps = {
  channel: Channel
  onChoose: (id: string) => void
  onClose: () => void
}

const pageSize = 10

/** Saved audiences: choose, rename or delete. */
export function SavedAudiencesDialog({ channel, onChoose, onClose }: SavedAudiencesDialogProps) {
  const [search, setSearch] = useState('')
  const [page, setPage] = useState(1)
  const [renamed, setRenamed] = useState<SavedAudience>()
  const [deleted, setDeleted] = useState<SavedAudience>()
  const query = { page, limit: pageSize, channel, ...(search ? { search } : {}) }
  const list = useApi('savedAudiences.list', { query }, { keepPrevious: true })
  return (
    <Dialog open onOpenChange={onClose} width="large" title="Saved audiences">
      <div className="mb-3 flex">
        <SearchBox
          label="Search by name or file"
          value={search}
          onValueChange={(next) => {
            setSearch(next)
            setPage(1)
          }}
        />
      </div>
      <Region read={list} label="the saved audiences" lines={6}>
        {({ audiences, total, totalPages }) =>
          audiences.length === 0 ? (
            <Nothing isNarrowed={search !== ''} />
          ) : (
            <PagedList
              label="Saved audiences"
              pagerClass="-mx-5"
              paging={{ page, pageSize, onPage: setPage, total, totalPages }}
            >
              {audiences.map((audience) => (
                <SavedRow
                  key={audience._id}
                  audience={audience}
                  onChoose={() => onChoose(audience._id)}
                  onRename={() => setRenamed(audience)}
                  onDelete={() => setDeleted(audience)}
                />
              ))}
            </PagedList>
          )
        }
      </Region>
      {renamed ? (
        <SaveAudienceDialog id={renamed._id} name={renamed.name} isRename onClose={() => setRenamed(undefined)} />
      ) : null}
      {deleted ? <DeleteAudienceDialog audience={deleted} onClose={() => setDeleted(undefined)} /> : null}
    </Dialog>
  )
}

function Nothing({ isNarrowed }: { isNarrowed: boolean }) {
  if (isNarrowed)
    return (
      <Empty icon={SearchX} title="No saved audience matches">
        Search for another name or file.
      </Empty>
    )
  return (
    <Empty icon={Users} title="No saved audiences">
      Upload a file or paste numbers, then choose Save audience to keep it for later campaigns.
    </Empty>
  )
}

type SavedRowProps = { audience: SavedAudience; onChoose: () => void; onRename: () => void; onDelete: () => void }

function SavedRow({ audience, onChoose, onRename, onDelete }: SavedRowProps) {
  const { name, fileName, people, columns, createdAt, usedBy } = audience
  const facts = [
    countOf(people, 'person', 'people'),
    fileName,
    `uploaded ${formatRelative(createdAt)}`,
    usedBy === 0 ? 'not used yet' : `used by ${countOf(usedBy, 'campaign')}`,
  ]
  return (
    <li className="flex items-center gap-3 border-b border-line py-2.5">
      <div className="min-w-0 flex-1">
        <b className="block truncate font-medium">{name}</b>
        <small className="block text-caption text-muted-foreground tabular-nums">{facts.join(' · ')}</small>
        <small className="block truncate text-caption text-muted-foreground">
          Columns: {columns.map((column, index) => column || `Column ${index + 1}`).join(', ')}
        </small>
      </div>
      <Button size="sm" aria-label={`Use ${name}`} className="max-md:h-11" onClick={onChoose}>
        Use
      </Button>
      <RowMenu
        name={name}
        items={[
          { label: 'Rename…', icon: Pencil, onSelect: onRename },
          { label: 'Delete…', icon: Trash2, destructive: true, onSelect: onDelete },
        ]}
      />
    </li>
  )
}

function DeleteAudienceDialog({ audience, onClose }: { audience: SavedAudience; onClose: () => void }) {
  const remove = useApiWrite('savedAudiences.remove', {
    refreshes: ['savedAudiences.list', 'audience.get'],
    onSuccess() {
      onClose()
      toast.success(`${audience.name} was deleted`)
    },
  })
  return (
    <DeleteDialog
      noun="audience"
      name={audience.name}
      description="It can no longer be chosen for new campaigns. Campaigns and drafts that use it keep their recipients."
      remove={remove}
      onConfirm={() => remove.mutate({ path: { id: audience._id } })}
      onClose={onClose}
    />
  )
}
