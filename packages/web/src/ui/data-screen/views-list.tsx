import type { SavedView } from '@carillon/contract/saved-views'
import { Check, Link, Pencil, Plus, RefreshCw, Star, StarOff, Trash2 } from 'lucide-react'
import { useApiWrite } from '../../lib/use-api.ts'
import { copy } from '../copy.ts'
import type { MenuItem } from '../menu.tsx'
import { toast } from '../toast.tsx'
import { RowMenu } from './row-menu.tsx'

type ViewsListProps = {
  views: readonly SavedView[]
  /** The list's present state. */
  query: string
  columns: SavedView['columns']
  current: SavedView | undefined
  onApply: (view: Pick<SavedView, 'query' | 'columns'>) => void
  /** Opens the dialog that saves the present state, or renames a view. */
  onSave: (view: SavedView | 'new') => void
  onDelete: (view: SavedView) => void
}

/** The saved views, and what can be done with the present state. */
export function ViewsList({ views, query, columns, current, onApply, onSave, onDelete }: ViewsListProps) {
  const change = useApiWrite('savedViews.change', {
    refreshes: ['savedViews.list'],
    onSuccess: ({ name }) => toast.success(`${name} was saved`),
    onError: ({ message }) => toast.error(message),
  })

  function itemsOf(view: SavedView): readonly MenuItem[] {
    const write = (body: object) => change.mutate({ path: { id: view._id }, body })
    return [
      { label: 'Rename…', icon: Pencil, onSelect: () => onSave(view) },
      {
        label: 'Update with current filters',
        icon: RefreshCw,
        onSelect: () => write({ query, columns }),
      },
      view.isDefault
        ? { label: 'Remove as default', icon: StarOff, onSelect: () => write({ isDefault: false }) }
        : { label: 'Make default', icon: Star, onSelect: () => write({ isDefault: true }) },
      'separator',
      { label: 'Delete…', icon: Trash2, destructive: true, onSelect: () => onDelete(view) },
    ]
  }
  return (
    <>
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
      <ShownView onSave={() => onSave('new')} />
    </>
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
