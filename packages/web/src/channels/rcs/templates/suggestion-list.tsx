import { rcsLimits } from '@carillon/contract/channels/rcs/rcs-limits'
import type { RcsSuggestion } from '@carillon/contract/channels/rcs/rcs-templates'
import { ArrowDown, ArrowUp, ChevronDown, Ellipsis, Plus, Trash2 } from 'lucide-react'
import type { KeyboardEvent } from 'react'
import { Button, IconButton } from '../../../ui/button.tsx'
import { FieldMessage } from '../../../ui/field.tsx'
import { Input } from '../../../ui/input.tsx'
import { Menu } from '../../../ui/menu.tsx'
import { Select } from '../../../ui/select.tsx'
import { Count, messageId, wrong, type Problems } from '../../parts/templates/problems.tsx'
import { effectOf } from '../phone-message.ts'
import { suggestionLooks } from '../template-labels.tsx'
import { SuggestionFields } from './suggestion-fields.tsx'
import {
  emptySuggestion,
  movedSuggestion,
  postbackOf,
  withLabel,
  withType,
  type SuggestionType,
} from './suggestion-form.ts'

type SuggestionListProps = {
  suggestions: readonly RcsSuggestion[]
  /** Where they are, for accessible names: 'card 2' or 'the message'. */
  owner: string
  most: number
  /** The path of the list in the template. */
  at: string
  problems: Problems
  /** The group of changes that undo takes back together. */
  onChange: (suggestions: RcsSuggestion[], group?: string) => void
  onFocus: () => void
  onBlur: () => void
}

/** Replies and actions, reordered with their menu or with Alt and the arrow keys. */
export function SuggestionList(props: SuggestionListProps) {
  const { suggestions, owner, most, at, problems, onChange, onFocus, onBlur } = props
  const replaced = (index: number, next: RcsSuggestion) => suggestions.map((one, at) => (at === index ? next : one))

  function move(index: number, by: 1 | -1) {
    if (suggestions[index + by] === undefined) return
    onChange(movedSuggestion(suggestions, index, by))
    const label = `[data-field="${at}.${index + by}.text"] input`
    requestAnimationFrame(() => document.querySelector<HTMLElement>(label)?.focus())
  }
  return (
    <div data-field={at} onFocus={onFocus} onBlur={onBlur}>
      <div className="flex min-h-9 items-center gap-2">
        <h3 className="font-medium">{owner === 'the message' ? 'Below the message' : 'Suggestions'}</h3>
        <span className="text-caption text-muted-foreground tabular-nums">
          {suggestions.length} of {most}
        </span>
        <span className="ml-auto">
          <AddSuggestion
            owner={owner}
            isFull={suggestions.length >= most}
            onAdd={(type) => onChange([...suggestions, emptySuggestion(type)])}
          />
        </span>
      </div>
      {suggestions.length > 0 ? (
        <ul className="border-y border-border">
          {suggestions.map((suggestion, index) => (
            <SuggestionRow
              key={index}
              suggestion={suggestion}
              name={`suggestion ${index + 1} of ${owner}`}
              at={`${at}.${index}`}
              problems={problems}
              canMove={{ up: index > 0, down: index < suggestions.length - 1 }}
              onChange={(next) => onChange(replaced(index, next), `${at}.${index}`)}
              onMove={(by) => move(index, by)}
              onRemove={() => onChange(suggestions.filter((_, place) => place !== index))}
            />
          ))}
        </ul>
      ) : null}
      {problems(at) ? <FieldMessage text={problems(at) ?? ''} /> : null}
    </div>
  )
}

const types: readonly SuggestionType[] = [
  'reply',
  'open_url',
  'dial',
  'view_location',
  'share_location',
  'create_calendar_event',
]

type AddSuggestionProps = { owner: string; isFull: boolean; onAdd: (type: SuggestionType) => void }

function AddSuggestion({ owner, isFull, onAdd }: AddSuggestionProps) {
  return (
    <Menu
      label={`Add a suggestion to ${owner}`}
      items={types.map((type) => ({
        ...suggestionLooks[type],
        disabled: isFull ? 'No more suggestions fit' : undefined,
        onSelect: () => onAdd(type),
      }))}
      trigger={
        <Button variant="ghost" size="tool" aria-label={`Add suggestion to ${owner}`}>
          <Plus aria-hidden /> Add suggestion <ChevronDown aria-hidden />
        </Button>
      }
    />
  )
}

type SuggestionRowProps = {
  suggestion: RcsSuggestion
  name: string
  at: string
  problems: Problems
  canMove: { up: boolean; down: boolean }
  onChange: (suggestion: RcsSuggestion) => void
  onMove: (by: 1 | -1) => void
  onRemove: () => void
}

function SuggestionRow(props: SuggestionRowProps) {
  const { suggestion, name, at, problems, onChange, onMove } = props
  const problem = problems(`${at}.text`)

  function onKeyDown(event: KeyboardEvent) {
    const by = event.altKey ? { ArrowUp: -1, ArrowDown: 1 }[event.key] : undefined
    if (by === undefined) return
    event.preventDefault()
    onMove(by === -1 ? -1 : 1)
  }
  return (
    <li data-field={at} onKeyDown={onKeyDown} className="flex flex-col gap-2 border-b border-line py-2.5 last:border-0">
      <div className="grid grid-cols-[minmax(0,1fr)_auto] items-start gap-2 md:grid-cols-[156px_minmax(0,1fr)_auto]">
        <Select
          size="sm"
          aria-label={`Type of ${name}`}
          value={suggestion.type}
          onValueChange={(type) => onChange(withType(suggestion, type))}
          options={types.map((value) => ({ value, label: suggestionLooks[value].label }))}
        />
        <span className="max-md:col-span-2 max-md:row-start-2" data-field={`${at}.text`}>
          <Input
            size="sm"
            aria-label={`Label of ${name}`}
            {...wrong(at, problem)}
            maxLength={60}
            placeholder="Label"
            value={suggestion.text}
            onChange={(event) => onChange(withLabel(suggestion, event.target.value))}
            trailing={<Count small text={suggestion.text} most={rcsLimits.suggestionText} />}
          />
          {problem ? <FieldMessage id={messageId(at)} text={problem} /> : null}
        </span>
        <span className="max-md:col-start-2 max-md:row-start-1">
          <RowActions {...props} />
        </span>
      </div>
      <SuggestionFields suggestion={suggestion} name={name} at={at} problems={problems} onChange={onChange} />
      <div className="grid items-center gap-2 md:grid-cols-[156px_minmax(0,1fr)]">
        <span className="text-caption text-muted-foreground max-md:hidden">Postback</span>
        <span data-field={`${at}.postbackData`}>
          <Input
            mono
            size="sm"
            aria-label={`Postback of ${name}`}
            {...wrong(`${at}.postbackData`, problems(`${at}.postbackData`))}
            maxLength={4000}
            placeholder={postbackOf(suggestion.text) || 'label_of_the_suggestion'}
            value={suggestion.postbackData}
            onChange={(event) => onChange({ ...suggestion, postbackData: event.target.value })}
          />
        </span>
      </div>
      <p className="text-caption text-muted-foreground md:ml-41">{effectOf(suggestion)}</p>
    </li>
  )
}

function RowActions({ name, canMove, onMove, onRemove }: SuggestionRowProps) {
  return (
    <Menu
      label={`Actions of ${name}`}
      items={[
        {
          label: 'Move up',
          icon: ArrowUp,
          keys: ['Alt', '↑'],
          disabled: canMove.up ? undefined : 'Already the first',
          onSelect: () => onMove(-1),
        },
        {
          label: 'Move down',
          icon: ArrowDown,
          keys: ['Alt', '↓'],
          disabled: canMove.down ? undefined : 'Already the last',
          onSelect: () => onMove(1),
        },
        'separator',
        { label: 'Remove', icon: Trash2, destructive: true, onSelect: onRemove },
      ]}
      trigger={
        <IconButton label={`Actions of ${name}`} size="sm">
          <Ellipsis aria-hidden />
        </IconButton>
      }
    />
  )
}
