import type { SavedView } from '@carillon/contract/saved-views'
import { Bookmark, Check, Link, Pencil, Plus, RefreshCw, Star, StarOff, Trash2 } from 'lucide-react'
import { useState, type ReactElement } from 'react'
import { useHotkeys } from '../../lib/hotkeys.ts'
import { useApi, useApiWrite } from '../../lib/use-api.ts'
import { Button, IconButton } from '../button.tsx'
import { copy } from '../copy.ts'
import { Failure } from '../failure.tsx'
import { lazyDialog } from '../lazy-dialog.tsx'
import type { MenuItem } from '../menu.tsx'
import { Popover } from '../popover.tsx'
import { toast } from '../toast.tsx'
import { RowMenu } from './row-menu.tsx'
import type { TableLook } from './table-options.tsx'
import { useDefaultView, useViewAddress } from './use-view-address.ts'

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
  const change = useApiWrite('savedViews.change', {
    refreshes: ['savedViews.list'],
    onSuccess: ({ name }) => toast.success(`${name} was saved`),
    onError: ({ message }) => toast.error(message),
  })

  function itemsOf(view: SavedView): readonly MenuItem[] {
    const write = (body: object) => change.mutate({ path: { id: view._id }, body })
    return [
      { label: 'Rename…', icon: Pencil, onSelect: () => setSaving(view) },
      {
        label: 'Update with current filters',
        icon: RefreshCw,
        onSelect: () => write({ query: address.query, columns: look.shown }),
      },
      view.isDefault
        ? { label: 'Remove as default', icon: StarOff, onSelect: () => write({ isDefault: false }) }
        : { label: 'Make default', icon: Star, onSelect: () => write({ isDefault: true }) },
      'separator',
      { label: 'Delete…', icon: Trash2, destructive: true, onSelect: () => setDeleting(view) },
    ]
  }

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
        <ViewList views={views} query={address.query} current={current} itemsOf={itemsOf} onApply={apply} />
        <ShownView onSave={() => setSaving('new')} />
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

type ViewListProps = {
  views: readonly SavedView[]
  /** The current query. */
  query: string
  current: SavedView | undefined
  itemsOf: (view: SavedView) => readonly MenuItem[]
  onApply: (view: Pick<SavedView, 'query' | 'columns'>) => void
}

function ViewList({ views, query, current, itemsOf, onApply }: ViewListProps) {
  return (
    <ul aria-label="Saved views">
      <ViewRow name="Everything" isCurrent={query === ''} onApply={() => onApply({ query: '', columns: {} })} />
      {views.map((view) => (
        <ViewRow
          key={view._id}
          name={view.name}
          note={view.isDefault ? 'Default' : undefined}
          isCurrent={view === current}
          items={itemsOf(view)}
          onApply={() => onApply(view)}
        />
      ))}
    </ul>
  )
}

/** Actions for the list's current state. */
function ShownView({ onSave }: { onSave: () => void }) {
  return (
    <div className="mt-1 flex flex-col border-t border-line pt-1">
      <button type="button" className={line} onClick={onSave}>
        <Plus aria-hidden /> Save this view…
      </button>
      <button
        type="button"
        className={line}
        onClick={() => copy(location.href, () => toast.success('The link to this view was copied'))}
      >
        <Link aria-hidden /> Copy link to this view
      </button>
    </div>
  )
}

const line =
  'flex min-h-8 w-full items-center gap-2 rounded-sm px-2 text-left hover:bg-accent pointer-coarse:min-h-11 [&>svg]:size-4 [&>svg]:shrink-0 [&>svg]:text-muted-foreground'

type ViewRowProps = {
  name: string
  note?: string | undefined
  isCurrent: boolean
  items?: readonly MenuItem[]
  onApply: () => void
}

function ViewRow({ name, note, isCurrent, items, onApply }: ViewRowProps) {
  return (
    <li className="flex items-center gap-1">
      <button type="button" aria-current={isCurrent || undefined} className={line} onClick={onApply}>
        <Check aria-hidden className={isCurrent ? undefined : 'invisible'} />
        <span className="min-w-0 flex-1 truncate">{name}</span>
        {note ? <small className="text-caption text-muted-foreground">{note}</small> : null}
      </button>
      {items ? <RowMenu name={name} items={items} /> : null}
    </li>
  )
}
