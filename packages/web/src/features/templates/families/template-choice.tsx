import { Search } from 'lucide-react'
import { useDeferredValue, useState } from 'react'
import { channelLabel } from '../../../channels/channel-mark.tsx'
import type { FoundTemplate } from '../../../channels/channel-templates.ts'
import { libraries } from '../../../channels/libraries.ts'
import { editorView } from '../../../channels/parts/templates/editor-view.ts'
import { writeView } from '../../../lib/url-state.ts'
import { useApiReads } from '../../../lib/use-api-reads.ts'
import { AreaLink } from '../../../ui/area-link.tsx'
import { Button } from '../../../ui/button.tsx'
import { Failure } from '../../../ui/failure.tsx'
import { Input } from '../../../ui/input.tsx'
import { linkClass } from '../../../ui/link-class.ts'
import { Loading, SkeletonLines } from '../../../ui/skeleton.tsx'
import type { Choice } from './family-form.ts'
import type { EditedRendition } from './use-renditions.ts'

type TemplateChoiceProps = { rendition: EditedRendition; onChoose: (patch: Partial<Choice>) => void }

/** The chosen template, or a search for one. */
export function TemplateChoice({ rendition, onChoose }: TemplateChoiceProps) {
  const { channel, choice, stored, screens } = rendition
  if (choice.templateId === undefined)
    return <TemplateSearch rendition={rendition} onPick={(templateId) => onChoose({ templateId })} />
  return (
    <div className="flex min-h-8 items-center gap-2">
      <AreaLink
        to={screens.editorPath}
        search={writeView(editorView, { templateId: choice.templateId })}
        className={`${linkClass} min-w-0 flex-1 truncate text-dense`}
      >
        {stored.content?.name ?? 'Template'}
      </AreaLink>
      <Button
        size="tool"
        aria-label={`Change the template for ${channelLabel(channel)}`}
        onClick={() => onChoose({ templateId: undefined })}
      >
        Change
      </Button>
    </div>
  )
}

const mostResults = 6

type TemplateSearchProps = { rendition: EditedRendition; onPick: (templateId: string) => void }

function TemplateSearch({ rendition: { channel, screens }, onPick }: TemplateSearchProps) {
  const [typed, setTyped] = useState('')
  const query = useDeferredValue(typed.trim())
  const library = libraries.find((each) => each.channel === channel)
  const [found] = useApiReads(library ? [library.templates.find(query, mostResults)] : [], { keepPrevious: true })
  const label = channelLabel(channel)
  return (
    <div className="flex flex-col gap-2">
      <Input
        size="sm"
        type="search"
        aria-label={`Search ${label} templates`}
        placeholder="Search templates"
        leading={<Search aria-hidden />}
        value={typed}
        maxLength={80}
        onChange={(event) => setTyped(event.target.value)}
      />
      {found?.error ? <Failure error={found.error} onRetry={() => void found.refetch()} /> : null}
      {found?.isPending ? (
        <Loading label={`Loading ${label} templates`}>
          <SkeletonLines count={3} />
        </Loading>
      ) : null}
      {found?.data?.length === 0 ? (
        <p className="text-dense text-muted-foreground">
          {query ? `No template matches “${query}”` : 'There are no templates yet'}.{' '}
          <AreaLink to={screens.editorPath} className={linkClass}>
            New {screens.label}
          </AreaLink>
        </p>
      ) : null}
      <Results label={`${label} templates`} found={found?.data ?? []} onPick={onPick} />
    </div>
  )
}

type ResultsProps = { label: string; found: readonly FoundTemplate[]; onPick: (templateId: string) => void }

function Results({ label, found, onPick }: ResultsProps) {
  if (found.length === 0) return null
  return (
    <ul aria-label={label} className="divide-y divide-line rounded-md border border-border">
      {found.map(({ _id, name }) => (
        <li key={_id}>
          <button
            type="button"
            onClick={() => onPick(_id)}
            className="block min-h-8 w-full truncate px-2.5 py-1.5 text-left text-dense hover:bg-accent focus-visible:-outline-offset-2 max-md:min-h-11"
          >
            {name}
          </button>
        </li>
      ))}
    </ul>
  )
}
