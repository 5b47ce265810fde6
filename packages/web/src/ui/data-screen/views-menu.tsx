import type { SavedView } from '@carillon/contract/saved-views'
import { Bookmark } from 'lucide-react'
import { useState, type ReactElement } from 'react'
import { useHotkeys } from '../../lib/hotkeys.ts'
import { lazyPart } from '../../lib/lazy-part.tsx'
import { useApi } from '../../lib/use-api.ts'
import { Button, IconButton } from '../button.tsx'
import { Failure } from '../failure.tsx'
import { lazyDialog } from '../lazy-dialog.tsx'
import { Popover } from '../popover.tsx'
import type { TableLook } from './table-options.tsx'
import { useDefaultView, useViewAddress } from './use-view-address.ts'

const ViewsList = lazyPart(
  () => import('./views-list.tsx').then((code) => code.ViewsList),
  <span aria-busy="true" hidden />,
)
const SaveViewDialog = lazyDialog(() => import('./save-view-dialog.tsx').then((code) => code.SaveViewDialog))
const DeleteViewDialog = lazyDialog(() => import('./delete-view-dialog.tsx').then((code) => code.DeleteViewDialog))

type ViewsMenuProps = {
  /** The list's id, as for the table layout. */
  list: string
  look: TableLook
  onLook: (look: TableLook) => void
  /** Letters of the URL that are not part of a view, if not the usual ones. */
  passing?: readonly string[]
  /** A button without text. */
  isIcon?: boolean
}

/** Saved views of this list: apply, save, rename, set default, delete. */
export function ViewsMenu({ list, look, onLook, passing, isIcon = false }: ViewsMenuProps) {
  const [isOpen, setOpen] = useState(false)
  const [saving, setSaving] = useState<SavedView | 'new'>()
  const [deleting, setDeleting] = useState<SavedView>()
  const read = useApi('savedViews.list', { query: { list } }, { staleTime: 60_000 })
  const address = useViewAddress(passing)
  const views = read.data?.views ?? []
  const current = views.find(({ query }) => address.shows(query))
  useHotkeys({ KeyV: () => setOpen(true) })

  function apply(view: Pick<SavedView, 'query' | 'columns'>, change?: { replace: boolean }) {
    setOpen(false)
    address.open(view.query, change)
    onLook({ ...look, shown: view.columns })
  }
  useDefaultView(read.data?.views, (view) => apply(view, { replace: true }))

  return (
    <>
      <Popover
        label="Views"
        align="end"
        open={isOpen}
        onOpenChange={setOpen}
        className="flex max-h-100 w-72 flex-col overflow-y-auto p-1"
        trigger={triggerOf(current?.name, isIcon)}
      >
        {read.error && !read.data ? <Failure error={read.error} onRetry={() => void read.refetch()} /> : null}
        <ViewsList
          views={views}
          query={address.query}
          columns={look.shown}
          current={current}
          onApply={apply}
          onSave={setSaving}
          onDelete={setDeleting}
        />
      </Popover>
      {saving ? (
        <SaveViewDialog
          list={list}
          view={saving === 'new' ? undefined : saving}
          query={address.query}
          columns={look.shown}
          onClose={() => setSaving(undefined)}
        />
      ) : null}
      {deleting ? <DeleteViewDialog view={deleting} onClose={() => setDeleting(undefined)} /> : null}
    </>
  )
}

/** The element itself, because the popover gives it its handlers. */
function triggerOf(name: string | undefined, isIcon: boolean): ReactElement {
  const label = name ? `Views: ${name}` : 'Views'
  if (isIcon) {
    return (
      <IconButton label={label} keys={['V']} variant="outline" size="sm" className="max-md:size-11">
        <Bookmark aria-hidden className={name ? 'fill-current' : undefined} />
      </IconButton>
    )
  }
  return (
    <Button size="sm" aria-label={label}>
      <Bookmark aria-hidden /> <span className="max-w-40 truncate max-md:sr-only">{name ?? 'Views'}</span>
    </Button>
  )
}
