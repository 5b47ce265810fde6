import clsx from 'clsx'
import { useImperativeHandle, useRef, useState, type Ref } from 'react'
import { controlFrame } from '../input.tsx'
import { FieldMessage } from '../field.tsx'
import { countOf } from '../../lib/format.ts'
import type { Place } from './locate-json.ts'

export type JsonProblem = { message: string; place: Place }

export type JsonEditorHandle = { lead: (place: Place) => void }

type JsonEditorProps = {
  label: string
  text: string
  /** Absent for a text to read. */
  onChange?: (text: string) => void
  problems?: readonly JsonProblem[]
  ref?: Ref<JsonEditorHandle>
  className?: string
}

const lineHeight = 20
const padding = 8
/** Lines drawn above and below those in view. */
const margin = 10

/** JSON as text with line numbers. Only the numbers in view are drawn, so that the length of the text does not matter. */
export function JsonEditor({ label, text, onChange, problems = [], ref, className = 'h-96' }: JsonEditorProps) {
  const area = useRef<HTMLTextAreaElement>(null)
  const [view, setView] = useState({ top: 0, height: 0 })
  const lead = ({ at, line }: Place) => leadTo(area.current, { at, line, text })
  useImperativeHandle(ref, () => ({ lead }))
  const count = countLines(text)

  return (
    <div className="flex min-w-0 flex-col gap-2">
      <div className={clsx('relative flex min-w-0 overflow-hidden', controlFrame, className)}>
        <Gutter count={count} view={view} marked={new Set(problems.map(({ place }) => place.line))} />
        <textarea
          ref={(element) => {
            area.current = element
            if (element && view.height === 0) setView({ top: 0, height: element.clientHeight || 1 })
          }}
          aria-label={label}
          aria-invalid={problems.length > 0 || undefined}
          readOnly={onChange === undefined}
          spellCheck={false}
          autoCapitalize="off"
          autoComplete="off"
          dir="ltr"
          wrap="off"
          value={text}
          onChange={(event) => onChange?.(event.target.value)}
          onScroll={({ currentTarget }) =>
            setView({ top: currentTarget.scrollTop, height: currentTarget.clientHeight })
          }
          className="min-w-0 flex-1 resize-none bg-transparent px-3 py-2 font-mono text-[13px] leading-5 tracking-normal whitespace-pre outline-none! max-md:text-base max-md:leading-5"
        />
      </div>
      <Problems problems={problems} onLead={lead} />
      <span className="sr-only">{countOf(count, 'line')}</span>
    </div>
  )
}

type GutterProps = { count: number; view: { top: number; height: number }; marked: ReadonlySet<number> }

function Gutter({ count, view, marked }: GutterProps) {
  const first = Math.max(1, Math.floor(view.top / lineHeight) - margin)
  const last = Math.min(count, Math.ceil((view.top + view.height) / lineHeight) + margin)
  const numbers = Array.from({ length: Math.max(0, last - first + 1) }, (_, index) => first + index)
  return (
    <div
      aria-hidden
      className="relative shrink-0 overflow-hidden border-r border-line bg-sunken text-right font-mono text-caption text-muted-foreground tabular-nums"
      style={{ width: `calc(${Math.max(2, String(count).length)}ch + 20px)` }}
    >
      {numbers.map((number) => (
        <span
          key={number}
          className={clsx(
            'absolute inset-x-0 px-2.5 leading-5',
            marked.has(number) && 'bg-danger-muted font-semibold text-danger-text',
          )}
          style={{ top: padding + (number - 1) * lineHeight - view.top }}
        >
          {number}
        </span>
      ))}
    </div>
  )
}

function Problems({ problems, onLead }: { problems: readonly JsonProblem[]; onLead: (place: Place) => void }) {
  if (problems.length === 0) return null
  return (
    <ul aria-label="Problems" className="flex flex-col gap-1">
      {problems.map(({ message, place }) => (
        <li key={`${place.at} ${message}`} className="flex items-start gap-2">
          <button
            type="button"
            onClick={() => onLead(place)}
            className="min-h-6 shrink-0 rounded-xs text-caption font-medium text-danger-text underline underline-offset-3 tabular-nums pointer-coarse:min-h-11"
          >
            Line {place.line}
          </button>
          <span className="pt-1 pointer-coarse:pt-3.5">
            <FieldMessage text={message} />
          </span>
        </li>
      ))}
    </ul>
  )
}

type Target = Place & { text: string }

/** Selects the rest of the line and scrolls it into view. */
function leadTo(area: HTMLTextAreaElement | null, { at, line, text }: Target) {
  if (!area) return
  const end = text.indexOf('\n', at)
  area.focus()
  area.setSelectionRange(at, end < 0 ? text.length : end)
  area.scrollTop = Math.max(0, (line - 1) * lineHeight - area.clientHeight / 2)
}

function countLines(text: string): number {
  let count = 1
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) count += 1
  return count
}
