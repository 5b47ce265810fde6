import { ScrollText } from 'lucide-react'
import { useState } from 'react'
import { formatDateTime } from '../../lib/format.ts'
import { useApi } from '../../lib/use-api.ts'
import { PagedList } from '../../ui/data-screen/paged-list.tsx'
import { Empty } from '../../ui/empty.tsx'
import { Field } from '../../ui/field.tsx'
import { Region } from '../../ui/region.tsx'
import { Select } from '../../ui/select.tsx'
import { auditGroups, describeAction, describeDetails } from './audit-labels.ts'

const pageSize = 25

/** The organisation's audit log, newest first. Entries cannot be changed. */
export function AuditSection() {
  const [group, setGroup] = useState('any')
  const [page, setPage] = useState(1)
  const action = group === 'any' ? {} : { action: group }
  const log = useApi('audit.list', { query: { page, limit: pageSize, ...action } }, { keepPrevious: true })
  return (
    <div className="flex flex-col gap-4">
      <p className="text-muted-foreground">
        Every change of accounts, permissions, money and access, newest first. Entries cannot be changed or removed.
      </p>
      <Field label="Show">
        <Select
          value={group}
          options={auditGroups}
          className="max-w-60"
          onValueChange={(chosen) => {
            setGroup(chosen)
            setPage(1)
          }}
        />
      </Field>
      <Region read={log} label="the audit log" lines={8}>
        {({ entries, total, totalPages }) =>
          entries.length === 0 ? (
            <Empty icon={ScrollText} title="No entries">
              Nothing of this kind has been recorded yet.
            </Empty>
          ) : (
            <PagedList label="Audit log" paging={{ page, pageSize, onPage: setPage, total, totalPages }}>
              {entries.map((entry, index) => (
                <li key={`${entry.at} ${index}`} className="flex flex-col gap-0.5 border-b border-line py-2.5">
                  <p>
                    <b className="font-medium">{entry.actor}</b> {describeAction(entry.action)}
                    {entry.subject && entry.subject !== entry.actor ? (
                      <>
                        : <b className="font-medium">{entry.subject}</b>
                      </>
                    ) : null}
                  </p>
                  <p className="text-caption break-words text-muted-foreground">
                    <time dateTime={entry.at}>{formatDateTime(entry.at)}</time>
                    {describeDetails(entry.details) === '' ? '' : ` · ${describeDetails(entry.details)}`}
                  </p>
                </li>
              ))}
            </PagedList>
          )
        }
      </Region>
    </div>
  )
}
