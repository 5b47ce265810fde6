import type { TemplateFinding } from '@carillon/contract/channels/whatsapp/whatsapp-template-rules'
import clsx from 'clsx'
import { Check, Plus, X } from 'lucide-react'
import { languageLabel, templateLanguages } from '../template-labels.tsx'
import { countOf } from '../../../lib/format.ts'
import { Button, IconButton } from '../../../ui/button.tsx'
import { Menu } from '../../../ui/menu.tsx'
import { findingsOf, sectionLabels, sectionOf, sectionsOf } from './findings.ts'
import type { WhatsappForm } from './form.ts'

type OutlineProps = {
  form: WhatsappForm
  current: number
  findings: readonly TemplateFinding[]
  onLanguage: (index: number) => void
  onAdd: (language: string) => void
  onRemove: (index: number) => void
}

/** The template's sections with their problems, and its languages. */
export function WhatsappOutline({ form, findings, ...languages }: OutlineProps) {
  return (
    <nav aria-label="Template sections" className="sticky top-14 flex flex-col gap-4 self-start max-xl:hidden">
      <ol>
        {sectionsOf(form).map((section, index) => {
          const errors = findings.filter(({ field, level }) => level === 'error' && sectionOf(field) === section).length
          return (
            <li key={section}>
              <button
                type="button"
                onClick={() =>
                  document.querySelector(`[data-section="${section}"]`)?.scrollIntoView({ block: 'start' })
                }
                className="flex h-8 w-full items-center gap-2 rounded-md px-2 text-left text-dense font-medium text-muted-foreground hover:bg-accent"
              >
                <span aria-hidden className="w-3 font-normal tabular-nums">
                  {index + 1}
                </span>
                {sectionLabels[section]}
                <span className="ml-auto text-caption font-normal">
                  {errors > 0 ? (
                    <span className="text-warning-text">
                      {errors} <span className="sr-only">to fix</span>
                    </span>
                  ) : (
                    <Check aria-label="nothing to fix" className="size-3.5 text-success-text" />
                  )}
                </span>
              </button>
            </li>
          )
        })}
      </ol>
      <div className="border-t border-border pt-3">
        <p className="px-2 pb-1 text-caption text-muted-foreground">Languages</p>
        <Languages form={form} {...languages} />
      </div>
    </nav>
  )
}

type LanguagesProps = Omit<OutlineProps, 'findings'>

function Languages({ form, current, onLanguage, onAdd, onRemove }: LanguagesProps) {
  return (
    <ul>
      {form.variants.map((variant, index) => {
        const errors = findingsOf(form, variant).filter(
          ({ field, level }) => level === 'error' || field === 'components.body',
        ).length
        const isCurrent = index === current
        return (
          <li key={variant.language} className="flex items-center">
            <button
              type="button"
              aria-current={isCurrent}
              onClick={() => onLanguage(index)}
              className={clsx(
                'flex h-8 min-w-0 flex-1 items-center gap-2 rounded-md px-2 text-left text-dense hover:bg-accent',
                isCurrent ? 'bg-brand-muted font-medium text-brand-text' : 'text-muted-foreground',
              )}
            >
              <span className="min-w-0 flex-1 truncate">{languageLabel(variant.language)}</span>
              <span className="text-caption font-normal">
                {errors > 0 && !isCurrent ? (
                  <span className="text-warning-text">{countOf(errors, 'point')}</span>
                ) : index === 0 ? (
                  'base'
                ) : (
                  ''
                )}
              </span>
            </button>
            {variant.id === undefined && form.variants.length > 1 ? (
              <IconButton
                label={`Remove ${languageLabel(variant.language)}`}
                size="tool"
                onClick={() => onRemove(index)}
              >
                <X aria-hidden />
              </IconButton>
            ) : null}
          </li>
        )
      })}
      <li>
        <AddLanguage form={form} onAdd={onAdd} />
      </li>
    </ul>
  )
}

export function AddLanguage({ form, onAdd }: Pick<OutlineProps, 'form' | 'onAdd'>) {
  const used = form.variants.map(({ language }) => language)
  return (
    <Menu
      label="Add language"
      align="start"
      items={templateLanguages
        .filter(({ value }) => !used.includes(value))
        .map(({ value, label }) => ({ label, onSelect: () => onAdd(value) }))}
      trigger={
        <Button variant="ghost" size="tool" className="text-muted-foreground">
          <Plus aria-hidden /> Add language
        </Button>
      }
    />
  )
}
