import type { SmsTemplate } from '@carillon/contract/channels/sms/sms-templates'
import { MessageSquareText } from 'lucide-react'
import { useState } from 'react'
import { useSmsAccounts } from '../use-sms-accounts.ts'
import { useApi } from '../../../lib/use-api.ts'
import { Button } from '../../../ui/button.tsx'
import { Failure } from '../../../ui/failure.tsx'
import { Field } from '../../../ui/field.tsx'
import { Select } from '../../../ui/select.tsx'
import { Loading, SkeletonLines } from '../../../ui/skeleton.tsx'
import type { TemplateStepPart } from '../../channel-campaigns.ts'
import { NothingToChoose } from '../../parts/nothing-to-choose.tsx'
import { TemplatePicker, useTemplateSearch } from '../../parts/template-picker.tsx'
import { SmsTemplateOption } from './sms-template-option.tsx'

type SmsTemplateStepProps = {
  part: TemplateStepPart | undefined
  accountId: string | null
  templateId: string | null
  onAccount: (id: string) => void
  onTemplate: (template: SmsTemplate) => void
}

const pageSize = 24
/** Maximum templates listed; further ones are found by search. */
const most = 100

/** Choice of the account and the approved template. */
export function SmsTemplateStep({ part = 'all', accountId, templateId, onAccount, onTemplate }: SmsTemplateStepProps) {
  const { accounts, isPending, error, retry } = useSmsAccounts()
  const active = accounts.filter(({ isActive, id }) => isActive || id === accountId)

  if (error) return <Failure error={error} onRetry={retry} />
  if (isPending) {
    return (
      <Loading label="Loading SMS accounts">
        <SkeletonLines count={6} />
      </Loading>
    )
  }
  const [first] = active
  if (!first) {
    return (
      <NothingToChoose
        icon={MessageSquareText}
        title="No SMS account is active"
        action="Open SMS accounts"
        to="channels/sms"
        isCompact={part !== 'all'}
      >
        Switch one on to continue.
      </NothingToChoose>
    )
  }
  // Choosing a template chooses its account; until then the first account's templates are shown.
  const shown = accountId ?? first.id
  return (
    <div className="flex flex-col gap-6">
      {part === 'templates' ? null : (
        <Field label="SMS account" className="max-w-90">
          <Select
            value={shown}
            onValueChange={onAccount}
            options={active.map(({ id, name, isActive }) => ({ value: id, label: isActive ? name : `${name} (off)` }))}
          />
        </Field>
      )}
      {part === 'sender' ? null : <Templates accountId={shown} templateId={templateId} onTemplate={onTemplate} />}
    </div>
  )
}

type TemplatesProps = { accountId: string; templateId: string | null; onTemplate: (template: SmsTemplate) => void }

function Templates({ accountId, templateId, onTemplate }: TemplatesProps) {
  const searching = useTemplateSearch()
  const { search } = searching
  const [limit, setLimit] = useState(pageSize)
  const list = useApi(
    'smsTemplates.list',
    { query: { smsAccountId: accountId, status: 'approved', limit, ...(search ? { search } : {}) } },
    { keepPrevious: true },
  )
  const templates = list.data?.templates ?? []
  const hasMore = list.data !== undefined && list.data.total > templates.length && limit < most

  return (
    <TemplatePicker
      title="Approved templates"
      searching={searching}
      list={list}
      count={templates.length}
      none={
        <NothingToChoose
          icon={MessageSquareText}
          title="No approved template for this account yet"
          action="New SMS template"
          to="manage-templates/create-sms"
        >
          Enter the text exactly as approved on the DLT portal.
        </NothingToChoose>
      }
      more={
        hasMore ? (
          <Button
            variant="ghost"
            size="sm"
            className="mt-3"
            loading={list.isFetching}
            onClick={() => setLimit(Math.min(limit + pageSize, most))}
          >
            Show more
          </Button>
        ) : null
      }
    >
      {templates.map((template) => (
        <SmsTemplateOption
          key={template._id}
          template={template}
          isChosen={template._id === templateId}
          onChoose={() => onTemplate(template)}
        />
      ))}
    </TemplatePicker>
  )
}
