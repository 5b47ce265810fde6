import type { SmsTemplate } from '@carillon/contract/templates'
import { MessageSquareText, Search } from 'lucide-react'
import { useDeferredValue, useState } from 'react'
import { useSmsAccounts } from '../../../channels/sms/use-sms-accounts.ts'
import { useApi } from '../../../lib/use-api.ts'
import { AreaLink } from '../../../ui/area-link.tsx'
import { Button } from '../../../ui/button.tsx'
import { Empty } from '../../../ui/empty.tsx'
import { Failure } from '../../../ui/failure.tsx'
import { Field } from '../../../ui/field.tsx'
import { Input } from '../../../ui/input.tsx'
import { Select } from '../../../ui/select.tsx'
import { Loading, SkeletonLines } from '../../../ui/skeleton.tsx'
import { TemplateCard } from './template-card.tsx'

type TemplateStepProps = {
  accountId: string | null
  templateId: string | null
  onAccount: (id: string) => void
  onTemplate: (template: SmsTemplate) => void
}

const pageSize = 24

/** Which account sends, and which approved text. */
export function TemplateStep({ accountId, templateId, onAccount, onTemplate }: TemplateStepProps) {
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
  if (!first) return <NoAccount />
  // Choosing a template chooses its account; until then the first one's are shown.
  const shown = accountId ?? first.id
  return (
    <div className="flex flex-col gap-6">
      <Field label="SMS account" className="max-w-90">
        <Select
          value={shown}
          onValueChange={onAccount}
          options={active.map(({ id, name, isActive }) => ({ value: id, label: isActive ? name : `${name} (off)` }))}
        />
      </Field>
      <TemplateGrid accountId={shown} templateId={templateId} onTemplate={onTemplate} />
    </div>
  )
}

type TemplateGridProps = { accountId: string; templateId: string | null; onTemplate: (template: SmsTemplate) => void }

function TemplateGrid({ accountId, templateId, onTemplate }: TemplateGridProps) {
  const [typed, setTyped] = useState('')
  const [limit, setLimit] = useState(pageSize)
  const search = useDeferredValue(typed.trim())
  const list = useApi(
    'smsTemplates.list',
    {
      query: {
        smsAccountId: accountId,
        status: 'approved',
        limit: Math.min(limit, 100),
        ...(search ? { search } : {}),
      },
    },
    { keepPrevious: true },
  )
  const templates = list.data?.templates ?? []

  return (
    <section aria-labelledby="templates-title">
      <div className="mb-3 flex min-h-8 flex-wrap items-center gap-2">
        <h2 id="templates-title" className="flex-1 text-section font-semibold max-md:basis-full">
          Approved templates
        </h2>
        <Input
          size="sm"
          type="search"
          aria-label="Search templates"
          placeholder="Search"
          className="md:max-w-60"
          leading={<Search aria-hidden />}
          value={typed}
          maxLength={80}
          onChange={(event) => setTyped(event.target.value)}
        />
      </div>
      {list.isError ? <Failure error={list.error} onRetry={() => void list.refetch()} /> : null}
      {list.isPending ? (
        <Loading label="Loading templates">
          <SkeletonLines count={6} />
        </Loading>
      ) : null}
      {list.data && templates.length === 0 ? <NoTemplate search={search} onClear={() => setTyped('')} /> : null}
      <div
        role="radiogroup"
        aria-labelledby="templates-title"
        className="grid grid-cols-3 gap-3 max-xl:grid-cols-2 max-md:grid-cols-1"
      >
        {templates.map((template) => (
          <TemplateCard
            key={template._id}
            template={template}
            isChosen={template._id === templateId}
            onChoose={() => onTemplate(template)}
          />
        ))}
      </div>
      {list.data && list.data.total > templates.length && limit < 100 ? (
        <Button
          variant="ghost"
          size="sm"
          className="mt-3"
          loading={list.isFetching}
          onClick={() => setLimit(limit + pageSize)}
        >
          Show more
        </Button>
      ) : null}
    </section>
  )
}

function NoTemplate({ search, onClear }: { search: string; onClear: () => void }) {
  if (search) {
    return (
      <Empty
        icon={Search}
        title={<>No approved template matches “{search}”</>}
        actions={<Button onClick={onClear}>Clear search</Button>}
      />
    )
  }
  return (
    <Empty
      icon={MessageSquareText}
      title="No approved template for this account yet"
      actions={
        <Button asChild variant="primary">
          <AreaLink to="manage-templates/create-sms">New SMS template</AreaLink>
        </Button>
      }
    >
      Bring the text as the DLT portal approved it. Your draft is kept.
    </Empty>
  )
}

function NoAccount() {
  return (
    <Empty
      icon={MessageSquareText}
      title="No SMS account is switched on"
      actions={
        <Button asChild variant="primary">
          <AreaLink to="channels/sms">Open SMS accounts</AreaLink>
        </Button>
      }
    >
      Switch one on, then come back. Your draft is kept.
    </Empty>
  )
}
