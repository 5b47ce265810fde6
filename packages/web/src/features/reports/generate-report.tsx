import { factsOfType } from '@carillon/contract/report-file-records'
import clsx from 'clsx'
import { FileChartColumn } from 'lucide-react'
import { Button } from '../../ui/button.tsx'
import { FormRefusal } from '../../ui/form-refusal.tsx'
import { Sheet } from '../../ui/sheet.tsx'
import { ShowAsApi } from '../../ui/show-as-api.tsx'
import { DetailSwitch, ReportFields } from './report-fields.tsx'
import { problemsOf, requestOf } from './report-draft.ts'
import { ReportEstimate } from './report-estimate.tsx'
import type { ReportForm } from './use-report-form.ts'

export const formId = 'generate-report'

/** The form above the list. */
export function GeneratePanel({ form }: { form: ReportForm }) {
  return (
    <div className="pt-4 pb-2 screen-x">
      <section aria-label="Generate a report" className="rounded-lg border border-border bg-card">
        <Form form={form} className={clsx('grid grid-cols-2 gap-4 p-4 lg:grid-cols-3', columnsOf(form))} />
        <div className="flex min-h-14 flex-wrap items-center gap-x-5 gap-y-2 border-t border-line px-4 py-2.5">
          <DetailSwitch form={form} />
          <ReportEstimate form={form} />
          <span className="ml-auto flex items-center gap-2">
            <AsApi form={form} />
            <Submit form={form} size="md" />
          </span>
        </div>
      </section>
    </div>
  )
}

function columnsOf({ draft: { preset, type } }: ReportForm): string {
  if (factsOfType(type).filters.length === 0)
    return preset === 'custom' ? 'xl:grid-cols-[1.1fr_1.4fr_1fr_1fr_0.8fr]' : 'xl:grid-cols-[1.1fr_1.4fr_0.8fr_2.3fr]'
  return preset === 'custom'
    ? 'xl:grid-cols-[1fr_1fr_1fr_1fr_0.8fr_1.2fr_0.7fr]'
    : 'xl:grid-cols-[1.1fr_1.4fr_1fr_1.3fr_0.8fr]'
}

type GenerateSheetProps = { form: ReportForm; open: boolean; onOpenChange: (open: boolean) => void }

/** The form on phones. */
export function GenerateSheet({ form, open, onOpenChange }: GenerateSheetProps) {
  return (
    <Sheet open={open} onOpenChange={onOpenChange} title="Generate report" footer={<Submit form={form} size="dock" />}>
      <Form form={form} className="flex flex-col gap-5 p-5" />
      <div className="flex flex-col gap-4 px-5 pb-5">
        <DetailSwitch form={form} />
        <ReportEstimate form={form} />
      </div>
    </Sheet>
  )
}

function Form({ form, className }: { form: ReportForm; className: string }) {
  return (
    <form
      id={formId}
      noValidate
      className={className}
      onSubmit={(event) => {
        event.preventDefault()
        form.submit()
      }}
    >
      <ReportFields form={form} />
      <div className="col-span-full empty:hidden">
        <FormRefusal text={form.refusal} />
      </div>
    </form>
  )
}

function Submit({ form, size }: { form: ReportForm; size: 'md' | 'dock' }) {
  return (
    <Button type="submit" form={formId} variant="primary" size={size} loading={form.isPending}>
      <FileChartColumn aria-hidden /> Generate report
    </Button>
  )
}

function AsApi({ form: { draft } }: { form: ReportForm }) {
  if (Object.keys(problemsOf(draft)).length > 0) return null
  const { path, body } = requestOf(draft)
  return <ShowAsApi call="reportFiles.generate" path={path} body={body} />
}
