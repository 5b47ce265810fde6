import { Search, X } from 'lucide-react'
import { useDeferredValue, useId, useState, type ReactNode } from 'react'
import type { CallError } from '../../lib/call.ts'
import { Button } from '../../ui/button.tsx'
import { Empty } from '../../ui/empty.tsx'
import { Failure } from '../../ui/failure.tsx'
import { Input } from '../../ui/input.tsx'
import { Loading, SkeletonLines } from '../../ui/skeleton.tsx'

/** The search text of a picker, and its debounced query. */
export function useTemplateSearch() {
  const [typed, setTyped] = useState('')
  return { typed, setTyped, search: useDeferredValue(typed.trim()) }
}

/** Templates as loaded from the server. */
type TemplateList = { isPending: boolean; error: CallError | null; refetch: () => unknown }

type TemplatePickerProps = {
  title: string
  searching: ReturnType<typeof useTemplateSearch>
  list: TemplateList
  /** Number of results; without any, shows `none`, or that the search is too narrow. */
  count: number
  none: ReactNode
  /** Requests more than are shown. */
  more?: ReactNode
  /** The options. */
  children: ReactNode
}

/** A searchable single choice of templates. */
export function TemplatePicker({ title, searching, list, count, none, more, children }: TemplatePickerProps) {
  const { typed, setTyped, search } = searching
  const titleId = useId()
  return (
    <div role="group" aria-labelledby={titleId}>
      <div className="mb-3 flex min-h-8 flex-wrap items-center gap-2">
        <h2 id={titleId} className="flex-1 text-section font-semibold max-md:basis-full">
          {title}
        </h2>
        <Input
          size="sm"
          type="search"
          aria-label="Search templates"
          placeholder="Search"
          className="md:max-w-60"
          leading={<Search aria-hidden />}
          trailing={typed ? <ClearButton onClear={() => setTyped('')} /> : null}
          value={typed}
          maxLength={80}
          onChange={(event) => setTyped(event.target.value)}
        />
      </div>
      {list.error ? <Failure error={list.error} onRetry={() => void list.refetch()} /> : null}
      {list.isPending ? (
        <Loading label="Loading templates">
          <SkeletonLines count={6} />
        </Loading>
      ) : null}
      {count === 0 && !list.isPending && !list.error ? (
        search ? (
          <NoMatch search={search} onClear={() => setTyped('')} />
        ) : (
          none
        )
      ) : null}
      {/* A form of its own, so that the radio buttons of several pickers are separate groups. */}
      <form className="contents" onSubmit={(event) => event.preventDefault()}>
        <div
          role="radiogroup"
          aria-labelledby={titleId}
          className="grid grid-cols-3 gap-3 max-xl:grid-cols-2 max-md:grid-cols-1"
        >
          {children}
        </div>
      </form>
      {more}
    </div>
  )
}

function ClearButton({ onClear }: { onClear: () => void }) {
  return (
    <button
      type="button"
      aria-label="Clear the search"
      onClick={onClear}
      className="grid size-6 place-items-center text-muted-foreground"
    >
      <X aria-hidden className="size-4" />
    </button>
  )
}

function NoMatch({ search, onClear }: { search: string; onClear: () => void }) {
  return (
    <Empty
      icon={Search}
      title={<>No template matches “{search}”</>}
      actions={<Button onClick={onClear}>Clear search</Button>}
    />
  )
}
