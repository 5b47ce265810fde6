import type { Dispatch } from 'react'
import { ConfigControl } from './config-controls.tsx'
import { configGroups, valueAt, withValue, type ConfigDraft } from './config-fields.ts'

type ConfigFormProps = { draft: ConfigDraft; errors: Record<string, string>; onChange: Dispatch<ConfigDraft> }

/** A key config as a form, group by group. */
export function ConfigForm({ draft, errors, onChange }: ConfigFormProps) {
  return (
    <div className="divide-y divide-line">
      {configGroups.map(({ title, text, fields }) => (
        <section key={title} aria-label={title} className="flex flex-col gap-4 py-5 first:pt-0">
          <header>
            <h3 className="text-section font-semibold">{title}</h3>
            <p className="text-muted-foreground">{text}</p>
          </header>
          <div className="grid items-start gap-4 sm:grid-cols-2">
            {fields.map((field) => (
              <div key={field.path} className={field.isWide ? 'min-w-0 sm:col-span-2' : 'min-w-0'}>
                <ConfigControl
                  field={field}
                  value={valueAt(draft, field.path)}
                  errors={errors}
                  onChange={(value) => onChange(withValue(draft, field.path, value))}
                />
              </div>
            ))}
          </div>
        </section>
      ))}
    </div>
  )
}
