import { ListFilter, Plus, X } from 'lucide-react'
import { useState } from 'react'
import { useHotkeys } from '../../lib/hotkeys.ts'
import { Button } from '../button.tsx'
import { Kbd } from '../kbd.tsx'
import { Popover } from '../popover.tsx'
import { Sheet } from '../sheet.tsx'
import { FilterEditor } from './filter-editor.tsx'
import { clearFilter, isActive, wordsOf, type Filter } from './filter.ts'

/** Filters as chips with editors, and a button that adds one. In a sheet on phones. */
export function FilterBar({ filters }: { filters: readonly Filter[] }) {
  const [adding, setAdding] = useState(false)
  useHotkeys({ KeyF: () => setAdding(true) })
  const active = filters.filter(isActive)
  const idle = filters.filter((filter) => !isActive(filter))

  return (
    <>
      <div className="flex flex-wrap items-center gap-2 max-md:hidden">
        {active.map((filter) => (
          <FilterChip key={filter.id} filter={filter} />
        ))}
        {idle.length > 0 ? (
          <Popover
            label="Add a filter"
            open={adding}
            onOpenChange={setAdding}
            className="max-h-100 w-64 overflow-y-auto p-2"
            trigger={
              <button
                type="button"
                className="inline-flex h-7 items-center gap-1.5 rounded-md border border-dashed border-edge px-2 text-dense text-muted-foreground hover:bg-accent"
              >
                <Plus aria-hidden className="size-4" /> Filter <Kbd name="F" />
              </button>
            }
          >
            <AddFilter filters={idle} />
          </Popover>
        ) : null}
      </div>
      <MobileFilters filters={filters} active={active.length} />
    </>
  )
}

function FilterChip({ filter }: { filter: Filter }) {
  return (
    <span className="inline-flex h-7 items-center overflow-hidden rounded-md border border-edge bg-card text-dense whitespace-nowrap">
      <Popover
        label={filter.label}
        className="max-h-100 w-64 overflow-y-auto p-2"
        trigger={
          <button type="button" className="inline-flex h-full max-w-72 items-center hover:bg-accent">
            <span className="px-2 text-muted-foreground">{filter.label}</span>
            <b className="truncate border-l border-line px-2">{wordsOf(filter)}</b>
          </button>
        }
      >
        <FilterEditor filter={filter} />
      </Popover>
      <button
        type="button"
        aria-label={`Remove the filter ${filter.label}`}
        onClick={() => clearFilter(filter)}
        className="grid h-full place-items-center border-l border-line px-1.5 text-muted-foreground hover:bg-accent"
      >
        <X aria-hidden className="size-4" />
      </button>
    </span>
  )
}

function AddFilter({ filters }: { filters: readonly Filter[] }) {
  const [chosen, setChosen] = useState<string>()
  const filter = filters.find(({ id }) => id === chosen) ?? (filters.length === 1 ? filters[0] : undefined)
  if (filter) return <FilterEditor filter={filter} />
  return (
    <ul>
      {filters.map(({ id, label }) => (
        <li key={id}>
          <button
            type="button"
            onClick={() => setChosen(id)}
            className="flex min-h-8 w-full items-center rounded-sm px-2 text-left hover:bg-accent"
          >
            {label}
          </button>
        </li>
      ))}
    </ul>
  )
}

function MobileFilters({ filters, active }: { filters: readonly Filter[]; active: number }) {
  const [open, setOpen] = useState(false)
  return (
    <>
      <Button className="h-11 md:hidden" onClick={() => setOpen(true)}>
        <ListFilter aria-hidden /> Filter
        {active > 0 ? (
          <span className="grid size-5 place-items-center rounded-full bg-brand text-caption text-brand-foreground">
            {active}
          </span>
        ) : null}
      </Button>
      <Sheet
        open={open}
        onOpenChange={setOpen}
        title="Filter"
        footer={<MobileFoot filters={filters} onDone={() => setOpen(false)} />}
      >
        <div className="flex flex-col gap-5 p-5">
          {filters.map((filter) => (
            <FilterEditor key={filter.id} filter={filter} titled />
          ))}
        </div>
      </Sheet>
    </>
  )
}

function MobileFoot({ filters, onDone }: { filters: readonly Filter[]; onDone: () => void }) {
  return (
    <>
      <Button size="dock" onClick={() => filters.filter(isActive).forEach(clearFilter)}>
        Clear
      </Button>
      <Button size="dock" variant="primary" onClick={onDone}>
        Show
      </Button>
    </>
  )
}
