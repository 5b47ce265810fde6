import clsx from 'clsx'
import { FieldMessage } from '../../../ui/field.tsx'

type Finding = { field: string; message: string; level: 'error' | 'advice' }

/** Error of a field, after the first attempt to submit. */
export type Problems = (field: string) => string | undefined

export function problemsOf(findings: readonly Finding[], isShown: boolean): Problems {
  return (field) =>
    isShown ? findings.find((finding) => finding.field === field && finding.level === 'error')?.message : undefined
}

/** The id of the message under a field. */
export function messageId(field: string): string {
  return `${field}-message`
}

/** Marks a control as invalid and references its message; nothing if it is valid. */
export function wrong(field: string, problem: string | undefined) {
  return problem === undefined ? {} : { invalid: true, 'aria-describedby': messageId(field) }
}

export function Problem({ text }: { text: string | undefined }) {
  return text ? (
    <div className="mt-1.5">
      <FieldMessage text={text} />
    </div>
  ) : null
}

type CountProps = { text: string; most: number; small?: boolean }

/** '18/200': the length of a text, in red above its limit. */
export function Count({ text, most, small = false }: CountProps) {
  const length = Array.from(text).length
  return (
    <span
      className={clsx(
        'tabular-nums',
        small ? 'text-caption' : 'text-dense',
        length > most ? 'text-danger-text' : 'text-muted-foreground',
      )}
    >
      {length.toLocaleString('en-IN')}/{most.toLocaleString('en-IN')}
    </span>
  )
}
