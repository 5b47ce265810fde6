import type { TemplateFinding } from '@carillon/contract/channels/whatsapp/whatsapp-template-rules'
import type { ReactNode } from 'react'
import { FieldMessage } from '../../../ui/field.tsx'
import { sectionLabels, type Section } from './findings.ts'

type BuilderSectionProps = {
  section: Section
  /** A count next to the title. */
  count?: ReactNode
  aside?: ReactNode
  children: ReactNode
}

/** One of the numbered sections of the builder. */
export function BuilderSection({ section, count, aside, children }: BuilderSectionProps) {
  const id = `section-${section}`
  return (
    <section aria-labelledby={id} className="min-w-0 scroll-mt-16" data-section={section}>
      <div className="mb-2 flex min-h-8 flex-wrap items-center gap-x-2 gap-y-1">
        <h2 id={id} className="text-section font-semibold">
          {sectionLabels[section]}
        </h2>
        {count ? <span className="text-dense text-muted-foreground tabular-nums">{count}</span> : null}
        {aside ? <span className="ml-auto flex max-w-full min-w-0 items-center gap-2">{aside}</span> : null}
      </div>
      {children}
    </section>
  )
}

/** Error of a field, after the first attempt to submit. */
export type Problems = (field: string) => string | undefined

export function problemsOf(findings: readonly TemplateFinding[], isShown: boolean): Problems {
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
